"""Changes of a table that others can see. Any other redraws only its player's panel."""

from bot.tables.decisions.decide import Decision, Done, Move
from bot.tables.state import events as e
from bot.tables.state.session import Session


def is_visible_change(decision: Decision, made: Move | None, before: Session, now: Session) -> bool:
    """Return whether somebody else's screen may differ after a decision.

    `made`: the move that was decided, if it was one.

    A flip is seen only by the player who made it, and they get an answer. Of any other move the
    others see the place that it took, which is news, or how much its player has left. A posting
    that begins comes from drawing a picture, and must not lead to another.
    """
    if made is None:
        return isinstance(decision, Done) and decision.entries != (e.PostingBegun(),)
    if now.phase is not before.phase or now.news is not before.news:
        return True
    if now.lost_races != before.lost_races:
        return True
    if now.state is None or before.state is None:
        return True
    return now.game.left(now.state) != now.game.left(before.state)
