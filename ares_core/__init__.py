"""AReS Audit: vet a model's recourse before it is deployed.

The rooms, in the order data walks through them: `people`, `models`, `costs`, `recourse`, `audit`. Beside them are
`datasets`, the demonstrations, `store`, what survives a restart, and `worker`, the process that audits for a page.
"""

__version__ = "0.2.0"
