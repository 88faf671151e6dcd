"""Screens of the records fit a phone and what Discord takes; pictures are told in words."""

from collections.abc import Iterator

import pytest

from bot.demo.fakediscord.validate import Components, Form
from bot.games.screen import Screen, Text
from bot.i18n import say
from bot.records.figures import Order
from bot.records.periods import Period
from bot.ui.components import RECORDS, layout
from bot.ui.desk import NotOursError
from bot.ui.names import columns
from bot.ui.records import boards, ids
from bot.ui.records.boards import Ask, asked
from tests.ui.matches import HOSTILE, PEOPLE, TABLE
from tests.ui.records import LARGE, WIDE, board_screens, matches, rated, record_screens, stats
from tests.ui.test_components import PAYLOAD, TEXT, nested, sent

PHONE = 25
"""Columns of a code block on a phone of 390 px."""


def fits(screen: Screen) -> None:
    """Raises when Discord would refuse this screen."""
    payload = sent(layout(screen, TABLE, "en-US"))
    parts = list(nested(payload))
    texts = [part["content"] for part in parts if part["type"] == TEXT]
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(parts) <= 40
    assert sum(map(len, texts)) <= 4000
    assert sum(len(text.encode()) for text in texts) + 12 * len(parts) <= PAYLOAD
    assert len(set(ids)) == len(ids)
    assert all(len(one) <= 100 for one in ids)
    assert all(len(part["components"]) <= 3 for part in parts if part["type"] == 1)
    Components(Form(), v2=True, known_emojis=set(), files=set()).message(payload)


def tables(screen: Screen) -> Iterator[str]:
    """The lines of its code blocks."""
    for part in nested(sent(layout(screen, TABLE, "en-US"))):
        if part["type"] == TEXT:
            for block in part["content"].split("```")[1::2]:
                yield from block.splitlines()


@pytest.mark.parametrize("called", [PEOPLE, HOSTILE, WIDE, ("W" * 32,) * 12])
def test_every_screen_fits_whatever_people_call_themselves(called: tuple[str, ...]) -> None:
    for screen in record_screens(called):
        fits(screen)


@pytest.mark.parametrize("called", [PEOPLE, HOSTILE, WIDE, ("W" * 32,) * 12])
def test_every_table_is_as_wide_as_a_phone_at_most(called: tuple[str, ...]) -> None:
    for screen in (*board_screens(called), *stats(called), *matches(called)):
        for line in tables(screen):
            assert columns(line) <= PHONE, line


def test_buttons_of_records_keep_their_ids_on_a_tables_message() -> None:
    ids = {
        part["custom_id"].split(":")[0]
        for screen in record_screens(PEOPLE)
        for part in nested(sent(layout(screen, TABLE, "en-US")))
        if "custom_id" in part
    }
    assert ids == {RECORDS, "lg1"}


@pytest.mark.parametrize("key", ["board.rating", "board.wins", "board.points", "board.played"])
def test_headings_leave_room_for_names(key: str) -> None:
    assert columns(say(Text(key), "en-US")) <= 6


@pytest.mark.parametrize("period", Period)
@pytest.mark.parametrize("order", Order)
def test_a_button_asks_for_what_it_says(period: Period, order: Order) -> None:
    ask = Ask("dice", LARGE, period, order, 12)
    prefix, subject, *words = ask.to_id(12).split(":")
    assert (prefix, subject) == (RECORDS, boards.SUBJECT)
    assert asked(words) == ask


@pytest.mark.parametrize("word", ["", "-1", "1 ", "١", "1" * 16, "0x1"])
def test_a_number_that_was_made_up(word: str) -> None:
    with pytest.raises(NotOursError):
        ids.number(word)


# -- pictures --------------------------------------------------------------------------------


def test_the_picture_is_told_to_those_who_do_not_see_it() -> None:
    described = say(next(rated()), "en-US")
    assert described == (
        "Line: the rating of Anna in Ligretto after each of 3 rated matches. "
        "First 1000, last 1050, best 1100."
    )
    assert len(described) <= 256
