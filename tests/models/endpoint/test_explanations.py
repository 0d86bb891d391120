"""Explanations of services: what a service says when it refuses is shown, and no key that it was sent."""

from __future__ import annotations

import base64
import json

import pytest

from ares_core.errors import ModelError
from ares_core.models.endpoint.explanation import explanation
from tests.models.endpoint.loans import PEOPLE
from tests.services import Asked, Reply, served

KEY = "q7Zr-41xx-LmNo-pQ9s"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"error_code": "BAD_REQUEST", "message": "Failed to convert column l."}, "Failed to convert column l"),
        ({"error": "Model loans not found"}, "Model loans not found"),
        ({"error": {"code": 3, "message": "no such column"}}, "no such column"),
        ({"detail": [{"loc": ["body"], "msg": "Field required"}]}, "Field required"),
        (b"plain words", "plain words"),
        ({"message": "two\nlines\u202e and\x00 controls"}, "two lines and controls"),
        ({"message": "x" * 250 + "y" * 250}, "x" * 60 + "…" + "y" * 139),
        ({"message": "<script>alert(1)</script>"}, "<script>alert(1)</script>"),
    ],
)
def test_a_refusal_is_explained(content: object, said: str) -> None:
    """The service's own words follow the status: on one line, and not too long."""
    with served(lambda asked: Reply(content, 400)) as server, pytest.raises(ModelError) as caught:
        server.opened().answer(PEOPLE, "label")
    assert str(caught.value) == f"The service at {server.origin} refused the question with status 400: {said}."


@pytest.mark.parametrize(
    "content",
    [b"", b"<html>Sign in</html>", b"{broken", b"[" * 50_000, b"[]", b'{"a": 1}', b'{"message": 3}', b"\xff\xfe"],
)
def test_what_is_no_explanation_is_left_out(content: bytes) -> None:
    """Web pages, damaged JSON and numbers explain nothing."""
    assert "\x00" not in explanation(content, {})
    assert len(explanation(content, {})) <= 2


ECHOES = {
    "whole": f"bad header Bearer {KEY}",
    "token": f"token {KEY} is unknown",
    "in capitals": f"token {KEY.upper()} is unknown",
    "a piece": f"token …{KEY[5:14]} is unknown",
    "in base64": "sent " + base64.b64encode(KEY.encode()).decode(),
    "twice": f"{KEY}{KEY}",
    "cut by the limit": "x" * 190 + KEY,
}


@pytest.mark.parametrize("name", ECHOES)
@pytest.mark.parametrize("status", [400, 401, 404, 422])
def test_no_key_is_shown(name: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that repeats a key it was sent, whole or in part, does not get it onto a page."""
    with served(lambda asked: Reply({"message": ECHOES[name]}, status)) as server:
        monkeypatch.setenv("ARES_HEADERS", json.dumps({server.origin: {"Authorization": f"Bearer {KEY}"}}))
        with pytest.raises(ModelError) as caught:
            server.opened().answer(PEOPLE, "label")
        assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    shown = f"{caught.value} {caught.value.hint}".casefold()
    pieces = {KEY[begin : begin + 6].casefold() for begin in range(len(KEY) - 5)}
    encoded = base64.b64encode(KEY.encode()).decode().casefold()
    assert not [piece for piece in (*pieces, encoded[:8]) if piece in shown]
    assert status == 401 or "[hid" in shown


def test_a_password_is_not_shown_decoded() -> None:
    """A name and password that were sent in base64 are hidden in clear too, and so is a short key."""
    basic = base64.b64encode(b"clerk:opensesame").decode()
    assert explanation(b"no user clerk with opensesame", {"Authorization": f"Basic {basic}"}) == (
        "no user [hidden] with [hidden]"
    )
    assert explanation(b"key k1 is unknown", {"X-Key": "k1"}) == "key [hidden] is unknown"


def test_an_echo_of_all_headers_hides_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply that holds everything that was sent shows nothing of the key."""

    def reply(asked: Asked) -> Reply:
        return Reply(json.dumps({"message": str(dict(asked.headers))}).encode(), 400)

    with served(reply) as server:
        monkeypatch.setenv("ARES_HEADERS", json.dumps({server.origin: {"X-Key": "s3cret"}}))
        with pytest.raises(ModelError, match="with status 400: ") as caught:
            server.opened().answer(PEOPLE, "label")
    assert "s3cret" not in f"{caught.value}{caught.value.hint}"
