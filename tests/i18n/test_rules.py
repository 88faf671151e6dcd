"""The rules in short: only what holds at the table, on one screen of a phone."""

import pytest

from bot.games import GAMES
from bot.games.values import RulesPart
from bot.i18n import catalogues, say
from bot.screen import Row
from bot.tables.decisions import lobby as in_lobby
from bot.tables.state.options import defaults
from bot.tables.views.rules_in_short import Place, Terms, of_table
from bot.text import Name, Text
from bot.ui.commands.rules.command import rules_page
from bot.ui.render.components import layout
from bot.ui.render.marks import Reader
from tests.i18n.rules_pages import every_page
from tests.i18n.test_words import sitting_out
from tests.layout.geometry import PHONE, height
from tests.ui.limits import TEXT, drawn, sent
from tests.ui.matches import HOST, PEOPLE, TABLE, accepted, lobby

LANGUAGES = sorted(catalogues())
LINE = 22
SCREEN = {PHONE + 70: 30 * LINE, PHONE: 35 * LINE}
"""How many pixels a page may be high on phones of 390 px and of 320 px, in wide letters."""
BASICS, OPTIONS, SCORING = RulesPart
CARDS, DICE = GAMES["ligretto"], GAMES["dice"]


def said(terms: Terms, part: RulesPart, locale: str = "en-GB") -> str:
    parts = drawn(rules_page(terms, part, "n"), Reader(locale))
    return "\n".join(one["content"] for one in parts if one["type"] == TEXT)


def table(players: int = 2, game: str = "ligretto", **chosen: str) -> Terms:
    return of_table(lobby(PEOPLE[:players], 0, game, **chosen))


@pytest.mark.parametrize("locale", LANGUAGES)
def test_each_part_of_the_rules_fits_one_phone_screen(locale: str) -> None:
    for page in dict.fromkeys(every_page()):
        (container,) = sent(layout(page, TABLE, Reader(locale)))
        for inner, most in SCREEN.items():
            tall = height(container["components"], inner)
            assert tall <= most, (inner, tall, container["components"][0]["content"])


@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_paragraph_begins_with_its_subject(locale: str) -> None:
    for page in dict.fromkeys(every_page()):
        title, *lines = drawn(page, Reader(locale))[1]["content"].split("\n")
        assert title.startswith("## ")
        assert all(line.startswith(("**", "-# ")) for line in lines), lines


def test_row_has_as_many_cards_as_its_players_get() -> None:
    rows = {players: said(table(players), BASICS) for players in (2, 3, 4, 12)}
    lengths = {2: 5, 3: 4, 4: 3, 12: 3}
    for players, words in rows.items():
        assert f"A row of {lengths[players]} (with {players} players)" in words
    for unknown in (table(1), Terms(CARDS)):
        assert "A row of 3 (4 with three players, 5 with two)" in said(unknown, BASICS)


def test_dice_are_as_many_as_the_players_get() -> None:
    shares = {players: said(table(players, "dice"), BASICS) for players in (2, 3, 4)}
    for players, dice in {2: 12, 3: 8, 4: 6}.items():
        assert f"{dice} (with {players} players) of the 24" in shares[players]
    for unknown in (table(1, "dice"), Terms(DICE)):
        assert "12 (8 with three players, 6 with four) of the 24" in said(unknown, BASICS)


def test_whoever_sits_a_round_out_is_not_counted() -> None:
    """Three at the table, two dealt in: those two have five cards in their rows."""
    waiting, playing = sitting_out()
    assert len(waiting.chairs) == len(playing.chairs) == 3
    for session in (waiting, playing):
        assert "A row of 5 (with 2 players)" in said(of_table(session), BASICS)


def test_only_the_refill_that_was_chosen_is_told() -> None:
    auto, hand = table(refill="auto"), table(refill="hand")
    expert = table(variant="expert", refill="auto")
    assert "fills it by itself" in said(auto, BASICS)
    assert "refills by itself" in said(auto, OPTIONS)
    assert "Ligretto pile, now or later" in said(hand, BASICS)
    assert "filled by hand" in said(hand, OPTIONS)
    assert "Ligretto or discard pile, now or later" in said(expert, BASICS)
    assert "by itself" not in said(hand, BASICS) + said(hand, OPTIONS) + said(expert, OPTIONS)


