"""A visitor without a browser: speaks Streamlit's protocol over a plain websocket, with any headers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_connection
from typing import Any
from urllib.parse import parse_qs

import requests
from google.protobuf.text_format import MessageToString
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

from tests.patience import PATIENCE

ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)
STREAM, HEALTH = "/_stcore/stream", "/_stcore/health"


class WebsocketVisitor:
    """One session on a server, as its own browser would hold it.

    Parameters
    ----------
    url
        Of the server: http://host:port.
    page
        The page to run, as the address names it; empty for the first one.
    socket
        An open connection.

    Attributes
    ----------
    address
        Parameters of the page's address, as the server last set them.
    """

    def __init__(self, url: str, page: str, socket: ClientConnection) -> None:
        self.url, self.page, self.address = url, page, dict[str, list[str]]()
        self._socket = socket
        self._elements: list[Any] = []
        self._uploads: FileURLs | None = None
        self._session = ""

    @property
    def text(self) -> str:
        """Everything the last run showed, as protocol text without escapes and invisible joiners."""
        shown = "\n".join(MessageToString(element, as_utf8=True) for element in self._elements)
        return shown.replace("\u2060", "").replace("\\", "")

    def send(self, message: BackMsg) -> None:
        """Send one message."""
        self._socket.send(message.SerializeToString())

    def run(self, query: str = "", *states: WidgetState) -> None:
        """Run the page with changed widgets, and wait until that run is over."""
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = self.page
        message.rerun_script.widget_states.widgets.extend(states)
        self._elements = []
        self.send(message)
        while self._take() not in ENDED:
            pass

    def press(self, key: str) -> None:
        """Press the button with this key, and wait for the run that follows."""
        self.run(self._query(), WidgetState(id=self._widget("button", key).id, trigger_value=True))

    def upload(self, name: str, content: bytes) -> None:
        """Give a file to the page's first uploader, and wait for the run that follows."""
        uploader = self._widget("file_uploader", "")
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        self.send(message)
        while self._uploads is None:
            self._take()
        urls = self._uploads.file_urls[0]
        with requests.Session() as http:
            http.trust_env = False
            http.get(self.url + HEALTH, timeout=PATIENCE)
            token = {"X-Xsrftoken": http.cookies["_streamlit_xsrf"]}
            sent = http.put(
                f"{self.url}/{urls.upload_url.lstrip('/')}",
                files={"file": (name, content)},
                headers=token,
                timeout=PATIENCE,
            )
        assert sent.ok, sent.text
        state = WidgetState(id=uploader.id)
        info = UploadedFileInfo(file_id=urls.file_id, name=name, size=len(content), file_urls=urls)
        state.file_uploader_state_value.uploaded_file_info.append(info)
        self.run(self._query(), state)

    def clear_caches(self) -> None:
        """Send the message behind Streamlit's "Clear cache", and wait until it was handled."""
        self.send(BackMsg(clear_cache=True))
        self.run()

    def _query(self) -> str:
        return "&".join(f"{name}={value}" for name, values in self.address.items() for value in values)

    def _widget(self, kind: str, key: str) -> Any:
        found = [getattr(each, kind) for each in self._elements if each.WhichOneof("type") == kind]
        return next(each for each in found if each.id.endswith(f"-{key}") or not key)

    def _take(self) -> int | None:
        """Take one message in; return how a run of the whole page ended, if it says so."""
        payload = self._socket.recv(timeout=PATIENCE)
        assert isinstance(payload, bytes)
        message = ForwardMsg.FromString(payload)
        match message.WhichOneof("type"):
            case "new_session":
                self._session = message.new_session.initialize.session_id or self._session
            case "delta" if message.delta.WhichOneof("type") == "new_element":
                self._elements.append(message.delta.new_element)
            case "page_info_changed":
                self.address = parse_qs(message.page_info_changed.query_string)
            case "file_urls_response":
                self._uploads = message.file_urls_response
            case "script_finished":
                return message.script_finished
        return None


@contextmanager
def visit(url: str, page: str = "", **headers: str) -> Iterator[WebsocketVisitor]:
    """Open a page of a server; `headers` are sent when the connection opens, such as `Origin`, or another `Host`."""
    here = url.removeprefix("http://")
    name, _, port = here.partition(":")
    with connect(
        f"ws://{headers.pop('Host', here)}{STREAM}",
        sock=create_connection((name, int(port)), PATIENCE),
        additional_headers=headers,
        subprotocols=["streamlit"],  # type: ignore[list-item]
        proxy=None,
        open_timeout=PATIENCE,
        max_size=None,
    ) as socket:
        yield WebsocketVisitor(url, page, socket)
