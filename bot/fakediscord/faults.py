"""Faults of REST calls: refusals, latency, cut connections, lost answers."""

import asyncio
import contextlib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ParamSpec

from aiohttp import web

from bot.fakediscord.rate_limits import TOO_OLD, too_many
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import ApiError

P = ParamSpec("P")

CUT, CLIENT_GONE = 599, 499
"""Statuses that no client sees: they stand in the log of calls."""
UPSTREAM = 500
"""From here on, statuses are answered by something in front of Discord."""
LOOK = 0.02
"""Seconds between two looks whether the client of a held call is still there."""


def cut(request: web.BaseRequest) -> None:
    """Cut the TCP connection of a request, unless it is gone already."""
    if request.transport is not None:
        request.transport.abort()


def client_gone() -> ApiError:
    return ApiError(status=CLIENT_GONE, message=f"{CLIENT_GONE}: Client Closed Request")


@dataclass(eq=False)
class Fault:
    """One rule. `when='after'` applies the request first and then spoils the answer.

    `route`: a pattern that is searched for in "METHOD /path". `drop` cuts the TCP connection
    instead of answering. `retry_after` makes it a 429. `skip`: matching requests that pass
    unharmed first; `times`: those that are harmed then (None: all), each with `probability`.

    `hold` keeps a matching request waiting until the event is set: before the request is applied,
    or with `when='after'` between that and the answer. `reached` tells that one is being held.
    If the client goes away meanwhile, a request held before it was applied is dropped. One that
    `outlives` its client is applied after its `latency` all the same.
    """

    route: str = ".*"
    status: int | None = None
    code: int = 0
    message: str | None = None
    body: Json | str | None = None
    latency: float | Callable[[], float] = 0.0
    drop: bool = False
    retry_after: float | None = None
    scope: str = "user"
    times: int | None = None
    skip: int = 0
    probability: float = 1.0
    when: str = "before"
    outlives: bool = False
    hold: asyncio.Event | None = None
    chance: random.Random = field(default_factory=random.Random)
    hits: int = 0
    reached: asyncio.Event = field(init=False, default_factory=asyncio.Event)

    def matches(self, call: str) -> bool:
        """Return whether this call is harmed, and count it. `call`: "METHOD /path"."""
        if (
            (self.times is not None and self.hits >= self.times)
            or not re.search(self.route, call)
            or self.chance.random() >= self.probability
        ):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.hits += 1
        return True

    def error(self) -> ApiError | None:
        """Return the refusal that this fault answers with, if it does."""
        if self.retry_after is not None or self.code == TOO_OLD:
            return too_many(self.retry_after or 0.0, self.scope, code=self.code)
        if self.status is None and not self.code:
            return None
        if self.status and self.status >= UPSTREAM and self.body is None:
            return ApiError(status=self.status, body="<html>upstream error</html>")
        return ApiError(self.code, self.status, self.message, body=self.body)


class Faults:
    """The rules that spoil calls. `happened` is called when a call begins to be held."""

    def __init__(self, happened: Callable[[], None]) -> None:
        self.rules: list[Fault] = []
        self.held: list[web.BaseRequest] = []
        self._happened = happened

    async def before(self, request: web.BaseRequest) -> list[Fault]:
        """Play what comes before a request is applied. Return what spoils its answer."""
        spoilers = []
        for fault in self.rules:
            if not fault.matches(f"{request.method} {request.path}"):
                continue
            if fault.outlives:
                await request.read()  # a client that goes takes the rest of its body with it
            if fault.latency:
                await asyncio.sleep(fault.latency() if callable(fault.latency) else fault.latency)
            if fault.when == "after":
                spoilers.append(fault)
                continue
            if not await self._released(fault, request):
                raise client_gone()
            if fault.drop:
                cut(request)
                raise ApiError(status=CUT)
            if (error := fault.error()) is not None:
                raise error
        return spoilers

    async def after(self, request: web.BaseRequest, spoilers: list[Fault]) -> None:
        """Spoil the answer. The last rule decides."""
        for fault in spoilers:
            await self._released(fault, request)
        if spoilers:
            if spoilers[-1].drop:
                cut(request)
            elif (error := spoilers[-1].error()) is not None:
                raise error

    async def _released(self, fault: Fault, request: web.BaseRequest) -> bool:
        """Wait for the rule's event, if it has one. False if the client has gone meanwhile."""
        if fault.hold is None:
            return True
        fault.reached.set()
        self.held.append(request)
        self._happened()
        try:
            while not fault.hold.is_set() and request.transport is not None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK):
                        await fault.hold.wait()
        finally:
            self.held.remove(request)
        return request.transport is not None


def adding(make: Callable[P, Fault], rules: list[Fault]) -> Callable[P, Fault]:
    """Return a function that makes a rule and puts it in force."""

    def add(*args: P.args, **options: P.kwargs) -> Fault:
        fault = make(*args, **options)
        rules.append(fault)
        return fault

    return add
