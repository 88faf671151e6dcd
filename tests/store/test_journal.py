"""The journal gives back what was written, in order, and refuses what cannot be."""

import re
import sqlite3
from typing import get_args

import orjson
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bot.games.chance_scheme import Scheme
from bot.games.values import Reason
from bot.ids import ChannelId, MessageId, UserId
from bot.store.tables.journal import KINDS, stored_name
from bot.tables.arena import events as arena
from bot.tables.state import events as e
from bot.tables.state.journal import DuplicateError, TableId
from tests.store.conftest import Store
from tests.store.lines import OPENED, ROUND_ENDED, line, lines, opening

LONG_NUMBER = re.compile(rb"\d{19}")
"""More than an id of Discord's has: orjson writes no number above 64 bits."""
EXAMPLES: tuple[e.Entry, ...] = (
    OPENED,
    e.Seated(UserId(2**62), "Zoë '; DROP TABLE journal; --"),
    e.Seated(None, "Computer 1"),
    e.SeatOptionSet(1, "dice", "child"),
    e.Unseated(1),
    e.Queued(UserId(2**62), "Zoë"),
    e.HeldSeatsFreed(),
    e.OptionSet("rounds", "20"),
    e.Promised("cd" * 32),
    e.Promised("cd" * 32, Scheme.OWN),
    e.Started("ab" * 32),
    e.Started(),
    e.PostingBegun(),
    e.Published(ChannelId(2**62), MessageId(2**62 + 1), MessageId(5)),
    e.Readied(11),
    e.Dealt((True, False, True)),
    e.Paused(),
    e.Resumed(),
    e.WentLive(),
    e.Moved(0, "r10>4"),
    e.Rejected(1, "b5", ("play", "row0", 2), "B5", late_to=0, late_ms=84),
    e.Rejected(1, "flip:3", ("flip",), None),
    e.Left(2),
    e.EndAsked(0),
    e.ReleaseAsked(0, 1),
    e.EndTakenBack(0),
    e.ReleaseTakenBack(0, 1),
    e.Returned(1),
    e.ChannelChanged(ChannelId(2**62), ChannelId(88)),
    ROUND_ENDED,
    e.RoundEnded(Reason.DEAD, None, (0,), (20,)),
    e.RoundEnded(Reason.DICE, 1, (0,), (3,), agreed=True, closest=e.CloseCall(0, 1, "rd5", 7)),
    e.MatchEnded(counts=True),
    e.Closed("table.closed.over"),
)


def test_the_examples_cover_every_kind_of_entry() -> None:
    assert {type(example) for example in EXAMPLES} == set(get_args(e.Entry))


@pytest.mark.parametrize("entry", EXAMPLES[1:-1], ids=repr)
async def test_an_entry_comes_back_as_it_was_written(store: Store, entry: e.Entry) -> None:
    written = lines(1, OPENED, entry)
    await store.journal.append(written, durable=False)
    (stored,) = await store.journal.read_open()
    assert stored.id == 1
    assert stored.lines == written


@pytest.mark.parametrize("kind", [*get_args(e.Entry), *get_args(arena.Event)], ids=stored_name)
@settings(max_examples=15)
@given(st.data())
def test_orjson_writes_the_bytes_of_the_form_that_is_read(kind: type, data: st.DataObject) -> None:
    entry = data.draw(st.from_type(kind))
    expected = TypeAdapter(kind).dump_json(entry)
    assume(not LONG_NUMBER.search(expected))
    assert orjson.dumps(entry) == expected


def test_a_promise_of_an_earlier_version_is_of_its_own_scheme() -> None:
    """Its match goes on with the deals that everybody can check already."""
    kind = KINDS["Promised"]
    assert kind.validate_json('{"secret":"00"}') == e.Promised("00", Scheme.COMMON)
    assert kind.validate_json(kind.dump_json(e.Promised("00", Scheme.OWN))).scheme is Scheme.OWN


