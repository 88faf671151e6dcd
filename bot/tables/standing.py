"""What a match that has ended is good for: the end, the history and the figures all say this."""

from enum import StrEnum

from bot.tables.session import Session

ENOUGH_ROUNDS = 3
"""A match with this many rounds is rated; a shorter one is when a target was reached."""


def enough_agreed(rounds: int | None) -> bool:
    """Whether the rounds of a match are rated, however it ends. `rounds`: how many were agreed,
    None for a target. Fewer were agreed for practice.
    """
    return rounds is None or rounds >= ENOUGH_ROUNDS


def are_rounds_rated(session: Session) -> bool:
    """Whether people play for ratings here. A match that is then too short for the leaderboards
    has its rounds rated all the same.
    """
    has_target = session.options.get("target", "off") != "off"
    return session.counts and enough_agreed(None if has_target else session.rounds)


class Standing(StrEnum):
    """RATED matches make leaderboards; ratings go by rounds. PRACTICE ones, too short or of one
    human alone, are in the history and in their players' statistics. DROPPED ones had no finished
    round: they are kept for the operator's figures only. VOID ones were taken back by a
    moderator; the history says so.
    """

    RATED = "rated"
    PRACTICE = "practice"
    DROPPED = "dropped"
    VOID = "void"


def standing(session: Session) -> Standing:
    """Of a match as it ended; VOID is for a moderator to say."""
    if not session.history:
        return Standing.DROPPED
    target = session.options.get("target", "off")
    reached = target != "off" and max(session.totals) >= int(target)
    enough = reached or len(session.history) >= ENOUGH_ROUNDS
    return Standing.RATED if session.counts and enough else Standing.PRACTICE


def is_practice(session: Session) -> bool:
    return standing(session) is Standing.PRACTICE
