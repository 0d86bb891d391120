"""AReS Audit: vet a model's recourse before it is deployed.

The rooms, in the order data walks through them: `people`, `models`, `costs`, `recourse`, `audit`.
"""

__version__ = "0.2.0"