@pytest.mark.parametrize(
    ("name", "body", "entry"),
    [
        ("Released", "{}", e.HeldSeatsFreed()),
        ("Housed", '{"channel":99,"parent":88}', e.ChannelChanged(ChannelId(99), ChannelId(88))),
        ("Housed", '{"channel":99,"parent":null}', e.ChannelChanged(ChannelId(99))),
    ],
)
async def test_renamed_entries_keep_the_name_they_are_stored_by(
    store: Store, name: str, body: str, entry: e.Entry
) -> None:
    """Other versions of the bot wrote such rows, and read them after a step back."""
    await store.journal.append(lines(1, OPENED, entry), durable=True)
    with sqlite3.connect(store.path) as db:
        rows = db.execute("SELECT kind, body FROM journal WHERE seq = 1").fetchall()
    assert rows == [(name, body)]
    assert KINDS[name].validate_json(body) == entry


def test_a_round_of_an_earlier_version_has_no_duel_to_tell() -> None:
    earlier = '{"reason":"dead","by":null,"plus":[0],"minus":[20]}'
    assert KINDS["RoundEnded"].validate_json(earlier) == e.RoundEnded(
        Reason.DEAD, None, (0,), (20,)
    )


@given(st.one_of(*map(st.from_type, get_args(e.Entry))))
def test_whatever_is_in_an_entry_survives_its_writing(entry: e.Entry) -> None:
    adapter = KINDS[stored_name(type(entry))]
    assert adapter.validate_json(adapter.dump_json(entry)) == entry


async def test_a_move_is_kept_as_the_log_writes_it(store: Store) -> None:
    recycled = e.Moved(0, "flip:9", ((("recycle", ("R1", "B10")), None), (("flip",), None)))
    rolled = e.Moved(1, "roll:0", ((("reroll", (1, 6)), None),))
    await store.journal.append(lines(1, OPENED, recycled, rolled), durable=False)
    (stored,) = await store.journal.read_open()
    kept = [one.entry.written for one in stored.lines if isinstance(one.entry, e.Moved)]
    assert kept == [recycled.written, rolled.written]


async def test_a_reopened_file_has_every_line_in_the_order_of_its_numbers(store: Store) -> None:
    first, second, third = lines(
        1, OPENED, e.Seated(UserId(1001), "Anna"), e.Seated(UserId(1002), "Ben")
    )
    other = opening(2)
    for one in ([first], other, [third], [second]):
        await store.journal.append(one, durable=False)
    assert [(s.id, list(s.lines)) for s in await store.journal.read_open()] == [
        (1, [first, second, third]),
        (2, other),
    ]


async def test_two_lines_with_one_number_are_refused(store: Store) -> None:
    await store.journal.append(lines(1, OPENED, e.Seated(UserId(1001), "Anna")), durable=False)
    with pytest.raises(sqlite3.IntegrityError):
        await store.journal.append([line(1, 1, e.Seated(UserId(1002), "Ben"))], durable=False)
    (stored,) = await store.journal.read_open()
    assert stored.lines[-1].entry == e.Seated(UserId(1001), "Anna")


