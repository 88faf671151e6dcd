"""Two dice for one place: the same law as for cards, at the same table."""

import asyncio
from dataclasses import replace

from bot.games.dice import DICE
from bot.games.dice.rules import MoveRefusal
from bot.games.values import Refused
from bot.i18n import say
from bot.tables.decisions.decide import Done
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.journal import TableId
from bot.text import Icon, Name, margin
from tests.games.dice.board import board
from tests.games.states import seat_dice
from tests.tables.clock import HandClock
from tests.tables.table import ANNA, BEN, USERS, SlowJournal, live, race
from tests.tables.unowned import new_table


def dice_table(journal: SlowJournal) -> Table:
    """Anna and Ben both show a yellow one, Anna as her die 1, Ben as his die 0."""
    state = board(("r5 y1 g2", "y1 r1 b6", "g3 g4 g5"))
    session = live(race())
    options = {option.key: option.default for option in DICE.options}
    opened = replace(session.opened, game="dice", options=options)
    session = replace(session, opened=opened, options=options, state=state)
    return new_table(TableId(1), session, 10, journal, HandClock())


async def test_the_first_die_on_a_place_has_it_and_the_other_stays_in_play() -> None:
    journal = SlowJournal()
    one = dice_table(journal)
    one.shown(USERS[ANNA], one.session)
    won, lost = await asyncio.gather(
        one.move(BEN, "y1#0", 5.0, None), one.move(ANNA, "y1#1", 5.031, None)
    )
    assert isinstance(won, Done)
    assert lost == Refused(
        TableRefusal.TOO_LATE, (("card", Icon("yd1")), ("who", Name("Ben")), ("ms", margin(31)))
    )
    assert say(lost.text, "en") == "Too late for YD1"
    assert not seat_dice(one.session, ANNA).dice[1].placed
    assert journal.entries[1] == e.Rejected(ANNA, "y1#1", ("place", 1), "Y1", BEN, 31)


async def test_a_die_whose_place_was_seen_to_go_simply_does_not_fit() -> None:
    one = dice_table(SlowJournal())
    await one.move(BEN, "y1#0", 0.0, None)
    one.shown(USERS[ANNA], one.session)
    late = await one.move(ANNA, "y1#1", 0.4, None)
    assert isinstance(late, Refused)
    assert late.why is MoveRefusal.NO_FIT
    assert dict(late.values)["needs"] == Icon("yd2")


async def test_two_presses_on_roll_are_one_roll() -> None:
    journal = SlowJournal()
    one = dice_table(journal)
    _, again = await asyncio.gather(
        one.move(ANNA, "roll:0", 5.0, None), one.move(ANNA, "roll:0", 5.05, None)
    )
    assert isinstance(again, Refused)
    assert again.why is MoveRefusal.ROLLED_ALREADY
    assert journal.entries == [e.Moved(ANNA, "roll:0")]
    assert seat_dice(one.session, ANNA).rolls == 1
