"""The additions of the records to the end of a match."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.games.values import Seat
from bot.screen import Line
from bot.text import Text


@dataclass(frozen=True, slots=True)
class Records:
    """The lines and facts that the records add to the end of a match.

    `ratings`: the line of changed ratings, if there is one. `bests` and `stops`: by seat, the best
    round in points and the fastest stop in ms that this person had before, in matches like this
    one. `fallen`: a line for each record of the server that the match has broken, by what it is
    of: `stop`, `points`, `duel`, `streak`, `come_back`. `broken`: by seat, the one of them that its
    player has broken, in words; the rarest of several. `is_void`: a moderator has taken the match
    back, and the records have nothing else to add.
    """

    ratings: tuple[Line, ...] = ()
    bests: Mapping[Seat, int] = field(default_factory=dict)
    stops: Mapping[Seat, int] = field(default_factory=dict)
    fallen: Mapping[str, Line] = field(default_factory=dict)
    broken: Mapping[Seat, Text] = field(default_factory=dict)
    is_void: bool = False


NO_RECORDS = Records()
