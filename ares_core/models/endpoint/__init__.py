"""Endpoint: a model behind an address, spoken to as MLflow or Open Inference (KServe V2) servers want."""

from ares_core.models.endpoint.address import Address, Hosts
from ares_core.models.endpoint.client import Patience
from ares_core.models.endpoint.description import Description, parse_description
from ares_core.models.endpoint.service import USUAL_BUDGET, Service, open_service

__all__ = [
    "USUAL_BUDGET",
    "Address",
    "Description",
    "Hosts",
    "Patience",
    "Service",
    "open_service",
    "parse_description",
]
