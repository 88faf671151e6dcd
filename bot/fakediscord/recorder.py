"""A record of every REST call and every event, as lines of JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import orjson

from bot.fakediscord.types import Json

AUTHORIZATION = "Authorization"
SECRET = "***"  # noqa: S105 what stands in place of one


@dataclass(frozen=True, slots=True)
class Exchange:
    """A REST call and its answer. `parts`: those of a multipart body beside its JSON.

    `response`: JSON, or text where the answer is something else.
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    json: object
    parts: Sequence[Json]
    status: int
    response: object


class Recorder:
    """A record with one line for each call when it is answered, and for each event when it is sent.

    `scene` is written with the calls: free text that says what is going on. A bot's token is not
    written, only that there was one.
    """

    def __init__(self, path: Path | None) -> None:
        self.scene = ""
        self._path = path
        self._file: BinaryIO | None = None

    def open(self) -> None:
        """Begin a new file, if there is a path."""
        if self._path is not None:
            self._file = self._path.open("wb")

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def on(self) -> bool:
        return self._file is not None

    def exchange(self, call: Exchange) -> None:
        headers = {str(name): value for name, value in call.headers.items()}
        if AUTHORIZATION in headers:
            kind, _, _ = headers[AUTHORIZATION].partition(" ")
            headers[AUTHORIZATION] = f"{kind} {SECRET}"
        self._write(
            {
                "k": "rest",
                "method": call.method,
                "path": call.path,
                "query": dict(call.query),
                "headers": headers,
                "json": call.json,
                "parts": call.parts,
                "status": call.status,
                "resp": call.response,
                "scene": self.scene,
            }
        )

    def event(self, name: str, data: bytes) -> None:
        """Record a gateway event. `data`: JSON as it goes over the socket."""
        self._write({"k": "gw", "t_event": name, "d": orjson.Fragment(data)})

    def _write(self, line: Json) -> None:
        if self._file is not None:
            self._file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
