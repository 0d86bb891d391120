"""Addresses: what a link may say, and that nothing internal is spoken to unless the operator allows it."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from ares_core.errors import ModelError
from ares_core.models.endpoint import Address, Hosts
from ares_core.models.endpoint.address import is_internal
from ares_core.models.endpoint.secrets import headers_for
from tests.services import Reply, served

INTERNAL = (
    *("127.0.0.1", "127.255.0.3", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.7", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::"),
    *("fec0::1", "feff:ffff::1", "3fff::1", "3fff:fff:ffff::1", "192.0.0.8", "192.0.0.9", "168.63.129.16"),
    *("::ffff:168.63.129.16", "::ffff:192.0.0.8", "64:ff9b::a83f:8110", "2002:a83f:8110::", "::168.63.129.16"),
    *("2600::5efe:10.0.0.1", "2600::200:5efe:168.63.129.16", "192.88.99.1"),
)
PUBLIC = ("93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:8.8.8.8")
PUBLIC += ("168.63.129.15", "168.63.129.17", "192.0.1.0", "3ffe:ffff::1", "2600::5eff:a00:1")


@pytest.mark.parametrize("text", INTERNAL)
def test_internal_addresses_are_told(text: str) -> None:
    """Loopback, private, link-local, shared, multicast, reserved and addresses that carry another are internal."""
    assert is_internal(text)


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_are_told(text: str) -> None:
    """Addresses of single machines on the internet are not."""
    assert not is_internal(text)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://host/invocations", "does not begin with http"),
        ("file:///etc/passwd", "does not begin with http"),
        ("gopher://127.0.0.1:70/x", "does not begin with http"),
        ("/invocations", "does not begin with http"),
        ("https:///invocations", "does not begin with http"),
        ("https://me:word@host/invocations", "could be a secret"),
        ("https://me@host/invocations", "could be a secret"),
        ("https://host/invocations?key=1", "could be a secret"),
        ("https://host/invocations#key", "could be a secret"),
        ("https://host:99999/invocations", "cannot be read"),
        ("https://[::1/invocations", "cannot be read"),
        ("https://ho st/invocations", "holds blanks"),
        ("https://host/a\r\nX-Evil: 1/invocations", "holds blanks"),
        ("https://höst/invocations", "holds blanks or accents"),
        ("https://host/" + "a" * 600, "longer than 500"),
    ],
)
def test_an_address_says_where_and_no_more(url: str, words: str) -> None:
    """Other schemes, secrets in the link, and characters that could end a header are refused in a sentence."""
    with pytest.raises(ModelError, match=words) as caught:
        Address.parse(url)
    assert "word@" not in str(caught.value)


def test_an_address_is_read() -> None:
    """Host, port and path are found, and the usual port is left out when it is written."""
    assert Address.parse("https://Host.Example./v2/models/m") == Address("https", "host.example", 443, "/v2/models/m")
    assert str(Address.parse("http://[::1]:8080/invocations")) == "http://[::1]:8080/invocations"
    assert Address.parse("http://host:80/x").origin == "http://host"


def resolver(*addresses: str) -> Any:
    """Return what resolves every name to these addresses, and counts how often it was asked."""
    calls: list[str] = []

    def resolve(host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        calls.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return resolve, calls


@pytest.mark.parametrize("addresses", [("127.0.0.1",), ("93.184.216.34", "127.0.0.1"), ("169.254.169.254",)])
def test_a_name_that_leads_inside_is_refused(addresses: tuple[str, ...]) -> None:
    """It is the address that counts, not the name, and one internal address among several is enough."""
    resolve, _ = resolver(*addresses)
    address = Address.parse("http://models.example:8080/invocations")
    with pytest.raises(ModelError, match="internal address") as caught:
        Hosts(resolve=resolve).connect(address, 1.0)
    assert caught.value.hint.endswith("ARES_ALLOWED_HOSTS=models.example:8080.")


def test_the_checked_address_is_the_one_connected_to() -> None:
    """A name is resolved once; what it stands for a moment later does not matter."""
    with served(lambda asked: Reply()) as server:
        answers = iter([("127.0.0.1",), ("203.0.113.1",)])

        def rebinding(host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
            return resolver(*next(answers))[0](host, port)

        allowed = Hosts(frozenset({f"models.example:{server.port}"}), rebinding)
        with allowed.connect(Address.parse(f"http://models.example:{server.port}/x"), 5.0) as connection:
            assert connection.getpeername() == ("127.0.0.1", server.port)
        assert next(answers) == ("203.0.113.1",)


def test_only_listed_hosts_are_asked_once_there_is_a_list() -> None:
    """A listed host without a port means the usual ports; every other host is refused before it is resolved."""
    resolve, calls = resolver("127.0.0.1")
    hosts = Hosts(Hosts.of_server({"ARES_ALLOWED_HOSTS": "Models.Example, other.example:9000"}).allowed, resolve)
    for url in ("http://evil.example/x", "http://models.example:9000/x", "https://other.example/x"):
        with pytest.raises(ModelError, match="not among those that may be asked"):
            hosts.connect(Address.parse(url), 1.0)
    assert calls == []


def test_nothing_is_listed_by_default() -> None:
    """Without the variable no host is listed, so internal addresses are refused."""
    assert Hosts.of_server({}).allowed == frozenset()
    with pytest.raises(ModelError, match="internal address"):
        Hosts().connect(Address.parse("http://127.0.0.1:9/x"), 1.0)


def test_headers_go_to_their_service_and_nowhere_else() -> None:
    """Scheme, host and port must all be those the operator wrote."""
    variable = {"ARES_HEADERS": '{"https://models.example": {"Authorization": "Bearer s3cret"}}'}
    headers = {"Authorization": "Bearer s3cret"}
    assert headers_for(Address.parse("https://models.example/invocations"), variable) == headers
    for url in ("http://models.example/x", "https://models.example:8443/x", "https://models.example.evil/x"):
        assert headers_for(Address.parse(url), variable) == {}
    assert headers_for(Address.parse("https://models.example/x"), {}) == {}


@pytest.mark.parametrize(
    "text",
    [
        "s3cret",
        '["s3cret"]',
        '{"https://host": "s3cret"}',
        '{"https://host": {"X": ["s3cret"]}}',
        '{"https://host": {"X": "s3cret\\r\\nY: 1"}}',
        '{"https://host": {"Content-Length": "s3cret"}}',
        '{"https://host": {"a b": "s3cret"}}',
    ],
)
def test_headers_that_cannot_be_used_are_never_repeated(text: str) -> None:
    """A variable that is not what it should be is told without a word of what it holds."""
    with pytest.raises(ModelError, match="ARES_HEADERS") as caught:
        headers_for(Address.parse("https://host/x"), {"ARES_HEADERS": text})
    assert "s3cret" not in f"{caught.value} {caught.value.hint}"
