"""The urgency of a push to a panel, and the calls it leaves to others: pure values."""

from dataclasses import dataclass, replace
from enum import IntEnum

from bot.tables.state.session import BEFORE_DEAL, Phase, Session

COUNTED = 5
"""People whose panels count down where a channel may take few calls. With more the table's message
alone does: a count and two deals would fill a minute.
"""
FEW = 8
"""People with whom panels that were overtaken by a press leave room for everybody's news."""


class Worth(IntEnum):
    """The worth of a call to a player, least first."""

    NOTHING = 0  # the table's message shows it
    TIDY = 1  # a message that is no longer needed is deleted
    NEWS = 2
    LAST = 3  # how the panel is woken: soon nothing can be said on it
    TURN = 4  # the panel still shows what is over, or no count, or may show it as before a press
    DEAL = 5  # the cards are on the table, or it is now or never


RANKS = {Worth.LAST: 0, Worth.TIDY: 2}
"""The places in line: a last word before all news, a call that only tidies behind them."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One push's claim on its channel.

    `leaves`: the calls of a deal, for which room is kept; `promised`: the cards that are about to
    be dealt, behind which a call goes that leaves nothing; `is_kept_short`: true if a deal is near,
    so that nothing is tried; `since`: when the panel was last brought up to date, in seconds on the
    monotonic clock. Of several panels with news the one that has waited longest goes first.
    """

    worth: Worth
    leaves: int = 0
    is_kept_short: bool = False
    since: float = 0.0
    promised: int = 0

    @property
    def place(self) -> tuple[int, float]:
        """The place in line: the lower the earlier."""
        return RANKS.get(self.worth, 1), self.since


def claim(
    shown: Session | None,
    now: Session,
    *,
    is_dealt: bool,
    is_free: bool,
    says_why: bool = True,
    since: float = 0.0,
) -> Claim:
    """Return the claim of a panel that shows this session, None for an unknown one.

    `is_dealt`: the cards are dealt and it has never shown them; `is_free`: its channel takes
    whatever is sent; `says_why`: it says why the table message stands still, if it does;
    `since`: as in `Claim`. The next match isn't dealt for a while, so that its end leaves less.
    """
    if is_dealt:
        return Claim(Worth.DEAL)
    if now.phase in (Phase.OVER, Phase.CLOSED):
        is_known = shown is not None and shown.phase is now.phase
        worth = Worth.NEWS if is_known else Worth.TURN
        return Claim(worth, _people(now) // 2, since=since)
    worth = Worth.NEWS if is_free or not says_why else _worth(shown, now)
    return Claim(worth, _people(now), now.phase in BEFORE_DEAL, since)


def beside(asked: Claim, people: int) -> Claim:
    """Return this claim where so many people at other tables are dealt cards as well."""
    return replace(asked, leaves=asked.leaves + people) if people else asked


def overtaken(asked: Claim) -> Claim:
    """Return this claim for a panel that may show an older picture than its player's own press.

    Where many play it stays in line: else such panels take what is there for those who look on.
    """
    is_urgent = asked.worth is Worth.NEWS and asked.leaves <= FEW
    return replace(asked, worth=Worth.TURN) if is_urgent else asked


def of_leaver(asked: Claim) -> Claim:
    """Return this claim for a panel that shows the cards of somebody who has left: it is over."""
    return replace(asked, worth=max(asked.worth, Worth.TURN))


def last_word(*, may_wait: bool) -> Claim:
    """Return the claim of a panel's last word. `may_wait`: its token still lives for a while."""
    return Claim(Worth.LAST if may_wait else Worth.DEAL)


def tidying(now: Session) -> Claim:
    """Return the claim of deleting a message that is no longer needed: after the next deal."""
    return Claim(Worth.TIDY, _people(now), now.phase in BEFORE_DEAL)


def _people(now: Session) -> int:
    """Return how many wait for the next cards. In a lobby more may come: it may become full."""
    return now.game.seats.stop - 1 if now.phase is Phase.LOBBY else len(now.humans_in)


def _worth(shown: Session | None, now: Session) -> Worth:
    if shown is None:
        return Worth.NEWS
    is_same = (shown.phase, shown.round) == (now.phase, now.round)
    match now.phase:
        case Phase.COUNT:
            return Worth.NOTHING if is_same or _people(now) > COUNTED else Worth.TURN
        case Phase.READY:
            was_waiting = shown.phase in (Phase.LOBBY, Phase.READY)
            return Worth.NOTHING if was_waiting else Worth.TURN
        case _:
            return Worth.NEWS
