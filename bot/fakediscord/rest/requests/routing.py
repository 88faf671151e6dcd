"""Requests, and the routes that they are for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson
from aiohttp import web
from aiohttp.multipart import BodyPartReader

from bot.fakediscord.faults import client_gone
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import ApiError

INVALID_JSON = 50109
TOKEN_ROUTES = ("webhooks", "interactions")
"""First parts of paths that hold an interaction's token instead of needing a bot's."""
TOKEN_AT = 2
"""Place of the token in them."""


class Route(NamedTuple):
    """The route of a call.

    `template`: the path with # for each id and * for a token or an emoji; `arguments`: those, in
    order; `major`: what rate limits tell windows apart by.
    """

    template: str
    arguments: tuple[str, ...]
    major: str

    @property
    def by_token(self) -> bool:
        """True if an interaction's token authorizes the call."""
        return "*" in self.template and "reactions" not in self.template


class File(NamedTuple):
    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """A call's body. `files` by their numbers; `parts` describe them for a record."""

    method: str
    json: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, File] = field(default_factory=dict)
    parts: tuple[Json, ...] = ()


def parse(method: str, path: str) -> Route:
    """Find the route of a path such as /api/v10/channels/1."""
    parts = path.split("/")[2:]  # without "" and "api"
    if parts and re.fullmatch(r"v\d+", parts[0]):
        del parts[0]
    tokened = bool(parts) and parts[0] in TOKEN_ROUTES
    arguments, template = [], []
    for index, part in enumerate(parts):
        after_reactions = index > 0 and parts[index - 1] == "reactions"
        if part.isdigit():
            arguments.append(part)
            template.append("#")
        elif after_reactions or (tokened and index == TOKEN_AT):
            arguments.append(part)
            template.append("*")
        else:
            template.append(part)
    major = "/".join(parts[1:3]) if tokened else "".join(arguments[:1])
    return Route(f"{method} /{'/'.join(template)}", tuple(arguments), major)


async def read(request: web.BaseRequest) -> Request:
    """Read a call's body. ApiError if it is no JSON, or if its client goes in the middle of it."""
    query = dict(request.query)
    try:
        if request.content_type == "multipart/form-data":
            return await _read_parts(request, query)
        body = await request.read()
    except ConnectionResetError as error:
        raise client_gone() from error
    return Request(request.method, _json(body) if body else None, query)


async def _read_parts(request: web.BaseRequest, query: Mapping[str, str]) -> Request:
    json: object = None
    files: dict[str, File] = {}
    parts: list[Json] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        content = bytes(await part.read())
        if part.name == "payload_json":
            json = _json(content)
            continue
        number = re.search(r"\d+", part.name or "")
        key = number.group() if number else str(len(files))
        files[key] = File(part.filename or "file", content)
        described = {"name": part.name, "filename": part.filename}
        headers = {str(name): value for name, value in part.headers.items()}
        parts.append({**described, "headers": headers, "size": len(content)})
    return Request(request.method, json, query, files, tuple(parts))


def _json(content: bytes) -> object:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        message = "The request body contains invalid JSON."
        raise ApiError(INVALID_JSON, 400, message) from error
