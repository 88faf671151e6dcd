"""The verdict on a match: whether it is rated, practice, or in no record, and why."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations

from bot.games import GAMES
from bot.games.contract import AnyGame
from bot.games.values import Options, Seat
from bot.tables.decisions.arena_rounds import uncounted
from bot.tables.state.options import ARENA
from bot.tables.state.session import Session

ENOUGH_ROUNDS = 3
"""Rounds from which a match counts.

A shorter one counts if a target was reached, or if it ended because people left. An arena is made
of single rounds (`arena_rounds.uncounted`).
"""


class Standing(StrEnum):
    """The standing of a match in the records.

    RATED matches count for leaderboards; ratings go by rounds. PRACTICE matches are on none of them
    (`Unranked` says why, and `is_practice` which of them were practice). DROPPED matches had
    neither a finished round nor a rated one, and are kept only for the operator's figures. VOID
    matches were voided by a moderator; the history says so.
    """

    RATED = "rated"
    PRACTICE = "practice"
    DROPPED = "dropped"
    VOID = "void"


class Unranked(StrEnum):
    """The reason a match is in no leaderboard. All but TOO_SHORT are practice: nothing is rated.

    ALONE: one person began. HANDICAP: dice are not shared evenly. SHORT: fewer than three rounds
    were agreed, and no target. UNMET: in no round were two people left at its first press.
    TOO_SHORT: it was stopped before a third round, by something other than its players' leaving.
    """

    ALONE = "alone"
    HANDICAP = "handicap"
    SHORT = "short"
    UNMET = "unmet"
    TOO_SHORT = "too_short"

    @property
    def rates(self) -> bool:
        """True if the match's rounds are rated all the same."""
        return self is Unranked.TOO_SHORT


def is_practice(standing: Standing, why: Unranked | None) -> bool:
    """Return whether a recorded match was practice. One that was too short was not: it rates."""
    return standing is Standing.PRACTICE and why is not None and not why.rates


RANKED = "ranked"
NOTHING = "nothing"
"""The verdicts on matches that count and on those that leave nothing. The others are Unranked's."""


def agreed_rounds(game: str, options: Options, seats: int) -> int | None:
    """Return the number of rounds agreed. None for a target, in an arena, and if it isn't known."""
    if options.get("target", "off") != "off" or "rounds" not in options or ARENA in options:
        return None
    return GAMES[game].rounds(options, seats)


def enough_agreed(rounds: int | None) -> bool:
    """Return whether this many agreed rounds are more than practice. None stands for a target."""
    return rounds is None or rounds >= ENOUGH_ROUNDS


def has_handicap(game: str, options: Options, seats: int) -> bool:
    """Return whether some seats can get more than others, if only when somebody sits a round out.

    It is known at the start, and no choice later can change it. `options`: the seats' included.
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
    """Return the options of a table at which only these seats sit."""
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
    """Return why a match begun like this would be practice however it ends, or None."""
    if people < 2:  # noqa: PLR2004 one person has no opponent
        return Unranked.ALONE
    if has_handicap(game, options, seats):
        return Unranked.HANDICAP
    return None if enough_agreed(agreed_rounds(game, options, seats)) else Unranked.SHORT


def unranked_before_noted(
    game: str, options: Options, people: Sequence[bool], *, is_rated: bool
) -> Unranked:
    """Return why a match of an earlier version, which didn't note it, is in no leaderboard.

    `people` tells them from robots, by seat; `is_rated`: it has rated rounds.
    """
    practice = foreseen(game, options, len(people), sum(people))
    return Unranked.TOO_SHORT if is_rated or practice is None else practice


def verdict(session: Session) -> str:
    """Return the verdict on a match that ends now: RANKED, NOTHING, or the value of an Unranked."""
    key, seats = session.game.key, len(session.chairs)
    if session.opened.arena is not None:
        return NOTHING if uncounted(session) else RANKED
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
    """Return whether too few stayed to go on, but somebody stayed, if only a robot.

    If all left at once, or were all away, nobody has beaten them.
    """
    if session.abandoned and all(chair.away for chair in session.chairs if chair.left):
        return False
    stayed = len(session.seats_in)
    return stayed > 0 and (stayed < session.game.seats.start or not session.humans_in)


def unranked(session: Session) -> Unranked | None:
    """Return why a match that has ended is in no leaderboard.

    None if it is in them, or in no record.
    """
    found = _verdict(session)
    return None if found in (RANKED, NOTHING) else Unranked(found)


def standing(session: Session) -> Standing:
    """Return the standing of a match as it ended. Only a moderator makes one VOID."""
    match _verdict(session):
        case "ranked":
            return Standing.RATED
        case "nothing":
            return Standing.DROPPED
        case _:
            return Standing.PRACTICE


def is_uncounted_in_arena(session: Session) -> bool:
    """Return whether a round that has ended is an arena's, and counts for nothing."""
    return session.opened.arena is not None and standing(session) is Standing.DROPPED


def is_recorded(session: Session) -> bool:
    """Return whether a match that has ended is in the records that people see."""
    return standing(session) is not Standing.DROPPED


def _verdict(session: Session) -> str:
    """Return the verdict noted at the end, or work it out for an earlier version's match.

    Earlier versions noted less, and counted by other rules: players who left before a third round
    took the match with them.
    """
    if session.verdict is not None:
        return session.verdict
    practice = foreseen(session.game.key, session.options, len(session.chairs), session.began)
    if not session.history:
        return Unranked.TOO_SHORT.value if session.forfeited and not practice else NOTHING
    if session.counts and _enough_played(session):
        return RANKED
    return (practice or Unranked.TOO_SHORT).value
