"""Screens of the records fit a phone and what Discord takes; pictures are told in words."""

from dataclasses import replace

import pytest

from bot.i18n import say
from bot.records.feat_models import Best, PersonalBests
from bot.records.feats import Category
from bot.records.models import LeaderboardPage, LeaderboardRow, Order, Person
from bot.records.periods import Period
from bot.records.ratings import Shown
from bot.screen import ASIDE, Screen, Sentence, Words
from bot.text import Month, Name
from bot.ui.records import leaderboard_pages
from bot.ui.records.card import Card, card_screen, figures_screen
from bot.ui.records.feats.badges import badges_screen
from bot.ui.records.feats.rivals import rivalry_lines
from bot.ui.records.leaderboard_pages import LeaderboardRequest, leaderboard_screen, request_of
from bot.ui.records.match_pages import match_screen
from bot.ui.render.marks import Reader
from bot.ui.toolkit import custom_id_words
from bot.ui.toolkit.command_router import NotOursError
from bot.ui.toolkit.player_names import Names
from tests.tables.test_screens import words
from tests.ui.limits import drawn as parts_of
from tests.ui.limits import fits, table_lines
from tests.ui.matches import HOSTILE, PEOPLE
from tests.ui.records import (
    LARGE,
    MET,
    MOST,
    WIDE,
    cards,
    details,
    leaderboard_screens,
    matches,
    names,
    rated,
    record_screens,
    stats,
)


@pytest.mark.parametrize("called", [PEOPLE, HOSTILE, WIDE, ("W" * 32,) * 12])
def test_every_screen_fits_whatever_people_call_themselves(called: tuple[str, ...]) -> None:
    for screen in record_screens(called):
        fits(screen)


@pytest.mark.parametrize("called", [PEOPLE, HOSTILE, WIDE, ("W" * 32,) * 12])
def test_no_record_is_a_table_of_typewriter_letters(called: tuple[str, ...]) -> None:
    for screen in (*leaderboard_screens(called), *stats(called), *matches(called)):
        assert list(table_lines(screen)) == []


def test_a_card_is_read_at_one_glance() -> None:
    """Seven lines with the title; eight where the two of you are on it."""
    for card in cards(PEOPLE):
        (words, *_) = card.blocks
        assert isinstance(words, Words)
        texts = [line.text for line in words.lines if isinstance(line, Sentence)]
        pair = any(text.key == "rivals.met" for text in texts)
        assert len(words.lines) <= (8 if pair else 7)


def test_buttons_of_records_keep_their_ids_on_a_tables_message() -> None:
    custom_ids = {
        part["custom_id"].split(":")[0]
        for screen in record_screens(PEOPLE)
        for part in parts_of(screen)
        if "custom_id" in part
    }
    assert custom_ids == {ASIDE, "lg1"}


@pytest.mark.parametrize("period", Period)
@pytest.mark.parametrize("order", Order)
def test_a_button_asks_for_what_it_says(period: Period, order: Order) -> None:
    ask = LeaderboardRequest("dice", LARGE, period, order, 12)
    prefix, subject, *words = ask.to_id(12).split(":")
    assert (prefix, subject) == (ASIDE, leaderboard_pages.SUBJECT)
    assert request_of(words) == ask


@pytest.mark.parametrize("word", ["", "-1", "1 ", "١", "1" * 16, "0x1"])
def test_a_number_that_was_made_up(word: str) -> None:
    with pytest.raises(NotOursError):
        custom_id_words.number(word)


# -- pictures --------------------------------------------------------------------------------


def test_the_picture_is_told_to_those_who_do_not_see_it() -> None:
    described = say(next(rated()), "en-US")
    assert described.replace("\N{NO-BREAK SPACE}", " ") == (
        "Line chart: Anna’s rating in Ligretto after each of 3 rated matches. "
        "First 1000 ± 205 (Jan 15, 2027), last 1050 (Jan 17, 2027), highest 1100 ± 90."
    )
    assert len(described) <= 256


def test_the_best_round_is_the_one_that_records_and_bests_have() -> None:
    """Practice is none: its rounds are bests of their own."""
    whole = PersonalBests("standard", Category.RANKED, 9, 3, Best(30, None))
    practice = PersonalBests("standard", Category.MASTER, 9, 3, Best(99, None))
    figures = figures_screen(Name("Anna"), "ligretto", MOST, [whole, practice])
    assert "best +30" in "\n".join(words(figures))


def test_nobodys_name_is_the_number_of_their_account() -> None:
    """A member of whom neither Discord nor the records have told a name yet."""
    screen = badges_screen(LARGE, Names({}, "en-US").of(Person(LARGE, None)), {}, 0)
    shown = str(parts_of(screen))
    assert "Badges · Player · 0 of" in shown


def test_a_whole_lead_has_no_decimal() -> None:
    met = replace(MET, matches=2, own=replace(MET.own, points=25))
    for theirs, lead in ((5, "+10 per"), (20, "+2.5 per"), (25, "(0 per")):
        one = replace(met, other=replace(MET.other, points=theirs))
        assert lead in "\n".join(words(Screen((Words(rivalry_lines(Name("Ben"), one)),))))


def test_todays_rating_is_in_no_line_of_another_time() -> None:
    """A season is over; a rating goes on. Where places go by rating, it is in every line."""
    row = LeaderboardRow(2, Person(LARGE, "Anna"), Shown(922, 260), 2, 0, 1.5)
    page = LeaderboardPage((row,), 0, 1, 2, row)
    for order, period, is_told in (
        (Order.SEASON, Month(2026, 11), False),
        (Order.WINS, Period.MONTH, False),
        (Order.WINS, Period.ALL, True),
        (Order.RATING, Period.WEEK, True),
    ):
        ask = LeaderboardRequest("ligretto", LARGE, period, order)
        (own,) = (one for one in words(leaderboard_screen(ask, page, names())) if "place" in one)
        assert ("922" in own) is is_told, order


def test_whoever_never_won_or_never_met_hears_no_zero() -> None:
    never = replace(MOST, streak=0, best_streak=0)
    assert "streak" not in "\n".join(words(card_screen(Card(LARGE, Name("Anna"), "dice", never))))
    unmet = Card(LARGE, Name("Anna"), "dice", never, met=replace(MET, matches=0))
    shown = "\n".join(words(card_screen(unmet)))
    assert "You and Anna: no leaderboard match yet" in shown
    assert "0 matches" not in shown


def test_points_of_a_past_match_are_one_or_many() -> None:
    """French, for which 0 is one, had a singular for every total that came without its count."""
    screen = match_screen(details(HOSTILE, 1), 0, 0, names())
    parts = parts_of(screen, Reader("fr"))
    assert "−100 points" in "\n".join(part.get("content", "") for part in parts)
