"""Rate limits (fixed windows, as Discord's headers describe them) and fault rules."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.fakediscord.validate import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

WEBHOOK = "webhook"
# Route template -> (requests, seconds); the window is per channel, guild or webhook token.
DEFAULT = {
    "POST /channels/#/messages": (5, 5.0),
    "PATCH /channels/#/messages/#": (5, 5.0),
    "DELETE /channels/#/messages/#": (5, 1.0),
    "PUT /channels/#/messages/#/reactions/*/@me": (1, 0.25),
    WEBHOOK: (5, 2.0),
}


class Limiter:
    def __init__(self) -> None:
        self.enabled, self.global_enabled = True, True
        self.rules = dict(DEFAULT)
        self.global_limit = 50
        self.windows: dict[tuple, list] = {}
        self.global_window = [0.0, 0]
        self.hits: deque[tuple] = deque(maxlen=10_000)  # (time, template, major, scope)
        self.count: Counter = Counter()

    def check(self, template: str, major: str, bot_auth: bool, interaction: bool) -> dict | None:
        """Headers for the response, or raise 429."""
        if not self.enabled:
            return None
        now = time.time()
        if bot_auth and not interaction and self.global_enabled:
            w = self.global_window
            if now >= w[0]:
                w[0], w[1] = now + 1.0, 0
            w[1] += 1
            if w[1] > self.global_limit:
                self.hit(template, major, "global")
                raise too_many(w[0] - now, "global")
        key = WEBHOOK if interaction and not template.endswith("/callback") else template
        rule = self.rules.get(key)
        if rule is None:
            return None
        limit, per = rule
        w = self.windows.get((key, major))
        if w is None or now >= w[0]:
            if len(self.windows) > 50_000:
                self.windows = {k: v for k, v in self.windows.items() if v[0] > now}
            w = self.windows[key, major] = [now + per, 0]
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Reset": f"{w[0]:.3f}",
            "X-RateLimit-Reset-After": f"{w[0] - now:.3f}",
            "X-RateLimit-Bucket": f"{abs(hash(key)):016x}",
            "X-RateLimit-Remaining": str(max(0, limit - w[1] - 1)),
        }
        if w[1] >= limit:
            self.hit(template, major, "user")
            raise too_many(w[0] - now, "user", headers)
        w[1] += 1
        return headers

    def hit(self, template: str, major: str, scope: str) -> None:
        self.hits.append((time.perf_counter(), template, major, scope))
        self.count[template, scope] += 1

    @property
    def total(self) -> int:
        return sum(self.count.values())


def too_many(after: float, scope: str = "user", headers: dict | None = None) -> ApiError:
    after = max(0.001, round(after, 3))
    h = {
        **(headers or {}),
        "Retry-After": str(int(after) + 1),
        "X-RateLimit-Scope": scope,
        "Via": "1.1 fakediscord",
    }
    if scope == "global":
        h["X-RateLimit-Global"] = "true"
    return ApiError(
        status=429,
        headers=h,
        body={
            "message": "You are being rate limited.",
            "retry_after": after,
            "global": scope == "global",
        },
    )


@dataclass(eq=False)
class Fault:
    """One rule. `when='after'` applies the request first and then spoils the answer.

    `hold` keeps a matching request waiting until the event is set: before the request is applied,
    or with `when='after'` between that and the answer. `reached` tells that one is being held.
    If the client goes away meanwhile, a request held before it was applied is dropped.
    """

    route: str = ".*"  # regex searched in "METHOD /path"
    status: int | None = None
    code: int = 0
    message: str | None = None
    body: Any = None
    latency: float | Callable[[], float] = 0.0
    drop: bool = False  # cut the TCP connection instead of answering
    retry_after: float | None = None  # makes it a 429
    scope: str = "user"
    times: int | None = None
    skip: int = 0  # matching requests that pass unharmed first
    probability: float = 1.0
    when: str = "before"
    hold: asyncio.Event | None = None
    chance: random.Random = field(default_factory=random.Random)
    hits: int = 0
    reached: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _re: Any = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._re = re.compile(self.route)

    def matches(self, what: str) -> bool:
        if (
            (self.times is not None and self.hits >= self.times)
            or not self._re.search(what)
            or self.chance.random() >= self.probability
        ):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.hits += 1
        return True

    def error(self) -> ApiError | None:
        if self.retry_after is not None:
            return too_many(self.retry_after, self.scope)
        if self.status is None and not self.code:
            return None
        if self.status and self.status >= 500 and self.body is None:
            return ApiError(status=self.status, body="<html>upstream error</html>")
        return ApiError(self.code, self.status, self.message, body=self.body)
