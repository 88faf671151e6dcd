"""A match is written whole and once, whatever fails while it is."""

import sqlite3
from pathlib import Path

from bot.ids import UserId
from bot.tables.state.actions import Move
from bot.tables.state.session import Phase
from bot.verify.referee import Referee
from tests.records.played import GUILD, PlayedMatches
from tests.store.conftest import Store, opened
from tests.store.crashes import COUNTED, Photographer, Saboteur, Witness, counts
from tests.tables.unowned import new_tables


async def refereed(store: Store) -> tuple[int, ...]:
    text = await store.archive.match_log(GUILD, 1, "?")
    assert text is not None
    return tuple(Referee(text).check().totals)


async def test_a_failure_at_any_statement_writes_nothing_and_the_next_press_all(
    store: Store,
) -> None:
    played = PlayedMatches(witness := Witness(store.journal), 3)
    await (saboteur := Saboteur(witness)).attach(store)
    table = await played.sit("ligretto", (UserId(1), UserId(2)))
    while table.session.phase is not Phase.OVER:
        try:
            await (played.play(table) if table.session.phase is Phase.LIVE else played.begin(table))
        except sqlite3.OperationalError:
            saboteur.again()
            assert set((await counts(store)).values()) == {0}
            assert await store.one("SELECT max(kind = 'MatchEnded') FROM journal") == 0
    inserts = {f"INSERT INTO {table}" for table in (*COUNTED, "journal")}
    assert inserts | {"DELETE FROM journal", "UPDATE seats SET", "COMMIT"} <= set(saboteur.hit)
    once = {"matches": 1, "rounds": 3, "seats": 2, "players": 2, "ratings": 2, "logs": 1}
    assert await counts(store) == once
    assert await refereed(store) == table.session.totals


async def test_a_crash_between_any_two_statements_writes_a_match_once(store: Store) -> None:
    played = PlayedMatches(witness := Witness(store.journal), 3)
    photographer = Photographer(witness, store.path)
    await store.db.set_trace_callback(photographer.trace)
    table = await played.sit("ligretto", (UserId(1), UserId(2)), computers=1)
    await played.play_all(table)
    expected = await counts(store)
    assert len(photographer.copies) > 20
    for copy in photographer.copies:
        await _goes_on(copy, expected, played)


async def _goes_on(copy: Path, expected: dict[str, object], before: PlayedMatches) -> None:
    async with opened(copy) as crashed:
        played = PlayedMatches(crashed.journal, 4)
        played._interactions = before._interactions
        stored = await crashed.journal.read_open()
        await played.tables.resume(stored, await crashed.journal.next_table())
        (table,) = played.tables.index
        if table.session.phase is not Phase.OVER:
            await played.play_all(table)
        assert await counts(crashed) == expected
        assert await refereed(crashed) == table.session.totals
        assert await crashed.one("SELECT count(*) FROM journal WHERE kind = 'Moved'") == 0


async def test_presses_after_a_restart_write_nothing_more(store: Store) -> None:
    played = PlayedMatches(store.journal, 3)
    table = await played.sit("ligretto", (UserId(1), UserId(2)))
    await played.play_all(table)
    before = await counts(store)
    fresh = new_tables(store.journal, played.clock)
    await fresh.resume(await store.journal.read_open(), await store.journal.next_table())
    for user in (UserId(1), UserId(2)):
        outcome = await fresh.press(table.id, 3, Move("r1"), played.press_of(user))
        assert outcome.refused is not None
    assert await counts(store) == before
