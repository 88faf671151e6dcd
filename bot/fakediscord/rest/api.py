"""From an HTTP request to its answer: faults, rate limits, handlers, errors."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate

import orjson
from aiohttp import web

from bot.fakediscord.faults import Faults
from bot.fakediscord.gateway.gateway import Gateway
from bot.fakediscord.model.ids import age_of
from bot.fakediscord.rate_limits import A_MINUTE, OLD, OLD_EDITS_IN, TOO_OLD, Limiter, too_many
from bot.fakediscord.recorder import AUTHORIZATION, Exchange, Recorder
from bot.fakediscord.rest import (
    application,
    callbacks,
    channel_messages,
    channels,
    commands,
    guilds,
    reactions,
    webhooks,
)
from bot.fakediscord.rest.call import Answer, Call, Handler, Routes
from bot.fakediscord.rest.messages import Messages
from bot.fakediscord.rest.requests.routing import Request, Route, parse, read
from bot.fakediscord.rest.requests.traffic import Called, Traffic
from bot.fakediscord.validation.errors import INVALID_FORM, ApiError
from bot.fakediscord.world import World

log = logging.getLogger("fakediscord")

ROUTES: Routes = {
    **application.ROUTES,
    **callbacks.ROUTES,
    **channel_messages.ROUTES,
    **channels.ROUTES,
    **commands.ROUTES,
    **guilds.ROUTES,
    **reactions.ROUTES,
    **webhooks.ROUTES,
}
OK, CREATED, NO_CONTENT = 200, 201, 204
CREATING = {
    "POST /applications/#/commands",
    "POST /applications/#/emojis",
    "POST /applications/#/guilds/#/commands",
    "POST /channels/#/messages/#/threads",
    "POST /channels/#/threads",
}
"""Routes whose success is a 201."""
OLD_EDIT, WEBHOOK_CALL = "edits of old messages", "calls with tokens"
BOT = "Bot "
"""Precedes the token in an Authorization header."""


@dataclass(slots=True)
class Handling:
    """One call while it is worked on. `headers`: those of rate limits."""

    http: web.BaseRequest
    route: Route
    read: Request | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. `body`: JSON, text in place of it, or nothing. `code`: Discord's, or 0."""

    status: int
    body: object
    headers: Mapping[str, str]
    code: int = 0

    def response(self) -> web.Response:
        if self.body is None:
            return web.Response(status=self.status, headers=self.headers)
        is_text = isinstance(self.body, str)
        content = self.body.encode() if isinstance(self.body, str) else orjson.dumps(self.body)
        kind = "text/html" if is_text else "application/json"
        return web.Response(
            status=self.status, body=content, headers=self.headers, content_type=kind
        )


class RestApi:
    """The REST API. `messages` may be replaced by something stricter."""

    def __init__(self, world: World, gateway: Gateway, recorder: Recorder) -> None:
        self.limiter = Limiter()
        self.faults = Faults(world.changes.happened)
        self.traffic = Traffic(world.settings)
        self.messages = Messages(world)
        self._world, self._gateway, self._recorder = world, gateway, recorder

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Answer one call, and wake all that wait for a change."""
        began, rtt = time.perf_counter(), self._world.settings.rtt
        half = (rtt() if callable(rtt) else rtt) / 2
        handling = Handling(request, parse(request.method, request.path))
        self.traffic.inflight += 1
        try:
            if half:
                await asyncio.sleep(half)
            reply = await self._reply(handling)
        finally:
            self.traffic.inflight -= 1
        response = reply.response()
        skew = self._world.settings.clock_skew
        response.headers["Date"] = formatdate(time.time() + skew, usegmt=True)
        if half:
            await asyncio.sleep(half)
        now = time.perf_counter()
        called = Called(now, request.method, request.path, reply.status, now - began)
        self.traffic.count(handling.route.template, reply.code, called)
        if self._recorder.on:
            await self._record(handling, reply)
        self._world.changes.happened()
        return response

    async def _reply(self, handling: Handling) -> Reply:
        """Handle a call; refusals and faults become replies."""
        try:
            body = await self._answer(handling)
        except ApiError as error:
            code = error.body.get("code", 0) if isinstance(error.body, dict) else 0
            headers = {**handling.headers, **error.headers}
            return Reply(error.status, error.body, headers, code)
        made = handling.route.template in CREATING
        status = NO_CONTENT if body is None else CREATED if made else OK
        return Reply(status, body, handling.headers)

    async def _answer(self, handling: Handling) -> Answer:
        http, route = handling.http, handling.route
        spoilers = await self.faults.before(http)
        handler = self._handler(http, route)
        if not route.by_token:
            self._authorize(http)
        self._limit_channel(route)
        handling.headers = self.limiter.check(
            route.template, route.major, interaction=route.by_token
        )
        handling.read = await read(http)
        body = self._handle(handler, route, handling.read)
        await self.faults.after(http, spoilers)
        return body

    def _limit_channel(self, route: Route) -> None:
        """Apply the limits that a whole channel has. ApiError if the call is one too many."""
        settings = self._world.settings
        if "/webhooks/" in route.template and settings.webhook_calls is not None:
            interaction = self._world.tokens.get(route.arguments[1])
            if interaction is not None:
                most, channel = settings.webhook_calls, interaction.channel.id
                check = self.limiter.check_channel
                fixed = settings.webhook_minutes
                if left := check(WEBHOOK_CALL, channel, most, A_MINUTE, fixed=fixed):
                    raise too_many(left, "shared")
        if route.template == "PATCH /channels/#/messages/#" and settings.old_edits is not None:
            channel, message = map(int, route.arguments)
            if age_of(message) > OLD:
                most = settings.old_edits
                if left := self.limiter.check_channel(OLD_EDIT, channel, most, OLD_EDITS_IN):
                    raise too_many(left, code=TOO_OLD)

    def _handler(self, http: web.BaseRequest, route: Route) -> Handler:
        if route.template not in ROUTES:
            self.traffic.unknown[route.template] += 1
            log.error("UNKNOWN ROUTE %s %s", http.method, http.path_qs)
            raise ApiError(status=404, message="404: Not Found")
        return ROUTES[route.template]

    def _authorize(self, http: web.BaseRequest) -> None:
        given = http.headers.get(AUTHORIZATION, "")
        if not given.startswith(BOT) or not self._world.token_ok(given.removeprefix(BOT)):
            raise ApiError(status=401, message="401: Unauthorized")

    def _handle(self, handler: Handler, route: Route, request: Request) -> Answer:
        """Run the handler. What it cannot make sense of is an invalid form, and a crash to see."""
        call = Call(self._world, self._gateway, self.messages, request)
        try:
            return handler(call, *route.arguments)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            log.exception("cannot handle %s body=%r", route.template, request.json)
            self.traffic.crashes.append(f"{route.template}: {error!r}")
            raise ApiError(INVALID_FORM) from error

    async def _record(self, handling: Handling, reply: Reply) -> None:
        """Write the call down. Where it was refused unread, its body is read now."""
        http, request = handling.http, handling.read
        if request is None:
            request = Request(http.method, query=dict(http.query))
            with contextlib.suppress(ApiError):
                request = await read(http)
        self._recorder.exchange(
            Exchange(
                http.method,
                http.path,
                request.query,
                http.headers,
                request.json,
                request.parts,
                reply.status,
                reply.body,
            )
        )
