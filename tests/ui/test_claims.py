"""How urgent a push is, and what it leaves to others."""

from dataclasses import replace

import pytest

from bot.tables.state.session import Phase, Session
from bot.ui.limits.urgency import Claim, Worth, beside, claim
from tests.ui.matches import lobby

LOBBY = lobby([f"p{number}" for number in range(8)])
READY, COUNT, LIVE, OVER = (
    replace(LOBBY, phase=phase) for phase in (Phase.READY, Phase.COUNT, Phase.LIVE, Phase.OVER)
)


@pytest.mark.parametrize(
    ("shown", "now", "worth", "leaves"),
    [
        (LOBBY, LOBBY, Worth.NEWS, 12),
        (LOBBY, READY, Worth.NOTHING, 8),
        (READY, READY, Worth.NOTHING, 8),
        (None, READY, Worth.NEWS, 8),
        (LIVE, READY, Worth.TURN, 8),
        (COUNT, READY, Worth.TURN, 8),
        (READY, COUNT, Worth.NOTHING, 8),
        (COUNT, COUNT, Worth.NOTHING, 8),
        (LIVE, LIVE, Worth.NEWS, 8),
        (LIVE, OVER, Worth.TURN, 4),
        (OVER, OVER, Worth.NEWS, 4),
    ],
)
def test_claims_where_little_is_known(
    shown: Session | None, now: Session, worth: Worth, leaves: int
) -> None:
    found = claim(shown, now, is_dealt=False, is_free=False)
    assert (found.worth, found.leaves) == (worth, leaves)


@pytest.mark.parametrize(("people", "worth"), [(5, Worth.TURN), (6, Worth.NOTHING)])
def test_panels_of_few_people_count_down(people: int, worth: Worth) -> None:
    here = lobby([f"p{number}" for number in range(people)])
    ready, count = (replace(here, phase=phase) for phase in (Phase.READY, Phase.COUNT))
    assert claim(ready, count, is_dealt=False, is_free=False).worth is worth


def test_everything_is_pushed_where_nothing_is_refused() -> None:
    for now in (LOBBY, READY, COUNT, LIVE):
        assert claim(now, now, is_dealt=False, is_free=True).worth is Worth.NEWS


def test_tables_beside_leave_room_for_each_others_cards() -> None:
    for shown, now, own in ((LIVE, LIVE, 8), (LIVE, OVER, 4)):
        alone = claim(shown, now, is_dealt=False, is_free=False)
        assert (alone.leaves, beside(alone, 5).leaves) == (own, own + 5)


def test_cards_wait_for_nothing() -> None:
    assert claim(COUNT, LIVE, is_dealt=True, is_free=False) == Claim(Worth.DEAL)
