"""What a match that has ended is good for: the end, the history and the figures all say this."""

from enum import StrEnum

from bot.games import GAMES
from bot.games.kernel import Options
from bot.tables.session import Session

ENOUGH_ROUNDS = 3
"""A match with this many rounds is rated; a shorter one is when a target was reached."""


def agreed_rounds(game: str, options: Options, seats: int) -> int | None:
    """How many rounds were agreed. None for a target, and where it is not known."""
    if options.get("target", "off") != "off" or "rounds" not in options:
        return None
    return GAMES[game].rounds(options, seats)


def enough_agreed(rounds: int | None) -> bool:
    """Whether the rounds of a match are rated, however it ends. `rounds`: how many were agreed,
    None for a target. Fewer were agreed for practice.
    """
    return rounds is None or rounds >= ENOUGH_ROUNDS


def rates_rounds(game: str, options: Options, seats: int, people: int) -> bool:
    """Whether people play for ratings at such a table. A match that is then too short for the
    leaderboards has its rounds rated all the same; where they don't, it is practice.
    """
    return people > 1 and enough_agreed(agreed_rounds(game, options, seats))


def are_rounds_rated(session: Session) -> bool:
    """`rates_rounds` of a match that has begun."""
    return rates_rounds(session.game.key, session.options, len(session.chairs), session.began)


class Standing(StrEnum):
    """RATED matches make leaderboards; ratings go by rounds. PRACTICE is stored for all others
    that are in the history and counted in their players' statistics: those for practice, where
    nothing is rated, and those that were too short. DROPPED ones had neither a finished round nor a
    rated one: they are kept for the operator's figures only. VOID ones were taken back by a
    moderator; the history says so.
    """

    RATED = "rated"
    PRACTICE = "practice"
    DROPPED = "dropped"
    VOID = "void"


def standing(session: Session) -> Standing:
    """Of a match as it ended; VOID is for a moderator to say."""
    if not session.history:
        is_rated = session.forfeited and are_rounds_rated(session)
        return Standing.PRACTICE if is_rated else Standing.DROPPED
    target = session.options.get("target", "off")
    reached = target != "off" and max(session.totals) >= int(target)
    enough = reached or len(session.history) >= ENOUGH_ROUNDS
    return Standing.RATED if session.counts and enough else Standing.PRACTICE


def is_recorded(session: Session) -> bool:
    """Whether a match that has ended is in the records that people see."""
    return standing(session) is not Standing.DROPPED
