"""Addresses of model services: what a link may say, and which hosts and addresses may be spoken to."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from ares_core.errors import ModelError
from ares_core.people.names import quote

VARIABLE = "ARES_ALLOWED_HOSTS"
USUAL_PORTS = {"http": 80, "https": 443}
LONGEST = 500
HINT = "Write it as https://host/…/invocations or https://host/v2/models/NAME."
# Addresses that carry another one inside, which a gateway may unpack and deliver at home.
CARRIERS = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))
ISATAP = 0x5EFE  # bits 32 to 47 of an address that carries an IPv4 address in its last 32 bits
# Ranges that Python's `ipaddress` calls public, though none of them is a public machine.
NOT_PUBLIC = tuple(
    map(
        ip_network,
        (
            "fec0::/10",  # site-local, the private range of early IPv6
            "3fff::/20",  # documentation
            "192.0.0.0/24",  # protocol assignments, such as the dummy address and the nearest gateway's anycast
            "192.88.99.0/24",  # 6to4 relays
            "168.63.129.16/32",  # the host of every machine on Azure
        ),
    )
)

Resolve = Callable[..., list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Address:
    """Where a service is: scheme, host, port and path."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def parse(cls, url: str) -> Address:
        """Read an address.

        Raises
        ------
        ModelError
            If it is none, or says more than where the service is: names, passwords and keys belong to the server.
        """
        shown = f"The address {quote(url, 60)}"
        if len(url) > LONGEST or not url.isascii() or any(letter.isspace() or letter < " " for letter in url):
            raise ModelError(f"{shown} is longer than {LONGEST} characters or holds blanks or accents.", HINT)
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise ModelError(f"{shown} cannot be read: {error}.", HINT) from error
        if parts.scheme not in USUAL_PORTS or not host:
            raise ModelError(f"{shown} does not begin with http:// or https:// and a host.", HINT)
        if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
            raise ModelError(
                "The address holds a name, a password, a question mark or a '#', which could be a secret.",
                "Give only host and path; whoever runs this server adds keys as headers.",
            )
        return cls(parts.scheme, host.rstrip("."), port or USUAL_PORTS[parts.scheme], parts.path)

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port left out where it is the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == USUAL_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    def __str__(self) -> str:
        return self.origin + self.path


@dataclass(frozen=True, slots=True)
class Hosts:
    """Which hosts may be asked.

    Parameters
    ----------
    allowed
        Hosts as 'host' (on the usual ports) or 'host:port', and no others, internal ones included; where nothing is
        listed, every host whose addresses are public.
    resolve
        Turns a host and a port into addresses, as `socket.getaddrinfo` does.
    """

    allowed: frozenset[str] = frozenset()
    resolve: Resolve = socket.getaddrinfo

    @classmethod
    def of_server(cls, environment: Mapping[str, str] = os.environ) -> Hosts:
        """Return what whoever runs this server allows."""
        words = environment.get(VARIABLE, "").replace(",", " ").split()
        return cls(frozenset(word.casefold().rstrip(".") for word in words))

    def connect(self, address: Address, seconds: float) -> socket.socket:
        """Connect to a service.

        The host is resolved once, and the very addresses that were checked are connected to, so that a name that
        stands for another address a moment later leads nowhere else.

        Raises
        ------
        ModelError
            If the host is not allowed, or one of its addresses is internal and the host is not listed.
        OSError
            If nobody can be reached there.
        """
        listed = self._listed(address)
        if self.allowed and not listed:
            raise ModelError(
                f"The host {quote(address.host)} is not among those that may be asked on port {address.port}.",
                f"Whoever runs this server can add it to {VARIABLE}.",
            )
        found = self.resolve(address.host, address.port, type=socket.SOCK_STREAM)
        places = list(dict.fromkeys((family, place) for family, _, _, _, place in found))
        if not listed and any(is_internal(place[0]) for _, place in places):
            raise ModelError(
                f"The host {quote(address.host)} is an internal address, which is not asked unless it is allowed.",
                f"Whoever runs this server can allow it: {VARIABLE}={address.host}:{address.port}.",
            )
        return _first_open(places, seconds)

    def _listed(self, address: Address) -> bool:
        host = address.host.casefold()
        usual = address.port in USUAL_PORTS.values()
        return f"{host}:{address.port}" in self.allowed or (usual and host in self.allowed)


def is_internal(text: str) -> bool:
    """Say whether an address is anything but a public one of a single machine."""
    found: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if isinstance(found, IPv6Address) and _carries_another(found):
        return True
    if any(found in network for network in NOT_PUBLIC):
        return True
    return not found.is_global or found.is_multicast or found.is_reserved or found.is_unspecified


def _carries_another(address: IPv6Address) -> bool:
    """Return whether an address holds an IPv4 address that a gateway may unpack."""
    is_isatap = int(address) >> 32 & 0xFDFF_FFFF == ISATAP  # either value of the bit that says "unique worldwide"
    return is_isatap or any(address in network for network in CARRIERS)


def _first_open(places: list[tuple[Any, Any]], seconds: float) -> socket.socket:
    problem = OSError("the name stands for no address")
    for family, place in places:
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(seconds)
            connection.connect(place)
        except OSError as error:
            connection.close()
            problem = error
        except BaseException:  # the visitor stopped waiting
            connection.close()
            raise
        else:
            return connection
    raise problem
