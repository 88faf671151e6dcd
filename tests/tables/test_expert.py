"""An expert round at a table: a lay in two presses, its panel, and the stop in the row."""

from dataclasses import replace

from bot.games.ligretto.model import State
from bot.games.values import Refused, Seat
from bot.i18n import say
from bot.screen import Row, Screen, Sentence, Style, Words
from bot.tables.decisions import decide as d
from bot.tables.decisions.decide import Done
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.running.table import Ask, Table
from bot.tables.state.session import Phase
from bot.tables.views.plain_words import in_plain_words
from bot.tables.views.screens.panel import note, panel
from tests.games.ligretto.board import board
from tests.tables.table import ANNA, BEN, CHLOE, USERS, SlowJournal, press, table


def expert() -> State:
    """Two columns take the red five, Anna's last Ligretto card."""
    return board(
        """
        0  row g7 b8 y2 | ligretto r5 | hand y5 | discard b4
        1  row b6 b7 b8 | ligretto y9 y8 | hand g1
        2  row b6 b7 b8 | ligretto y9 y8
        """,
        expert=True,
    )


def buttons(at: Table, seat: Seat) -> list[str]:
    """The words of a person's panel; `+` before those that stand out."""
    user = USERS[seat]
    screen = panel(at.session, user, Presence(at.session.lived), None, at.half(user))
    rows = (block for block in screen.blocks if isinstance(block, Row))
    return [
        ("+" if choice.style is Style.SUCCESS else "") + choice.word
        for row in rows
        for choice in row.choices
        if not choice.off
    ]


def half(seat: Seat, word: str) -> Ask:
    return lambda session, _: d.half(session, seat, word)


async def test_half_a_lay_changes_the_panel_of_who_made_it_and_nothing_else() -> None:
    journal = SlowJournal()
    at = table(expert(), journal)
    before = at.session, [buttons(at, seat) for seat in (ANNA, BEN, CHLOE)]
    asked = await at.press(half(ANNA, "r5>"), press(ANNA, 1))
    assert isinstance(asked, Done)
    assert buttons(at, ANNA) == ["+r5>0", "+r5>1", "r5", "panel", "b4", "b4>0", "flip:0"]
    assert [buttons(at, seat) for seat in (BEN, CHLOE)] == before[1][1:]
    assert (at.session, journal.entries) == (before[0], [])
    await at.press(lambda session, _: d.panel(session, USERS[ANNA]), press(ANNA, 2))
    assert buttons(at, ANNA) == before[1][0]


async def test_the_column_of_the_last_card_is_asked_for_as_of_any_other() -> None:
    """Unanswered it would look as if nothing had been pressed, and a second press is Back."""
    at = table(expert())
    before = told(panel(at.session, USERS[ANNA], Presence(at.session.lived), None))
    assert any("Last card" in line for line in before)
    asked = await at.press(half(ANNA, "r5>"), press(ANNA, 1))
    assert isinstance(asked, Done)
    now = Presence(at.session.lived)
    shown = panel(at.session, USERS[ANNA], now, note(asked), at.half(USERS[ANNA]))
    for screen in (shown, in_plain_words(shown)):
        assert "**R5 on which column?**" in told(screen)
        assert not any("Last card" in line for line in told(screen))


def told(screen: Screen) -> list[str]:
    """The news of a panel, in English."""
    lines = [line for block in screen.blocks if isinstance(block, Words) for line in block.lines]
    return [say(line.text, "en-US") for line in lines if isinstance(line, Sentence)]


async def test_half_a_lay_that_is_refused_asks_nothing() -> None:
    at = table(expert())
    refused = await at.press(half(ANNA, "y5>"), press(ANNA, 1))
    assert isinstance(refused, Refused)
    assert at.half(USERS[ANNA]) is None


async def test_the_last_ligretto_card_on_a_column_stops_the_round_for_everybody() -> None:
    at = table(expert())
    laid = await at.move(ANNA, "r5>1", 0.0, press(ANNA, 1))
    assert isinstance(laid, Done)
    assert at.session.phase is Phase.READY
    for seat, word in ((BEN, "flip:0"), (ANNA, "b4>0"), (ANNA, "r5>0")):
        late = await at.move(seat, word, 0.1, press(seat, 2))
        assert late == Refused(TableRefusal.ROUND_OVER)
    assert await at.press(half(ANNA, "r5>"), press(ANNA, 3)) == Refused(TableRefusal.ROUND_OVER)


async def test_a_table_with_assist_points_out_where_a_ligretto_card_goes() -> None:
    """It stands out without it only where it would end the round."""
    at = table(expert())
    assert "+r5>" in buttons(at, ANNA)
    anna, *others = expert().seats
    assert anna is not None
    two = replace(anna, ligretto=(*anna.ligretto, *anna.hand), hand=())
    at.session = replace(at.session, state=replace(expert(), seats=(two, *others)))
    assert "r5>" in buttons(at, ANNA)
    at.session = replace(at.session, options={**at.session.options, "assist": "on"})
    assert "+r5>" in buttons(at, ANNA)
