"""A match that ends is written down whole and once, whatever happens."""

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.ids import UserId
from bot.records.models import Order, Wanted
from bot.records.ratings import NEWCOMER, Skill, rate, shown
from bot.store.database.file import connect
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.journal import JournalLine
from bot.tables.state.session import Phase
from bot.verify.referee import Referee
from tests.records.played import GUILD, PlayedMatches
from tests.store.conftest import Store
from tests.store.crashes import counts


async def rated_match(played: PlayedMatches) -> Table:
    table = await played.sit("ligretto", (UserId(1), UserId(2)), computers=1)
    await played.play_all(table, wild=0.1)
    return table


async def test_all_of_a_match_is_written_and_its_moves_are_gone(store: Store) -> None:
    played = PlayedMatches(store.journal, 3)
    table = await rated_match(played)

    found = await store.archive.match_of_table(GUILD, table.id)

    session = table.session
    assert found is not None
    assert found.match.standing == "rated"
    assert [seat.points for seat in found.match.seats] == list(session.totals)
    assert [seat.place for seat in found.match.seats] == list(session.places)
    assert [seat.won for seat in found.match.seats] == [
        seat in session.winners for seat in range(3)
    ]
    people = [seat.person for seat in found.match.seats]
    assert [one and one.user for one in people] == [1, 2, None]
    assert [one and one.name for one in people] == ["user 1", "user 2", None]
    assert found.match.seats[2].name == "Robot 1"
    assert [(one.plus, one.minus) for one in found.rounds] == [
        (result.ended.plus, result.ended.minus) for result in session.history
    ]
    assert [one.lasted for one in found.rounds] == [one.lasted for one in session.history]
    laid = [sum(one.laid[seat] or 0 for one in found.rounds) for seat in range(3)]
    plus = [sum(one.plus[seat] or 0 for one in found.rounds) for seat in range(3)]
    assert laid == plus, "each card laid is a point"
    assert found.match.options["rounds"] == "3"
    kinds = await store.rows("SELECT DISTINCT kind FROM journal ORDER BY kind")
    assert ("Moved",) not in kinds
    assert ("Rejected",) not in kinds
    assert ("MatchEnded",) in kinds


async def test_the_log_of_a_match_convinces_the_referee(store: Store) -> None:
    table = await rated_match(PlayedMatches(store.journal, 3))
    text = await store.archive.match_log(GUILD, 1, "?")
    assert text is not None
    referee = Referee(text).check()
    assert tuple(referee.totals) == table.session.totals
    assert referee.start["names"] == ["user 1", "user 2", "Robot 1"]
    assert referee.seen["reject"] > 0


async def test_ratings_are_those_of_the_rounds_among_humans(store: Store) -> None:
    table = await rated_match(PlayedMatches(store.journal, 3))
    expected: tuple[Skill, ...] = (NEWCOMER, NEWCOMER)
    for one, two, _ in (result.ended.scores for result in table.session.history):
        expected = rate(expected, [1 + (two > one), 1 + (one > two)], "ligretto")
    rows = await store.rows(
        "SELECT p.user, r.mu, r.sigma, r.shown FROM ratings r JOIN players p ON p.id = r.player"
        " ORDER BY p.user"
    )
    assert rows == [
        (user, skill.mu, skill.sigma, shown(skill, "ligretto").points)
        for user, skill in zip((1, 2), expected, strict=True)
    ]


@pytest.mark.parametrize(
    ("people", "computers", "rounds", "standing"),
    [
        (2, 0, 3, "rated"),
        (2, 1, 3, "rated"),
        (2, 0, 2, "practice"),
        (1, 2, 3, "practice"),
        (1, 1, 1, "practice"),
    ],
)
async def test_what_a_match_is_good_for(
    store: Store, people: int, computers: int, rounds: int, standing: str
) -> None:
    played = PlayedMatches(store.journal, 1)
    users = [UserId(one) for one in range(1, people + 1)]
    options = {"rounds": str(rounds)}
    table = await played.sit("ligretto", users, computers=computers, options=options)
    await played.play_all(table)
    assert await store.one("SELECT standing FROM matches") == standing
    assert await store.one("SELECT count(*) FROM ratings") == (people if standing == "rated" else 0)


async def test_a_target_that_is_reached_early_is_enough(store: Store) -> None:
    played = PlayedMatches(store.journal, 1)
    table = await played.sit("ligretto", (UserId(1), UserId(2)), options={"target": "25"})
    await played.play_all(table)
    assert len(table.session.history) < 3
    assert await store.one("SELECT standing FROM matches") == "rated"