async def test_a_line_without_its_table_is_refused(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        await store.journal.append([line(5, 0, e.Readied(0))], durable=False)


async def test_a_press_that_is_in_the_journal_writes_nothing_more(store: Store) -> None:
    await store.journal.append(opening(1), durable=False)
    await store.journal.append([line(1, 1, e.Moved(0, "r1"), interaction=42)], durable=False)
    again = [line(1, 2, e.Moved(0, "flip:0"), interaction=42), line(1, 3, ROUND_ENDED)]
    with pytest.raises(DuplicateError):
        await store.journal.append(again, durable=True)
    assert await store.one("SELECT max(seq) FROM journal") == 1


async def test_a_press_counts_once_whichever_table_it_is_for(store: Store) -> None:
    await store.journal.append([*opening(1), *opening(2)], durable=False)
    await store.journal.append([line(1, 1, e.Readied(0), interaction=42)], durable=False)
    with pytest.raises(DuplicateError):
        await store.journal.append([line(2, 1, e.Readied(0), interaction=42)], durable=False)


async def test_lines_without_a_press_never_repeat_each_other(store: Store) -> None:
    await store.journal.append(lines(1, OPENED, e.WentLive(), e.Paused()), durable=False)
    assert await store.one("SELECT count(*) FROM journal WHERE interaction IS NULL") == 3


async def test_a_note_is_written_in_its_turn(store: Store) -> None:
    rejected = e.Rejected(1, "b5", ("play", "row0"), "B5")
    await store.journal.append(opening(1), durable=False)
    store.journal.note(line(1, 1, rejected))
    await store.journal.append([line(1, 2, e.Left(0))], durable=False)
    (stored,) = await store.journal.read_open()
    assert [one.entry for one in stored.lines] == [OPENED, rejected, e.Left(0)]


async def test_a_closed_table_is_not_read_again(store: Store) -> None:
    await store.journal.append(lines(1, OPENED, e.Closed("table.closed.empty")), durable=False)
    await store.journal.append(opening(2), durable=False)
    assert [stored.id for stored in await store.journal.read_open()] == [2]
    assert await store.rows("SELECT table_id, kind FROM journal") == [(2, "Opened")]
    assert await store.rows("SELECT id, closed FROM tables") == [(1, 1), (2, 0)]


async def test_moves_of_finished_rounds_are_left_out_and_those_of_this_round_kept(
    store: Store,
) -> None:
    rejected = e.Rejected(1, "b5", ("play", "row0"), "B5")
    finished: list[e.Entry] = [OPENED, e.Seated(UserId(1001), "Anna"), e.Started("00" * 32)]
    finished += [e.Dealt((True, True)), e.WentLive(), e.Moved(0, "r1"), rejected, e.Left(1)]
    finished += [ROUND_ENDED, e.Readied(0), e.Dealt((True, True)), e.WentLive()]
    running: list[e.Entry] = [e.Moved(1, "g1"), rejected, e.Moved(0, "flip:0")]
    await store.journal.append(lines(1, *finished, *running), durable=False)
    await store.journal.append(lines(2, OPENED, e.Moved(0, "r1")), durable=False)

    between: list[e.Entry] = [OPENED, e.Dealt((True, True)), ROUND_ENDED, e.Readied(0)]
    await store.journal.append(lines(3, *between[:2], running[0], *between[2:]), durable=False)

    first, second, third = await store.journal.read_open()

    kept = [one for one in finished if not isinstance(one, e.Moved | e.Rejected)]
    assert [one.entry for one in first.lines] == [*kept, *running]
    assert [one.entry for one in second.lines] == [OPENED, e.Moved(0, "r1")]
    assert [one.entry for one in third.lines] == between


async def test_a_table_id_is_never_given_twice(store: Store) -> None:
    assert await store.journal.next_table() == 1
    await store.journal.append(lines(7, OPENED, e.Closed("table.closed.over")), durable=False)
    assert await store.journal.next_table() == 8


async def test_an_opened_table_is_found_under_its_server_and_channel(store: Store) -> None:
    await store.journal.append(opening(3), durable=False)
    assert await store.rows("SELECT id, guild, channel, closed FROM tables") == [
        (TableId(3), 77, 88, 0)
    ]


async def test_the_tables_of_another_application_wait_for_it(store: Store) -> None:
    """Nobody else can edit their messages. A table that nothing is known of is everybody's."""
    await store.journal.append(opening(1), durable=False)
    for table, application in ((2, 10), (3, 20)):
        store.journal.application = application
        await store.journal.append(opening(table), durable=False)
    assert [stored.id for stored in await store.journal.read_open()] == [1, 3]
    store.journal.application = 10
    assert [stored.id for stored in await store.journal.read_open()] == [1, 2]
    assert await store.journal.next_table() == 4
