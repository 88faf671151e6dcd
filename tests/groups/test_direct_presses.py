"""Which presses are handed over, and what a table makes of their time."""

from typing import Any

import pytest

from bot.tables.presses.claims import Claims
from bot.tables.presses.press import IN_LINE
from bot.tables.state.session import Session
from bot.ui.presses.handed_over import table_of
from tests.tables.table import ANNA, BEN, live, race

COMMAND, BUTTON, FORM = 2, 3, 5
ON_TABLE = {"custom_id": "lg1:17:1:flip"}


@pytest.mark.parametrize(
    ("press", "table"),
    [
        ({"type": BUTTON, "data": ON_TABLE}, 17),
        ({"type": FORM, "data": {"custom_id": "lg1:17:0:send"}}, 17),
        ({"type": BUTTON, "data": ON_TABLE, "guild_id": "7"}, None),
        ({"type": BUTTON, "data": {"custom_id": "la1:17:join"}}, None),
        ({"type": BUTTON, "data": {"custom_id": "ld1:17:ligretto:flip"}}, None),
        ({"type": BUTTON, "data": {"custom_id": "lr1:rules:open:dice"}}, None),
        ({"type": COMMAND, "data": {"name": "ping"}}, None),
        ({"type": BUTTON}, None),
    ],
)
def test_only_presses_on_tables_in_direct_messages_are_handed_over(
    press: dict[str, Any], table: int | None
) -> None:
    assert table_of(press) == table


def raced() -> tuple[Claims, Session]:
    """Ben has taken a place with a press that arrived at second 5."""
    session, claims = live(race()), Claims()
    claims.taken(session, "R2", BEN, 5.0)
    return claims, session


def test_press_that_arrived_first_and_came_second_lost_by_nothing() -> None:
    """It came from another group: the hop took longer than the other press was behind it."""
    claims, session = raced()
    contest = claims.contest(session, "R2", ANNA, None, 4.999)
    assert contest is not None
    assert (contest.rival, contest.margin) == (BEN, 0)


def test_press_older_than_any_may_be_is_a_bug() -> None:
    claims, session = raced()
    with pytest.raises(AssertionError, match="later"):
        claims.contest(session, "R2", ANNA, None, 5.0 - IN_LINE - 0.1)