async def test_who_leaves_is_last_and_the_match_is_kept(store: Store) -> None:
    played = PlayedMatches(store.journal, 1)
    table = await played.sit("ligretto", (UserId(1), UserId(2)), options={"rounds": "5"})
    for _ in range(3):
        await played.begin(table)
        await played.play(table)
    best = max((UserId(1), UserId(2)), key=lambda user: table.session.totals[user - 1])
    await played.press(table, best, "leave.yes")
    found = await store.archive.match_of_table(GUILD, table.id)
    assert found is not None
    leaver, stayer = found.match.seats[best - 1], found.match.seats[2 - best]
    assert found.match.standing == "rated", "three rounds were played"
    assert (leaver.place, leaver.left, leaver.won) == (2, True, False)
    assert (stayer.place, stayer.left, stayer.won) == (1, False, True)


async def test_a_match_without_a_finished_round_is_for_the_operator_only(store: Store) -> None:
    played = PlayedMatches(store.journal, 1)
    table = await played.sit("dice", (UserId(1), UserId(2)))
    await played.begin(table)
    await played.press(table, UserId(1), "leave.yes")
    assert table.session.phase is Phase.OVER
    assert await store.one("SELECT standing FROM matches") == "dropped"
    assert (await store.archive.history(GUILD, 0)).matches == ()


async def test_a_match_with_a_rated_round_is_never_dropped(store: Store) -> None:
    """In the dice game a round that all but one have left counts for nothing but ratings."""
    played = PlayedMatches(store.journal, 1)
    table = await played.sit("dice", (UserId(1), UserId(2)))
    await played.begin(table)
    await played.play(table, presses=30)
    await played.press(table, UserId(1), "leave.yes")
    assert (table.session.phase, table.session.history) == (Phase.OVER, ())
    (found,) = (await store.archive.history(GUILD, 0)).matches
    assert (found.standing, found.has_log) == ("rated", True)
    assert [seat.rating is not None for seat in found.seats] == [True, True]
    leaderboard = await store.archive.leaderboard(Wanted(GUILD, "dice", Order.WINS), UserId(1))
    assert [(row.person.user, row.wins, row.points) for row in leaderboard.rows] == [
        (2, 1, 0),
        (1, 0, 0),
    ]
    stats = await store.archive.stats(GUILD, UserId(1), "dice")
    assert (stats.matches, stats.practice, stats.wins) == (1, 0, 0)
    assert await store.archive.void(GUILD, found.number, moderator=UserId(9), at=1)
    assert await store.one("SELECT count(*) FROM ratings") == 0


async def test_dropped_is_what_has_neither_a_counted_nor_a_rated_round(store: Store) -> None:
    """Whoever leaves when, with computers or without. Those who all leave to computers what they
    have begun have lost a match, but that is no round.
    """
    played = PlayedMatches(store.journal, 2)
    for _ in range(40):
        computers = played.luck.randrange(3)
        people = [*map(UserId, range(1, 1 + played.luck.randrange(2, 5 - computers)))]
        rounds = played.luck.choice(("2", "full"))
        table = await played.sit("dice", people, computers=computers, options={"rounds": rounds})
        await played.begin(table)
        presses = played.luck.choice((0, 1, 9))
        await played.play(table, presses=presses)
        for user in played.luck.sample(people, len(people) - played.luck.randrange(2)):
            await played.press(table, user, "leave.yes")
        for user in people:
            await played.press(table, user, "end")
        await played.tables.close(table, "table.closed.channel")
    found = await store.rows("""
        SELECT standing, rated_rounds != '[]', EXISTS (SELECT 1 FROM rounds WHERE match_id = id)
        FROM matches
    """)
    for standing, is_rated, has_rounds in found:
        assert (standing in ("dropped", "rated")) or is_rated or has_rounds
        assert standing != "dropped" or not (is_rated or has_rounds)
    assert {("dropped", 0, 0), ("rated", 1, 0), ("rated", 0, 0)} <= set(found)


async def test_a_lobby_that_never_became_a_match_leaves_nothing(store: Store) -> None:
    played = PlayedMatches(store.journal, 1)
    table = await played.sit("ligretto", (UserId(1), UserId(2)))
    await played.press(table, UserId(2), "leave.yes")
    await played.press(table, UserId(1), "leave.yes")
    assert await store.one("SELECT count(*) FROM journal") == 0
    assert set((await counts(store)).values()) == {0}


async def test_a_table_that_closes_leaves_no_line_in_the_journal(store: Store) -> None:
    played = PlayedMatches(store.journal, 1)
    table = await rated_match(played)
    before = await counts(store)
    await played.tables.close(table, "table.closed.over")
    assert await store.one("SELECT count(*) FROM journal") == 0
    assert await counts(store) == before


