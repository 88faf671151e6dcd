"""What can happen at a table, as the journal keeps it: facts, in the past.

A table is the sum of its entries. Game-specific facts appear in one form only, the notation of
a move, so that a new game needs no new persistence. `journal.at` holds the time of each.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.games.values import LogMove, Reason
from bot.tables.seeds import Scheme


@dataclass(frozen=True, slots=True)
class Held:
    """A seat kept, with its options, for somebody who played the match before."""

    user: int
    name: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A lobby is there. Ids are Discord's; `host` is a user.

    `parent`: the channel in which the table's own thread stands, when `channel` is one.
    """

    game: str
    rules_version: int
    guild: int
    channel: int
    host: int
    locale: str
    options: dict[str, str] = field(default_factory=dict)
    held: tuple[Held, ...] = ()
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody has taken the next seat; a computer player where `user` is None.

    `choices`: the seat's options, kept from the match before.
    """

    user: int | None
    name: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Unseated:
    """A seat is given up before the first deal; the seats behind it move up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Released:
    """Seats held for a rematch are free again."""


@dataclass(frozen=True, slots=True)
class OptionSet:
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class SeatOptionSet:
    """A choice of the host's for one seat; it moves along with the seat."""

    seat: int
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Promised:
    """The bot's part of the next match's seed is fixed. `secret`: 32 bytes in hexadecimal.

    `scheme`: how the match is dealt; entries from before there was a second one don't tell.
    """

    secret: str = field(repr=False)
    scheme: Scheme = Scheme.COMMON


@dataclass(frozen=True, slots=True)
class Started:
    """The match begins with the seats there are.

    `seed`: 32 bytes in hexadecimal where the bot alone chose it, as it once did; else empty.
    """

    seed: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PostingBegun:
    """The table's message goes out between Start and the first deal, for the first time or again.

    Written before it does: whatever comes of it, everybody may see a message from here on.
    """


@dataclass(frozen=True, slots=True)
class Published:
    """A posting that was begun between Start and the first deal is answered, which may be after
    the deal. Ids are Discord's.

    The first one fixes the match's seed. `lobby`: the message that the lobby was, in the same
    channel; the same as `message` where nothing new could be posted.
    """

    channel: int
    message: int
    lobby: int | None = None


@dataclass(frozen=True, slots=True)
class Readied:
    seat: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round is dealt to these seats, and the count runs."""

    dealt: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Paused:
    """The bot was restarted in a round: it goes on after a fresh get-ready."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A paused round goes on: the count runs."""


@dataclass(frozen=True, slots=True)
class WentLive:
    """The count is over: presses count from here."""


@dataclass(frozen=True, slots=True)
class Moved:
    """An accepted move. `written` is how the match log writes it: one move, or two.

    It follows from the entries before, so that two entries are equal without it; it is kept so
    that a log can be made without playing the match again. `waited`: ms from the arrival of the
    press to its turn, so that margins are true after a restart as well.
    """

    seat: int
    move: str
    written: tuple[LogMove, ...] = field(default=(), compare=False)
    waited: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A move refused by the rules, by where its card lay when the player last saw it.

    `late_to` and `late_ms` tell which other seat had taken the place first, and by how many ms;
    `shown` for how many ms the player's panel had shown it, None if it was not delivered yet.
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
    seat: int


@dataclass(frozen=True, slots=True)
class EndAsked:
    """A player agrees to end the round as it stands (A30)."""

    seat: int


@dataclass(frozen=True, slots=True)
class ReleaseAsked:
    """A player agrees that an absent one leaves the match."""

    seat: int
    absent: int


@dataclass(frozen=True, slots=True)
class EndTakenBack:
    """A player no longer agrees to end the round."""

    seat: int


@dataclass(frozen=True, slots=True)
class ReleaseTakenBack:
    """A player no longer agrees that an absent one leaves the match."""

    seat: int
    absent: int


@dataclass(frozen=True, slots=True)
class Returned:
    """Somebody who was to be released has pressed again: nobody has voted against him."""

    seat: int


@dataclass(frozen=True, slots=True)
class Housed:
    """The table is in this channel from now on. `parent`: where its own thread stands, if any."""

    channel: int
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Points by seat: plus and minus, both counted upwards. `forfeited`: all people but one had
    left the round after its first press, which rates it even if it counts for nothing else. `met`:
    at the first press of this round, or of one before it, two people at least were in it; None in
    entries of earlier versions.
    """

    reason: Reason
    by: int | None
    plus: tuple[int, ...]
    minus: tuple[int, ...]
    forfeited: bool = False
    met: bool | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(plus - minus for plus, minus in zip(self.plus, self.minus, strict=True))


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """`counts`: two humans began and one round was finished. `verdict`: what the match is good for,
    of `bot.tables.standing`; None in entries of earlier versions.
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
    | Released
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
    | Housed
    | RoundEnded
    | MatchEnded
    | Closed
)

DURABLE = (PostingBegun, RoundEnded, MatchEnded)
"""Entries that are on the disk before anybody is shown anything of them."""
