"""The events of an arena, as its journal keeps them: facts, in the past."""

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.tables.state.journal import TableId


@dataclass(frozen=True, slots=True)
class Opened:
    """An arena was opened. `seats`: the most people at a table. `minutes`: its length.

    `options`: of its tables. `secret`: 32 bytes in hexadecimal, promised before it is known.
    """

    game: str
    rules_version: int
    guild: GuildId
    channel: ChannelId
    host: UserId
    locale: str
    options: dict[str, str]
    seats: int
    minutes: int
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Published:
    """Discord has given the arena's message an id. The first one goes into every seed."""

    message: MessageId


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody joined, or came back, and is free for the next table."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class Freed:
    """Somebody wants the next round."""

    user: UserId


@dataclass(frozen=True, slots=True)
class Rested:
    """Somebody is not free any more: they waited for long, or sit at another table."""

    user: UserId


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody left the arena. They keep their points, and may come back."""

    user: UserId


@dataclass(frozen=True, slots=True)
class Paired:
    """These people were given the arena's table of this number."""

    number: int
    users: tuple[UserId, ...]


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A table could not be opened, or its round was never dealt: its people are free again."""

    number: int


@dataclass(frozen=True, slots=True)
class WalkedOut:
    """Somebody left the round of this table, or was `away` for so long that it went on without."""

    number: int
    user: UserId
    away: bool = False


@dataclass(frozen=True, slots=True)
class Closest:
    """The closest duel of a round, between two people: who was first, who late, by how many ms."""

    first: UserId
    late: UserId
    ms: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A table's round is over. By user: `places` (1, 1, 3), and `points` in the game.

    `counts`: somebody gets something for it, else `why` is the key of the words that say why not,
    None in entries of earlier versions. `left`: the people who were not in it to its end; `away`:
    those of them who were away.
    """

    number: int
    table: TableId
    users: tuple[UserId, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    counts: bool
    closest: Closest | None = None
    left: tuple[UserId, ...] = ()
    away: tuple[UserId, ...] = ()
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Voided:
    """A moderator voided the match of this table: nobody gets anything for it."""

    number: int


@dataclass(frozen=True, slots=True)
class CameBack:
    """The bot was away for so many ms, in which the arena's time stood still."""

    away: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """No more tables begin. `reason` is the key of the words that say why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The arena is over, and its secret may be told."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Somebody had their data deleted. They are in the arena no longer, nor among its places."""

    user: UserId


Event: TypeAlias = (
    Opened
    | Published
    | Joined
    | Freed
    | Rested
    | Left
    | Paired
    | Unpaired
    | WalkedOut
    | Scored
    | Voided
    | CameBack
    | Stopped
    | Ended
    | Forgotten
)

DURABLE = (Opened, Published, Paired, Scored, Ended)
"""Events that are on the disk before anybody is shown anything of them."""