async def test_a_match_that_is_closed_from_outside_is_kept_as_it_stands(store: Store) -> None:
    played = PlayedMatches(store.journal, 1)
    table = await played.sit("ligretto", (UserId(1), UserId(2)))
    for presses in (100_000, 30):
        await played.begin(table)
        await played.play(table, presses=presses)
    await played.tables.close(table, "table.closed.channel")
    found = await store.archive.match_of_table(GUILD, table.id)
    assert found is not None
    assert [one.reason for one in found.rounds] == ["ligretto", "abort"]
    assert found.match.standing == "practice"
    assert await store.one("SELECT count(*) FROM journal") == 0


async def test_a_second_result_of_one_table_is_refused(store: Store) -> None:
    table = await rated_match(PlayedMatches(store.journal, 3))
    with pytest.raises(sqlite3.IntegrityError, match="table_id"):
        await store.journal.append(
            [JournalLine(table.id, 99_999, table.session.at, e.MatchEnded(counts=True))],
            durable=True,
        )
    assert await store.one("SELECT count(*) FROM matches") == 1


async def test_a_journal_that_cannot_be_understood_keeps_nobody_from_ending(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    played = PlayedMatches(store.journal, 1)
    table = await played.sit("ligretto", (UserId(1), UserId(2)), options={"rounds": "1"})
    await played.begin(table)
    await store.writer.write([("UPDATE journal SET body = '{}' WHERE kind = 'Dealt'", ())])
    await played.play(table)
    assert table.session.phase is Phase.OVER
    assert "match not recorded" in caplog.text
    assert await store.one("SELECT count(*) FROM matches") == 0
    assert await store.one("SELECT count(*) > 0 FROM journal WHERE kind = 'Moved'") == 1


async def test_the_result_is_on_the_disk_before_anybody_is_shown_it(store: Store) -> None:
    played = PlayedMatches(store.journal, 3)
    table = await played.sit("ligretto", (UserId(1), UserId(2)), options={"rounds": "1"})
    await played.begin(table)
    trace = await store.traced()
    await played.play(table)
    full = trace.index("PRAGMA synchronous = FULL")
    written = next(i for i, sql in enumerate(trace) if "INSERT INTO matches" in sql)
    assert full < written < trace.index("PRAGMA synchronous = NORMAL")
    assert trace[full + 1].startswith("BEGIN")
    assert "COMMIT" not in trace[full:written]


async def stalls_of(loop_seconds: list[float]) -> None:
    """Note the processor time of each turn of the loop's own thread: others may be busy."""
    while True:
        before = time.thread_time()
        await asyncio.sleep(0.001)
        loop_seconds.append(time.thread_time() - before)


@pytest.mark.real("threads that work beside the loop")
async def test_a_long_match_of_twelve_holds_up_nobody(store: Store) -> None:
    """The loop goes on while a match of thousands of moves is worked out."""
    played = PlayedMatches(store.journal, 3)
    table = await played.sit("ligretto", [*map(UserId, range(1, 13))], options={"rounds": "5"})
    for _ in range(4):
        await played.begin(table)
        await played.play(table)
    await played.begin(table)
    stalls: list[float] = []
    others = time.process_time() - time.thread_time()
    watcher = asyncio.ensure_future(stalls_of(stalls))
    await played.tables.close(table, "table.closed.channel")
    watcher.cancel()
    others = time.process_time() - time.thread_time() - others
    assert await store.one("SELECT count(*) FROM rounds") == 5
    assert max(stalls) < others, "the work is done in a thread"


async def test_a_file_before_records_keeps_what_it_had(tmp_path: Path) -> None:
    old, path = tmp_path / "migrations", tmp_path / "old.sqlite3"
    old.mkdir()
    root = Path(__file__).parents[2] / "migrations"
    for file in root.glob("000[12]_*.sql"):
        shutil.copy(file, old)

    await (await connect(path, old)).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO tables (id, guild, channel) VALUES (1, 77, 88)")
        db.execute("INSERT INTO notes VALUES ('commands', 'abc')")
        db.execute("INSERT INTO journal VALUES (1, 0, 5, 'Readied', '{\"seat\": 0}', 9)")
    await (await connect(path)).close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT guild, channel FROM tables").fetchall() == [(77, 88)]
        assert db.execute("SELECT value FROM notes").fetchall() == [("abc",)]
        assert db.execute("SELECT kind, interaction FROM journal").fetchall() == [("Readied", 9)]
        assert db.execute("SELECT count(*) FROM matches").fetchall() == [(0,)]
