"""Whatever somebody sends in place of a button or a list: one polite answer, and no harm done."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.games.dice.model import SeatDice
from bot.games.dice.model import State as Dice
from bot.games.ligretto.model import SeatCards
from bot.games.ligretto.model import State as Cards
from bot.games.values import Seat
from bot.ids import UserId
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Session
from tests.ui.managing import someone
from tests.ui.simulated import EPHEMERAL, Person, SimulatedBot, simulated_bot, words

SUBJECTS = (
    *("board", "top", "history", "match", "replay", "log", "watch", "rounds", "round", "share"),
    *("records", "record", "stats", "badges", "badges_page"),
    *("settings", "privacy", "moderate"),
)
PARTS: tuple[str, ...] = (
    "0",
    "1",
    "2",
    "99",
    "-1",
    "9" * 15,
    "ligretto",
    "dice",
    "all",
    "week",
    "rating",
    "wins",
    "x",
)
PARTS += (
    "general",
    "game",
    "set",
    "language",
    "logs",
    "rounds",
    "export",
    "forget",
    "keep",
    "close",
)
TABLES = (1, 2, 3, 99, 10**14)
PLAIN = (
    "join",
    "start",
    "add",
    "remove",
    "options",
    "ready",
    "deal",
    "end",
    "rematch",
    "panel",
    "down",
)

text = st.text(st.characters(codec="utf-8"), max_size=100)
ascii_ = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=60)
moves = st.from_regex(r"[rygb](10|[1-9])(>[0-4]?)?|(flip|roll):[0-9]{1,3}", fullmatch=True)
choices = st.builds("set.{}={}".format, st.sampled_from(PARTS), st.sampled_from(PARTS))
votes = st.integers(0, 2**70).map("release.{}".format)
of_tables = st.builds(
    "lg1:{}:{}:{}".format,
    st.sampled_from(TABLES),
    st.sampled_from([0, 1, 1, 1, 2, 999_999]),
    st.one_of(st.sampled_from(PLAIN), moves, moves, choices, votes, ascii_),
)
of_records = st.builds(
    lambda subject, parts: ":".join(("lr1", subject, *parts))[:100],
    st.sampled_from(SUBJECTS),
    st.lists(st.one_of(st.sampled_from(PARTS), ascii_), max_size=6),
)
LONGEST = 600
"""Characters of a journal line: a lobby as it opens, with all its options, is the longest."""


class Forged(NamedTuple):
    """Who sends it, on which message, what, and what is picked from a list that is none."""

    who: int
    on_panel: bool
    sent: str
    picked: list[str]
    direct: bool


forgeries = st.builds(
    Forged,
    st.integers(0, 4),
    st.booleans(),
    st.one_of(of_tables, of_tables, of_records, text),
    st.one_of(
        st.just([]), st.just([]), st.lists(st.one_of(st.sampled_from(PARTS), text), max_size=2)
    ),
    st.sampled_from([False, False, False, True]),
)


@contextmanager
def nothing_surprises() -> Iterator[None]:
    """No error and no traceback is logged meanwhile."""
    heard: list[logging.LogRecord] = []
    listener = logging.Handler(logging.WARNING)
    listener.handle = heard.append  # type: ignore[method-assign, assignment]
    logging.getLogger().addHandler(listener)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(listener)
    assert not [r.getMessage() for r in heard if r.exc_info or r.levelno >= logging.ERROR]


@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(forged=st.lists(forgeries, min_size=20, max_size=40))
async def test_every_forged_press_gets_one_polite_answer(forged: list[Forged]) -> None:
    """Two people at one table, two at another of the server, a stranger, and a manager."""
    with TemporaryDirectory() as folder, nothing_surprises():
        async with simulated_bot(Path(folder) / "forged.db") as sim:
            people = await sim.live("Anna", "Ben")
            there = sim.channel
            sim.channel = sim.guild.create_text_channel("other-table")
            (chloe,) = await sim.lobby("Chloe")
            everybody = [*people, chloe, sim.person("Stranger"), someone(sim, "Manager")]
            for one in forged:
                await sent(sim, everybody[one.who], one, there.id)
            assert await longest_line(sim) < LONGEST


@pytest.mark.parametrize("word", ["add", "remove"])
async def test_a_press_without_words_is_answered_on_a_panel(tmp_path: Path, word: str) -> None:
    """The table's message shows what it did. The panel has nothing to add."""
    async with simulated_bot(tmp_path / "forged.db") as sim:
        (anna,) = await sim.lobby("Anna")
        await anna.on_board("Add robot")
        pressed = Forged(0, on_panel=True, sent=f"lg1:1:0:{word}", picked=[], direct=False)
        await sent(sim, anna, pressed, sim.channel.id)


async def sent(sim: SimulatedBot, person: Person, one: Forged, channel: int) -> None:
    """One press, and what must hold after it."""
    messages = sim.env.backend.messages[channel].values()
    shown = [m for m in messages if bool(m.flags & EPHEMERAL) is one.on_panel][-1]
    before = sessions(sim)
    on = await person.letter() if one.direct else shown
    record = await person.press_old(on, one.sent, *one.picked)
    assert record.responded, f"{one} was not answered"
    if record.response_kind == "message":
        assert answer_of(sim, record)
    for table, session in sessions(sim).items():
        if table in before:
            nobody_else_is_touched(before[table], session, UserId(person.id))


async def longest_line(sim: SimulatedBot) -> int:
    """Characters of the longest line in the journal."""
    query = "SELECT max(length(body)) FROM journal"
    async with sim.app.database.reading.execute(query) as cursor:
        row = await cursor.fetchone()
    assert row is not None
    return int(row[0])


def answer_of(sim: SimulatedBot, record: Any) -> str:
    """What the answer says; it has words."""
    return words(sim.env.backend.messages[record.channel_id][record.message_id])


def sessions(sim: SimulatedBot) -> dict[TableId, Session]:
    tables: list[Table] = list(sim.app.tables.index)
    return {table.id: table.session for table in tables}


def nobody_else_is_touched(before: Session, after: Session, user: UserId) -> None:
    """A stranger changes nothing; a player only his own cards and seat."""
    if before.seat_of(user) is None and after.seat_of(user) is None:
        assert after == before
    if before.state is None or after.state is None or before.round != after.round:
        return
    for seat, chair in enumerate(before.chairs):
        if chair.user != user:
            assert _own(after, Seat(seat)) == _own(before, Seat(seat))


def _own(session: Session, seat: Seat) -> SeatCards | SeatDice | None:
    """Return what a seat has in a round of either game."""
    assert isinstance(session.state, Cards | Dice)
    return session.state.seats[seat]


async def test_the_records_of_no_server_are_refused_in_words(tmp_path: Path) -> None:
    """A button of the records, made up for a direct message: it is asked for outside a server."""
    async with simulated_bot(tmp_path / "direct.db") as sim:
        (anna,) = await sim.lobby("Anna")
        with nothing_surprises():
            for forged in ("lr1:log:1", "lr1:history:0", "lr1:top:dice"):
                record = await anna.press_old(await anna.letter(), forged)
                assert "in a server’s channel" in answer_of(sim, record)
