"""Rate limits: fixed windows, as Discord's headers describe them."""

import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.fakediscord.validation.errors import MESSAGES, ApiError

TOO_MANY = 429
WEBHOOK = "webhook"
"""The key of the limit that all calls with an interaction's token share."""
LIMITS: Mapping[str, tuple[int, float]] = {
    "POST /channels/#/messages": (5, 5.0),
    "PATCH /channels/#/messages/#": (5, 5.0),
    "DELETE /channels/#/messages/#": (5, 1.0),
    "PUT /channels/#/messages/#/reactions/*/@me": (1, 0.25),
    WEBHOOK: (5, 2.0),
}
"""Requests and seconds of a route's window. Each channel, guild or token has its own."""
A_MINUTE = 60.0
OLD, OLD_EDITS_IN = 3600.0, 6.0
"""Seconds after which a message is old, and in which few edits of old ones are taken."""
TOO_OLD = 30046
GLOBAL_LIMIT = 50
"""Requests a second in all, without those of interactions."""
MOST_WINDOWS = 50_000


def fully(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Tell what Discord documents."""
    return headers


def partly(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Tell neither which limit it is, nor when it ends by the clock."""
    kept = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset-After")
    return {name: value for name, value in headers.items() if name in kept}


def without_an_end(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Tell how many requests are left, and in no way for how long."""
    kept = ("X-RateLimit-Limit", "X-RateLimit-Remaining")
    return {name: value for name, value in headers.items() if name in kept}


def not_at_all(_: Mapping[str, str]) -> Mapping[str, str]:
    """Tell nothing: only refusals teach."""
    return {}


def falsely(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Tell of more requests, in less time, than there are."""
    left = int(headers["X-RateLimit-Remaining"]) + 3
    after = float(headers["X-RateLimit-Reset-After"]) / 2
    return {
        **headers,
        "X-RateLimit-Remaining": f"{left}",
        "X-RateLimit-Reset-After": f"{after:.3f}",
    }


@dataclass(slots=True)
class Window:
    """The window of one limit.

    `until`: the wall clock's time of its end. `used`: requests since its beginning.
    """

    until: float = 0.0
    used: int = 0


class Limiter:
    """A counter of calls against rate limits.

    `rules` may be changed; `refused` counts the calls that were too many, by route. `tell` chooses
    the headers of a window that are sent.
    """

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self.rules = dict(LIMITS)
        self.global_limit = GLOBAL_LIMIT
        self.tell: Callable[[Mapping[str, str]], Mapping[str, str]] = fully
        self.refused: Counter[str] = Counter()
        self._windows: dict[tuple[str, str], Window] = {}
        self._global = Window()
        self._moments: dict[tuple[str, int], deque[float]] = {}

    @property
    def total(self) -> int:
        """Calls that were refused."""
        return sum(self.refused.values())

    def check(self, template: str, major: str, *, interaction: bool) -> Mapping[str, str]:
        """Return headers for the answer, or raise an `ApiError` with status 429.

        `template`: the route without its ids; `major`: the id that windows are told apart by;
        `interaction`: whether the call is authorized by an interaction's token.
        """
        if not self.enabled:
            return {}
        now = time.time()
        if not interaction:
            self._count_globally(template, now)
        webhook = interaction and not template.endswith("/callback")
        key = WEBHOOK if webhook else template
        if key not in self.rules:
            return {}
        limit, seconds = self.rules[key]
        window = self._window((key, major), now, seconds)
        headers = self.tell(_headers(key, limit, window, now))
        if window.used >= limit:
            self.refused[template] += 1
            raise too_many(window.until - now, headers=headers)
        window.used += 1
        return headers

    def check_channel(
        self, kind: str, channel: int, most: int, seconds: float, *, fixed: bool = False
    ) -> float:
        """Count a call of this kind in a channel.

        Return 0, or the seconds after which to try again if it is one too many. A refused call is
        not counted. `fixed`: a window begins with its first call and is forgotten as a whole.
        """
        now = time.time()
        moments = self._moments.setdefault((kind, channel), deque())
        while moments and now - moments[0] >= seconds:
            if fixed:
                moments.clear()
            else:
                moments.popleft()
        if not self.enabled or len(moments) < most:
            moments.append(now)
            return 0.0
        self.refused[kind] += 1
        return moments[0] + seconds - now

    def forget_past(self) -> None:
        """Forget windows that are over."""
        now = time.time()
        self._windows = {key: one for key, one in self._windows.items() if one.until > now}

    def _count_globally(self, template: str, now: float) -> None:
        if now >= self._global.until:
            self._global = Window(now + 1.0)
        self._global.used += 1
        if self._global.used > self.global_limit:
            self.refused[template] += 1
            raise too_many(self._global.until - now, "global")

    def _window(self, key: tuple[str, str], now: float, seconds: float) -> Window:
        window = self._windows.get(key)
        if window is None or now >= window.until:
            if len(self._windows) > MOST_WINDOWS:
                self.forget_past()
            window = self._windows[key] = Window(now + seconds)
        return window


def _headers(key: str, limit: int, window: Window, now: float) -> Mapping[str, str]:
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Reset": f"{window.until:.3f}",
        "X-RateLimit-Reset-After": f"{window.until - now:.3f}",
        "X-RateLimit-Bucket": f"{zlib.crc32(key.encode()):016x}",
        "X-RateLimit-Remaining": str(max(0, limit - window.used - 1)),
    }


def too_many(
    seconds: float,
    scope: str = "user",
    headers: Mapping[str, str] | None = None,
    code: int = 0,
) -> ApiError:
    """Return a refusal that says to come back after this many seconds.

    `scope`: "user", "global" or "shared". `code`: Discord's, where the limit has one.
    """
    seconds = max(0.001, round(seconds, 3))
    told = {
        **(headers or {}),
        "Retry-After": str(int(seconds) + 1),
        "X-RateLimit-Scope": scope,
        "Via": "1.1 fakediscord",
    }
    if scope == "global":
        told["X-RateLimit-Global"] = "true"
    body = {
        "message": MESSAGES.get(code, "You are being rate limited."),
        "code": code,
        "retry_after": seconds,
        "global": scope == "global",
    }
    return ApiError(code, TOO_MANY, headers=told, body=body)
