"""What a match is good for: its table, the history, the figures and the ratings all ask here."""

from enum import StrEnum
from itertools import combinations

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.games.values import Options, Seat
from bot.tables.session import Session

ENOUGH_ROUNDS = 3
"""A match with this many rounds counts; a shorter one does when a target was reached, or when it
ended because people left.
"""


class Standing(StrEnum):
    """RATED matches make leaderboards; ratings go by rounds. PRACTICE is stored for all others
    that are in the history and counted in their players' statistics (`Unranked` says why).
    DROPPED ones had neither a finished round nor a rated one: they are kept for the operator's
    figures only. VOID ones were taken back by a moderator; the history says so.
    """

    RATED = "rated"
    PRACTICE = "practice"
    DROPPED = "dropped"
    VOID = "void"


class Unranked(StrEnum):
    """Why a match is in no leaderboard. All but TOO_SHORT are practice, where nothing is rated.

    ALONE: one person began. HANDICAP: dice are not shared evenly. SHORT: fewer than three rounds
    were agreed, and no target. UNMET: in no round were two people left at its first press.
    TOO_SHORT: it was stopped, by others than its players' leaving, before a third round.
    """

    ALONE = "alone"
    HANDICAP = "handicap"
    SHORT = "short"
    UNMET = "unmet"
    TOO_SHORT = "too_short"

    @property
    def rates(self) -> bool:
        """Return whether its rounds are rated all the same."""
        return self is Unranked.TOO_SHORT


RANKED = "ranked"
NOTHING = "nothing"
"""Verdicts on matches that count, and on those that leave nothing; the others are of Unranked."""


def agreed_rounds(game: str, options: Options, seats: int) -> int | None:
    """How many rounds were agreed. None for a target, and where it is not known."""
    if options.get("target", "off") != "off" or "rounds" not in options:
        return None
    return GAMES[game].rounds(options, seats)


def enough_agreed(rounds: int | None) -> bool:
    """Whether so many rounds are more than practice. `rounds`: how many were agreed, None for a
    target.
    """
    return rounds is None or rounds >= ENOUGH_ROUNDS


def has_handicap(game: str, options: Options, seats: int) -> bool:
    """Whether some seats can get more than others, be it only when somebody sits a round out: it
    is known at the start, and nobody can bring it about later. `options`: each seat's among them.
    """
    kind = GAMES[game]
    if not any(
        f"{one.key}.{seat}" in options for one in kind.seat_options for seat in range(seats)
    ):
        return False
    sizes = range(kind.seats.start, seats + 1)
    return any(
        _differs(kind, _of(kind, options, dealt), size)
        for size in sizes
        for dealt in combinations(range(seats), size)
    )


def _of(kind: AnyGame, options: Options, dealt: tuple[int, ...]) -> Options:
    """The options of a table at which only these sit."""
    keys = {
        f"{one.key}.{seat}": f"{one.key}.{place}"
        for one in kind.seat_options
        for place, seat in enumerate(dealt)
    }
    table = {key: value for key, value in options.items() if "." not in key}
    return table | {new: options[old] for old, new in keys.items() if old in options}


def _differs(kind: AnyGame, options: Options, seats: int) -> bool:
    return any(kind.share(options, seats, Seat(seat)) is not None for seat in range(seats))


def foreseen(game: str, options: Options, seats: int, people: int) -> Unranked | None:
    """Return why a match begun like this would be practice, however it ends."""
    if people < 2:  # noqa: PLR2004 one person has no opponent
        return Unranked.ALONE
    if has_handicap(game, options, seats):
        return Unranked.HANDICAP
    return None if enough_agreed(agreed_rounds(game, options, seats)) else Unranked.SHORT


def verdict(session: Session) -> str:
    """Of a match that ends now: RANKED, NOTHING, or the value of an Unranked."""
    key, seats = session.game.key, len(session.chairs)
    practice = foreseen(key, session.all_options, seats, session.began)
    practice = practice or (None if session.met else Unranked.UNMET)
    if practice:
        return practice.value if session.history else NOTHING
    if _enough_played(session) or _ended_by_leavers(session):
        return RANKED
    return Unranked.TOO_SHORT.value if session.history or session.forfeited else NOTHING


def _enough_played(session: Session) -> bool:
    target = session.options.get("target", "off")
    reached = target != "off" and max(session.totals) >= int(target)
    return reached or len(session.history) >= ENOUGH_ROUNDS


def _ended_by_leavers(session: Session) -> bool:
    """Too few stayed to go on, and somebody did, be it a computer: whom all have left at once has
    been beaten by nobody.
    """
    stayed = len(session.seats_in)
    return stayed > 0 and (stayed < session.game.seats.start or not session.humans_in)


def unranked(session: Session) -> Unranked | None:
    """Why a match that has ended is in no leaderboard; None if it is in them, or in no record."""
    found = _verdict(session)
    return None if found in (RANKED, NOTHING) else Unranked(found)


def standing(session: Session) -> Standing:
    """Of a match as it ended; VOID is for a moderator to say."""
    match _verdict(session):
        case "ranked":
            return Standing.RATED
        case "nothing":
            return Standing.DROPPED
        case _:
            return Standing.PRACTICE


def is_recorded(session: Session) -> bool:
    """Whether a match that has ended is in the records that people see."""
    return standing(session) is not Standing.DROPPED


def _verdict(session: Session) -> str:
    """As it was noted at the end. Earlier versions noted less, and counted by other rules: whoever
    left before a third round took the match with them.
    """
    if session.verdict is not None:
        return session.verdict
    practice = foreseen(session.game.key, session.options, len(session.chairs), session.began)
    if not session.history:
        return Unranked.TOO_SHORT.value if session.forfeited and not practice else NOTHING
    if session.counts and _enough_played(session):
        return RANKED
    return (practice or Unranked.TOO_SHORT).value
