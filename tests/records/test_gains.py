"""Ratings can't be gained without playing, nor escaped."""

import json
from pathlib import Path

from bot.games.values import Seat
from bot.ids import UserId
from bot.records.rated_rounds import of_log
from bot.records.ratings import NEWCOMER, shown
from bot.store.records.rated_round_backfill import as_json
from bot.store.records.recomputing import recompute
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from tests.records.played import GUILD, PlayedMatches
from tests.store.conftest import Store, opened

ANNA, BEN = UserId(101), UserId(102)


async def ratings(store: Store) -> dict[int, int]:
    """The rating of each person who has one."""
    await store.writer.write(())
    sql = "SELECT user, shown FROM ratings JOIN players ON players.id = ratings.player"
    return {int(str(user)): int(str(points)) for user, points in await store.rows(sql)}


async def play(played: PlayedMatches, table: Table, *seats: int) -> None:
    """These seats play the round out; nobody else presses anything."""
    number = table.session.round
    for _ in range(5_000):
        if table.session.phase is not Phase.LIVE or table.session.round != number:
            return
        played.pass_time(0.5)
        seat = Seat(played.luck.choice(seats))
        word, user = played._word(table, seat, 0.0), table.session.chairs[seat].user
        if word is not None and user is not None:
            await played.press(table, user, word)
        elif word is not None:
            await table.move(seat, word, played.clock.now(), None)
    raise AssertionError("the round does not end")


async def test_leaving_in_the_pause_escapes_no_rating(tmp_path: Path) -> None:
    """The match is practice, since it was too short. Its two rounds were played out."""
    async with opened(tmp_path / "night.sqlite3") as store:
        played = PlayedMatches(store.journal, seed=3)
        table = await played.sit("ligretto", (ANNA, BEN))
        for _ in range(2):
            await played.begin(table)
            await play(played, table, 0, 1)
        assert len(table.session.history) == 2, "two rounds were played"
        await played.press(table, BEN, "leave.yes")
        assert table.session.phase is Phase.OVER, "the match is over"
        assert set(await ratings(store)) == {ANNA, BEN}


async def test_idle_losers_gain_nothing(tmp_path: Path) -> None:
    """Two people who never press share the last place behind two computer players. They gained 32
    points each once.
    """
    async with opened(tmp_path / "night.sqlite3") as store:
        played = PlayedMatches(store.journal, seed=4)
        table = await played.sit("ligretto", (ANNA, BEN), computers=2)
        while table.session.phase is not Phase.OVER:
            await played.begin(table)
            await play(played, table, 2, 3)
        found = await ratings(store)
        assert set(found) == {ANNA, BEN}
        new = shown(NEWCOMER, "ligretto")
        assert max(found.values()) <= new.points
        assert await store.rows("SELECT DISTINCT margin FROM ratings") == [(new.margin,)]


async def test_rounds_that_were_agreed_to_end_rate_nobody(tmp_path: Path) -> None:
    """Three presses each and an agreed end, three times over: it was 1138 : 927 once."""
    async with opened(tmp_path / "night.sqlite3") as store:
        played = PlayedMatches(store.journal, seed=3)
        table = await played.sit("ligretto", (ANNA, BEN))
        for _ in range(3):
            await played.begin(table)
            await played.play(table, presses=6)
            for user in (ANNA, BEN):
                await played.press(table, user, "end")
        assert table.session.phase is Phase.OVER, "the match is over"
        assert await ratings(store) == {}


async def test_who_leaves_a_live_round_is_last_in_it(tmp_path: Path) -> None:
    """Also in the dice game, where a round that was stopped counts for nothing else."""
    for game in ("ligretto", "dice"):
        async with opened(tmp_path / f"{game}.sqlite3") as store:
            played = PlayedMatches(store.journal, seed=3)
            table = await played.sit(game, (ANNA, BEN))
            await played.begin(table)
            await played.play(table, presses=30)
            await played.press(table, BEN, "leave.yes")
            assert table.session.phase is Phase.OVER
            found = await ratings(store)
            assert found[ANNA] > found[BEN]


async def test_leaving_in_the_count_is_not_leaving_a_live_round(tmp_path: Path) -> None:
    async with opened(tmp_path / "night.sqlite3") as store:
        played = PlayedMatches(store.journal, seed=3)
        table = await played.sit("ligretto", (ANNA, BEN))
        await played.begin(table)
        await play(played, table, 0, 1)
        before = len(table.session.history)
        for user in (ANNA, BEN):
            await played.press(table, user, "ready")
        assert table.session.phase is Phase.COUNT
        await played.press(table, BEN, "leave.yes")
        assert (table.session.phase, before) == (Phase.OVER, 1)
        assert await store.rows("SELECT json_array_length(rated_rounds) FROM matches") == [(1,)]


async def test_a_match_that_is_closed_rates_its_finished_rounds(tmp_path: Path) -> None:
    async with opened(tmp_path / "night.sqlite3") as store:
        played = PlayedMatches(store.journal, seed=3)
        table = await played.sit("ligretto", (ANNA, BEN))
        await played.begin(table)
        await play(played, table, 0, 1)
        await played.begin(table)
        await played.play(table, presses=30)
        await played.tables.close(table, "table.closed.broken")
        assert await store.rows("SELECT json_array_length(rated_rounds) FROM matches") == [(1,)]
        assert set(await ratings(store)) == {ANNA, BEN}


async def test_the_log_tells_the_same_rated_rounds(tmp_path: Path) -> None:
    """What is worked out at the end of a match can be worked out anew from its log."""
    async with opened(tmp_path / "night.sqlite3") as store:
        played = PlayedMatches(store.journal, seed=5)
        for seed in range(6):
            table = await played.sit(
                ("ligretto", "dice")[seed % 2], (ANNA, BEN, UserId(103)), computers=1
            )
            await played.begin(table)
            await played.play(table, presses=200, wild=0.2)
            await played.press(table, (ANNA, BEN, UserId(103))[seed % 3], "leave.yes")
            await played.play_all(table, wild=0.1)
        before = await store.rows("SELECT rated_rounds FROM matches")
        for (number,), (stored,) in zip(
            await store.rows("SELECT id FROM matches"), before, strict=True
        ):
            log = await store.archive.match_log(GUILD, int(str(number)), "?")
            assert log is not None
            events = [json.loads(line) for line in log.split("\n") if line]
            assert as_json(of_log(events)) == stored, "from the log alone"
        ratings_before = await store.rows("SELECT * FROM ratings")
        assert len(set(before)) > 1
        await store.writer.write([("UPDATE matches SET rated_rounds = NULL", ())])
        await recompute(store.db)
        assert await store.rows("SELECT rated_rounds FROM matches") == before
        assert await store.rows("SELECT * FROM ratings") == ratings_before
