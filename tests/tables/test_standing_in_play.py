"""Who has how much, who leads and who is awaited: what a table tells without doubt."""

import pytest

from bot.screen import Bar, Screen, Words
from bot.tables.decisions import decide as d
from tests.tables.test_screens import ended, words
from tests.tables.views import panel, public
from tests.ui.matches import HOST, PEOPLE, accepted, live, lobby, match_over, started


def bars(screen: Screen) -> list[tuple[int | None, int]]:
    lines = (line for block in screen.blocks if isinstance(block, Words) for line in block.lines)
    return [(line.left, line.top) for line in lines if isinstance(line, Bar)]


@pytest.mark.parametrize(("players", "dice"), [(2, 12), (3, 8), (4, 6)])
def test_a_bar_is_full_at_the_deal(players: int, dice: int) -> None:
    session = live(lobby(PEOPLE[:players], game="dice"))
    assert bars(public(session, 0)) == [(dice, dice)] * players


def test_a_bar_of_cards_is_full_at_the_deal() -> None:
    assert bars(public(live(lobby(PEOPLE[:3])), 0)) == [(10, 10)] * 3


def test_twelve_in_play_see_who_leads_and_by_how_much() -> None:
    session = live(lobby(PEOPLE))
    assert not any("Points" in line for line in words(public(session, 0))), "nobody does yet"
    session = live(ended(lobby(PEOPLE), tuple((n, 0) for n in range(12))))
    assert "Points: **11** Lea · **10** Kim" in words(public(session, 0))


def test_robots_are_not_awaited_and_not_named() -> None:
    session = started(lobby(PEOPLE[:2], computers=3))
    session = accepted(session, d.ready(session, HOST))
    lines = words(public(session, 0))
    assert "READY Anna" in lines
    assert "WAITING **Ben**" in lines
    assert not any("Robot" in line for line in lines)


def test_no_number_runs_into_a_name_at_the_end() -> None:
    session = match_over(lobby(("Anna",), computers=11, rounds="1"))
    for seat, chair in enumerate(session.chairs):
        place, total = session.places[seat], session.totals[seat]
        told = f"**{chair.name}** · {total} point".replace("-", "−")
        (line,) = (one for one in words(public(session, 0)) if told in one)
        assert line.startswith(("GOLD", "SILVER", "BRONZE", f"#{place} "))


def test_a_place_below_the_medals_is_said_once() -> None:
    session = ended(lobby(PEOPLE[:4], rounds="1"), ((0, 4), (12, 0), (13, 0), (14, 0)))
    assert words(panel(session, HOST, 0))[0] == "Place 4 of 4"
    between = ended(lobby(PEOPLE[:4], rounds="2"), ((0, 4), (12, 0), (13, 0), (14, 0)))
    assert words(panel(between, HOST, 0))[0] == "Place 4 of 4 in round 1"


def test_a_place_is_of_how_many_and_only_when_somebody_is_ahead() -> None:
    session = live(lobby(PEOPLE[:3], game="dice"))
    assert words(panel(session, HOST, 0))[0] == "Dice: **8** you · **8** Ben"
