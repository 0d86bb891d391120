"""What a hostile model does when it is asked: the sources of these modules travel in a pickle, and run in the sandbox.

There they share one namespace and can import nothing of each other. Each act takes the rows it was asked about and the
path or address it is after. What gets through is returned as the label "got out"; a lock shows as an error, or as
labels that say nothing.
"""

from tests.models.hostile.acts import answering, model, reaching, taking

MODULES = (model, reaching, taking, answering)
