"""Counts of REST calls."""

from collections import Counter, deque
from typing import NamedTuple

from bot.fakediscord.rate_limits import TOO_MANY
from bot.fakediscord.settings import Settings


class Called(NamedTuple):
    """One call. `at`: `time.perf_counter` at its end; `seconds`: from its arrival on."""

    at: float
    method: str
    path: str
    status: int
    seconds: float


class Traffic:
    """Counts of calls: by template and HTTP status, and by template and Discord's error code.

    `unknown`: paths that nothing answers; `crashes`: handlers that raised something unforeseen. A
    test should end with both of them empty. `inflight`: calls that are being worked on.
    """

    def __init__(self, settings: Settings) -> None:
        self.calls: deque[Called] = deque()
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.codes: Counter[tuple[str, int]] = Counter()
        self.unknown: Counter[str] = Counter()
        self.crashes: list[str] = []
        self.inflight = 0
        self._settings = settings

    @property
    def ratelimited(self) -> int:
        """Calls that were answered with a 429."""
        return sum(count for (_, status), count in self.statuses.items() if status == TOO_MANY)

    def count(self, template: str, code: int, called: Called) -> None:
        """Note a call that is over. `code`: Discord's, or 0."""
        self.statuses[template, called.status] += 1
        if code:
            self.codes[template, code] += 1
        self.calls.append(called)
        while len(self.calls) > self._settings.keep_calls:
            self.calls.popleft()
