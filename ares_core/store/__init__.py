"""Store: what must survive a restart. Audits and their documents, studies and every answer ever given."""

from ares_core.store.answers import Given
from ares_core.store.cost_sets import CostSet, CostSets
from ares_core.store.documents import Document, Documents
from ares_core.store.engine import default_url
from ares_core.store.store import Store
from ares_core.store.studies import Expert, Item, Studies, Study, new_expert

__all__ = [
    "CostSet",
    "CostSets",
    "Document",
    "Documents",
    "Expert",
    "Given",
    "Item",
    "Store",
    "Studies",
    "Study",
    "default_url",
    "new_expert",
]
