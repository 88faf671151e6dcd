"""Interactions and their tokens."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from bot.fakediscord.model.places import Channel, Message, User
from bot.fakediscord.types import Json

SLACK = 0.2
"""Seconds after the deadline for which an answer is still waited for."""


class Attempt(NamedTuple):
    """One try to answer: when it came, as what kind of callback, and its HTTP status."""

    at: float
    type: int
    status: int


@dataclass(eq=False, slots=True, repr=False)
class Interaction:
    """One interaction, from its creation on. Times are those of `time.perf_counter`.

    `deadline`: seconds for the first answer. `born`: when its token's life began.
    `made`: messages created with its token. `original`: the message that answered it. `trigger`:
    the one whose modal this one sends in.
    `status`: of the answer, or of the last try while there is none. `error`: Discord's code for
    the last refusal, also of a try that came after the answer.
    """

    id: int
    type: int
    name: str
    user: User
    channel: Channel
    message: Message | None
    deadline: float
    payload: Json | None = None
    token: str = field(init=False)
    created: float = field(init=False)
    born: float = field(init=False)
    sent_at: float | None = None
    called_back_at: float | None = None
    callback_type: int | None = None
    status: int | None = None
    error: int | None = None
    attempts: list[Attempt] = field(default_factory=list)
    original: Message | None = None
    modal: Json | None = None
    choices: list[Json] | None = None
    made: set[int] = field(default_factory=set)
    late: bool = False
    trigger: "Interaction | None" = None
    answered: asyncio.Future[None] = field(init=False)

    def __post_init__(self) -> None:
        self.token = f"aW50ZXJhY3Rpb246{self.id}{'x' * 160}"
        self.created = self.born = time.perf_counter()
        self.answered = asyncio.get_running_loop().create_future()

    @property
    def latency(self) -> float | None:
        """Seconds from the frame written to the websocket to the arrival of the callback."""
        if self.called_back_at is None or self.sent_at is None:
            return None
        return self.called_back_at - self.sent_at

    @property
    def ok(self) -> bool:
        """True once it is answered."""
        return self.callback_type is not None

    async def wait(self) -> Self:
        """Wait for the first answer or the deadline."""
        left = self.created + self.deadline + SLACK - time.perf_counter()
        if not self.answered.done():
            await asyncio.wait([self.answered], timeout=max(left, 0))
        return self

    def resolve(self) -> None:
        """End every wait for the answer."""
        if not self.answered.done():
            self.answered.set_result(None)

    def __repr__(self) -> str:
        latency = "no answer" if self.latency is None else f"{self.latency * 1000:.1f} ms"
        state = f"callback={self.callback_type} status={self.status} {latency} {self.error or ''}"
        return f"<Interaction {self.name} by {self.user.name} {state}>"