def test_expert_game_is_told_only_where_it_is_played() -> None:
    for part in RulesPart:
        assert "onto your own row" not in said(table(), part)
    assert "onto your own row" in said(table(variant="expert"), OPTIONS)
    assert "onto your own row" in said(Terms(CARDS), OPTIONS), "a host can choose it"


def test_length_is_the_one_that_was_chosen() -> None:
    assert "**Length:** 1 round." in said(table(rounds="1"), OPTIONS)
    target = table(target="99")
    assert "Until someone has 99 points, 30 rounds at most" in said(target, OPTIONS)
    assert "in which someone reaches 99" in said(target, SCORING)
    assert "99" not in said(table(), OPTIONS) + said(table(), SCORING)
    assert "**Length:** 9 rounds." in said(table(3, "dice"), OPTIONS)
    assert "**Length:** 4 rounds." in said(table(3, "dice", rounds="4"), OPTIONS)


def test_hints_are_told_where_they_are_on() -> None:
    assert "Hints" in said(table(assist="on"), OPTIONS)
    assert "Hints" not in said(table(), OPTIONS)


def test_uneven_dice_are_told_by_name() -> None:
    first = lobby(PEOPLE[:2], game="dice", extra="2")
    uneven = of_table(accepted(first, in_lobby.set_seat_option(first, HOST, 1, "dice", "child")))
    assert "Anna (13 dice), Ben (11 dice)" in said(uneven, OPTIONS)
    assert "shared out unevenly: see Options" in said(uneven, BASICS)
    assert "Handicap" not in said(of_table(first), OPTIONS), "two grown-ups get the same"


def test_page_without_a_table_tells_the_defaults() -> None:
    """From the options themselves, so that another default or limit is told too."""
    words = said(Terms(CARDS), OPTIONS)
    assert "1 to 18 rounds (default: 3)" in words, "as many as Discord's list has room for"
    assert "25 to 300 points, 30 rounds at most" in words
    own = {option.key: option.default for option in CARDS.options}
    assert own["refill"] == "auto"
    assert "refill by themselves (default)" in words
    assert own["variant"] == "standard"
    assert "Expert (default: standard)" in words
    dice = said(Terms(DICE), OPTIONS)
    assert {option.key: option.default for option in DICE.options}["rounds"] == "full"
    assert "3 rounds per player (default)" in dice
    assert "1 to 4 more dice" in dice


def test_scoring_says_that_ending_a_round_can_lose_it() -> None:
    words = said(table(), SCORING)
    for told in (
        "you can end a round and still lose it",
        "nobody can ever play a card again. It’s scored as it stands",
        "**End round:** If everyone in the round agrees, it ends and is scored as it stands.",
        "**Leaving:** Your cards and points stay, but only players who are still in can win.",
        "Ties share the win.",
    ):
        assert told in words
    assert "it ends, doesn’t count and is dealt again" in said(table(2, "dice"), SCORING)


def test_arena_and_daily_tell_what_counts_there() -> None:
    arena = Terms(CARDS, Place.ARENA, defaults(CARDS))
    assert "One round per table" in said(arena, OPTIONS)
    assert "1 for each player behind you" in said(arena, SCORING)
    assert "agrees, it ends and doesn’t count" in said(arena, SCORING)
    daily = Terms(DICE, Place.DAILY, defaults(DICE), (Name(""),) * 3)
    assert "It’s never rated" in said(daily, OPTIONS)
    assert "8 (with 3 players)" in said(daily, BASICS)
    assert "fewest presses" in said(daily, SCORING)
    for there in ("End round", "Leaving"):
        assert there not in said(daily, SCORING), "nobody else is in a round alone"
        assert there in said(arena, SCORING)


def test_page_marks_its_own_part_and_leads_to_the_others() -> None:
    page = rules_page(table(), OPTIONS, "t7")
    parts = next(block for block in page.blocks if isinstance(block, Row))
    assert [(one.word, one.off) for one in parts.choices] == [
        ("basics:ligretto:t7", False),
        ("options:ligretto:t7", True),
        ("scoring:ligretto:t7", False),
    ]


def test_the_dutch_expert_variant_goes_down() -> None:
    """One of the printed sheets has it the wrong way round."""
    words = say(Text("ligretto.rules.expert"), "nl")
    assert "aflopend" in words
    assert "oplopend" not in words
