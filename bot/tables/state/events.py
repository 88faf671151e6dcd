"""The events at a table, as the journal keeps them: facts, in the past.

A table is the sum of its entries. Game-specific facts appear in one form only, the notation of a
move, so that a new game needs no new persistence. `journal.at` holds the time of each.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.games.chance_scheme import Scheme
from bot.games.values import LogMove, Reason
from bot.ids import ArenaId, ChannelId, GuildId, MessageId, UserId


@dataclass(frozen=True, slots=True)
class Held:
    """A seat kept, with its options, for somebody who played the match before."""

    user: UserId
    name: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class InArena:
    """The place of a table in an arena. `number`: the arena's first table is 1.

    `promise`: the SHA-256 of the arena's secret in hexadecimal, which everybody saw before.
    """

    id: ArenaId
    number: int
    promise: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A lobby was opened. Ids are Discord's; `host` is a user.

    `parent`: the channel in which the table's own thread stands, when `channel` is one. `arena`:
    the table is one of an arena's, and has no message of its own.
    """

    game: str
    rules_version: int
    guild: GuildId
    channel: ChannelId
    host: UserId
    locale: str
    options: dict[str, str] = field(default_factory=dict)
    held: tuple[Held, ...] = ()
    parent: ChannelId | None = None
    arena: InArena | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody took the next seat; a robot if `user` is None.

    `choices`: the seat's options, kept from the match before.
    """

    user: UserId | None
    name: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Unseated:
    """A seat was given up before the first deal; the seats after it moved up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Queued:
    """Somebody without a seat in a match asked for one in its rematch."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class HeldSeatsFreed:
    """The seats held for a rematch became free."""


@dataclass(frozen=True, slots=True)
class OptionSet:
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class SeatOptionSet:
    """The host set an option of one seat. It moves along with the seat."""

    seat: int
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Promised:
    """The bot's part of the next match's seed was fixed. `secret`: 32 bytes in hexadecimal.

    `scheme`: how the match is dealt. Entries older than the second scheme lack it.
    """

    secret: str = field(repr=False)
    scheme: Scheme = Scheme.COMMON


@dataclass(frozen=True, slots=True)
class Started:
    """The match began with the seats there were.

    `seed`: 32 bytes in hexadecimal if the bot chose all of it, as it once did; else empty.
    """

    seed: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PostingBegun:
    """The table message was about to go out between Start and the first deal, or to go out again.

    Written before it goes out: whatever comes of it, everybody may see a message from here on.
    """


@dataclass(frozen=True, slots=True)
class Published:
    """A posting begun between Start and the first deal was answered, perhaps after the deal.

    Ids are Discord's. The first one fixes the match's seed. `lobby`: the message that the lobby
    was, in the same channel; the same as `message` if nothing new could be posted.
    """

    channel: ChannelId
    message: MessageId
    lobby: MessageId | None = None


@dataclass(frozen=True, slots=True)
class Readied:
    seat: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round was dealt to these seats, and the count began."""

    dealt: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Paused:
    """The bot was restarted in a round, which goes on after a fresh get-ready."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A paused round went on, and the count began."""


@dataclass(frozen=True, slots=True)
class WentLive:
    """The count was over: presses count from here."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was accepted. `written` is how the match log writes it: one move, or two.

    It follows from the entries before, so equality ignores it; it is kept so that a log can be made
    without playing the match again. `waited`: ms from the arrival of the press to its turn, which
    keeps margins true after a restart.
    """

    seat: int
    move: str
    written: tuple[LogMove, ...] = field(default=(), compare=False)
    waited: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Rejected:
    """The rules refused a move. It is named by where its card lay when the player last saw it.

    `late_to` is the other seat that had taken the place first, `late_ms` by how many ms. `shown`:
    for how many ms the player's panel had shown it, None if it was not delivered yet.
    """

    seat: int
    move: str
    written: tuple[str | int, ...]
    card: str | None
    late_to: int | None = None
    late_ms: int | None = None
    shown: int | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """A player left the match, or was `away` for so long that it goes on or ends without them."""

    seat: int
    away: bool = False


@dataclass(frozen=True, slots=True)
class EndAsked:
    """A player agreed to end the round as it stands (A30)."""

    seat: int


@dataclass(frozen=True, slots=True)
class ReleaseAsked:
    """A player agreed that an absent one leaves the match."""

    seat: int
    absent: int


@dataclass(frozen=True, slots=True)
class EndTakenBack:
    """A player no longer agreed to end the round."""

    seat: int


@dataclass(frozen=True, slots=True)
class ReleaseTakenBack:
    """A player no longer agreed that an absent one leaves the match."""

    seat: int
    absent: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A player up for release pressed again, which voids the votes against them."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChannelChanged:
    """The table moved to this channel. `parent`: where its own thread stands, if it has one."""

    channel: ChannelId
    parent: ChannelId | None = None


@dataclass(frozen=True, slots=True)
class CloseCall:
    """A duel with a person in it: who was first, who was late, the card, and by how many ms."""

    first: int
    late: int
    claim: str
    ms: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round ended. `plus` and `minus` are points by seat, both counted upwards.

    `forfeited`: all people but one had left the round after its first press, which rates it even if
    it counts for nothing else. `met`: at the first press of this round, or of one before it, at
    least two people were in it; None in entries of earlier versions. `agreed`: all people in it
    who were there wanted it to end; `voters`: the seats that asked for it, empty in entries of
    earlier versions. `closest`: its closest duel, kept here since the presses of a finished match
    are deleted.
    """

    reason: Reason
    by: int | None
    plus: tuple[int, ...]
    minus: tuple[int, ...]
    forfeited: bool = False
    met: bool | None = None
    agreed: bool = False
    voters: tuple[int, ...] = ()
    closest: CloseCall | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(plus - minus for plus, minus in zip(self.plus, self.minus, strict=True))


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match ended. `counts`: two humans began it, and one round was finished.

    `verdict`: what `bot.tables.decisions.rated_or_practice` makes of it; None in entries of earlier
    versions.
    """

    counts: bool
    verdict: str | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """The table is gone. `reason` is the key of the words that say why."""

    reason: str


Entry: TypeAlias = (
    Opened
    | Seated
    | Unseated
    | Queued
    | HeldSeatsFreed
    | OptionSet
    | SeatOptionSet
    | Promised
    | Started
    | PostingBegun
    | Published
    | Readied
    | Dealt
    | Paused
    | Resumed
    | WentLive
    | Moved
    | Rejected
    | Left
    | EndAsked
    | ReleaseAsked
    | EndTakenBack
    | ReleaseTakenBack
    | Returned
    | ChannelChanged
    | RoundEnded
    | MatchEnded
    | Closed
)

DURABLE = (PostingBegun, Published, RoundEnded, MatchEnded)
"""Entries that are on the disk before anybody is shown anything of them."""
