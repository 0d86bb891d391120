"""The web server around the dashboard: which requests it refuses before Streamlit sees them, and how it starts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import cli_util, config
from streamlit.web.server import server_util

FOREIGN_HOST = (
    "This server does not know the host name in your request. Whoever runs it can add the name to server.allowedHosts "
    "in .streamlit/config.toml.\n"
)
FOREIGN_ORIGIN = (
    "A page of another site sent this request, which this server does not answer. Whoever runs it behind a proxy that "
    "changes the Host header can set browser.serverAddress to the public host name in .streamlit/config.toml.\n"
)
POLICY_VIOLATION = 1008  # the code a websocket is closed with


class RequestGuard:
    """Refuses requests to unknown host names, and requests that pages of other sites send.

    A page whose name was rebound to this machine's address sends its own name as Host. Streamlit checks the Host of
    websockets only, and answers a foreign Origin by asking an outside machine for this server's public address.

    Parameters
    ----------
    app
        Whoever answers the requests that are not refused.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or refuse one request."""
        problem = _problem(Headers(scope=scope)) if scope["type"] in ("http", "websocket") else ""
        if not problem:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await PlainTextResponse(problem, status_code=403)(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": ""})


def _problem(headers: Headers) -> str:
    """Return why a request is refused, in a sentence for whoever runs the server; empty if it is not."""
    host, origin = headers.get("host", ""), headers.get("origin")
    if not _is_known(host):
        return FOREIGN_HOST
    if origin is not None and not _is_own(origin, host):
        return FOREIGN_ORIGIN
    return ""


def _is_known(host: str) -> bool:
    """Return whether server.allowedHosts lists the name in a Host header; '*.' before a name stands for any part."""
    name = _name(f"//{host}").rstrip(".")
    listed = [each.strip().lower().rstrip(".") for each in config.get_option("server.allowedHosts")]
    return bool(name) and any(
        name.endswith(each[1:]) if each.startswith("*.") else each in ("*", name) for each in listed
    )


def _is_own(origin: str, host: str) -> bool:
    """Return whether a page of this server sent a request: by its Host, or by the public name if that is set."""
    if origin.partition("://")[2] == host:
        return True
    public = config.get_option("browser.serverAddress") if config.is_manually_set("browser.serverAddress") else ""
    return bool(public) and _name(origin) == _name(public if "://" in public else f"//{public}")


def _name(url: str) -> str:
    """Return the host name of an address, without port, in small letters; empty if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


@asynccontextmanager
async def opened_in_browser(_app: st.App) -> AsyncIterator[None]:
    """Open the dashboard in a browser once the server listens, unless server.headless says otherwise."""
    if not config.get_option("server.headless"):
        named = next(filter(config.is_manually_set, ("browser.serverAddress", "server.address")), "")
        address = server_util.get_display_address(config.get_option(named) or "localhost") if named else "localhost"
        asyncio.get_running_loop().call_soon(cli_util.open_browser, server_util.get_url(address))
    yield
