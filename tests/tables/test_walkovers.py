"""Whoever wins because others left: a sign and words of their own, and no crown."""

from dataclasses import replace

from bot.games.values import Seat
from bot.i18n import say
from bot.tables.decisions import decide as d
from bot.tables.decisions import highlights
from bot.tables.state.session import Phase, Session
from bot.tables.views.results.standings import described, score_rows
from tests.tables.test_screens import ended, words
from tests.tables.views import panel, public
from tests.ui.matches import HOST, accepted, lobby, user

THREE = ["Anna", "Ben", "Cem"]


def left(session: Session, *seats: int) -> Session:
    for seat in seats:
        session = accepted(session, d.leave(session, user(seat)))
    return session


def headline(session: Session) -> str:
    return words(public(session, 0))[0]


def walkover() -> Session:
    """Ben had more points than Anna, and left."""
    return left(ended(lobby(["Anna", "Ben"]), ((5, 0), (12, 0))), 1)


def test_a_winner_with_fewer_points_wins_since_others_left() -> None:
    over = walkover()
    assert over.phase is Phase.OVER
    lines = words(public(over, 0))
    assert lines[0] == "FLAG Anna wins: Ben left"
    assert lines[2:4] == ["GOLD **Anna** · 5 points STOP", "SILVER **Ben** · 12 points FLAG"]
    assert not any("CROWN" in line for line in lines)
    assert words(panel(over, HOST, 0))[0] == "FLAG You win: Ben left"


def test_the_picture_and_its_words_show_who_left() -> None:
    over = walkover()
    assert [(one.seat, one.left) for one in score_rows(over)] == [(1, False), (2, True)]
    assert "2. Ben +12, 12 in total, left" in say(described(over), "en-US")


def test_nobody_comes_back_by_staying() -> None:
    assert highlights.come_back(walkover()) is None


def test_a_best_round_that_was_reached_twice_is_not_named() -> None:
    twice = ended(lobby(["Anna", "Ben"]), ((5, 0), (9, 0)), ((9, 0), (31, 0)), ((9, 0), (31, 0)))
    assert highlights.best_of_all(twice) is None
    once = ended(lobby(["Anna", "Ben"]), ((5, 0), (9, 0)), ((9, 0), (31, 0)), ((9, 0), (30, 0)))
    best = highlights.best_of_all(once)
    assert best is not None
    assert (best.seat, best.number) == (1, 2)


def test_several_win_and_several_have_left() -> None:
    session = ended(lobby([*THREE, "Dora"], rounds="2"), ((5, 0), (12, 0), (9, 0), (5, 0)))
    over = ended(left(session, 1, 2), ((1, 0), (0, 0), (0, 0), (1, 0)))
    assert headline(over) == "FLAG Anna and Dora win: Ben and Cem left"


def test_a_crown_is_for_the_most_points_even_if_others_left() -> None:
    ahead = left(ended(lobby(["Anna", "Ben"]), ((12, 0), (5, 0))), 1)
    assert headline(ahead) == "CROWN Anna wins!"
    assert words(panel(ahead, HOST, 0))[0] == "GOLD You win!"
    level = left(ended(lobby(["Anna", "Ben"]), ((5, 0), (5, 0))), 1)
    assert headline(level) == "FLAG Anna wins: Ben left"


def test_a_match_that_everybody_left_is_won_by_points() -> None:
    session = ended(lobby(THREE, rounds="2"), ((5, 0), (12, 0), (1, 0)))
    chairs = tuple(replace(chair, left=True) for chair in session.chairs)
    assert replace(session, chairs=chairs).conceded == ()
    assert replace(session, chairs=chairs).winners == (Seat(1),)
