"""A database that has some of a bot's servers: it is not started as a bot of one process."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from bot.groups.layout import WHOLE, Layout
from bot.groups.lease.refusals import GroupError
from bot.ops.check.machine import database as checked
from bot.ops.moving.merge import merge
from bot.ops.moving.split import split
from bot.store.groups.part import both, either, part_of
from tests.ops.moving.bots import made
from tests.ops.moving.test_moved import ALONE, starts


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "ligretto.sqlite3"
    asyncio.run(made(path, Random(1), matches=3))
    return path


def halves(path: Path, count: int = 8, into: int = 2) -> Sequence[Path]:
    return [one.path for one in split(path, into, count)]


def test_half_that_never_ran_is_not_started_as_one_process(whole: Path) -> None:
    """Discord would send it every press of all servers, and it knows half of them."""
    one, _ = halves(whole)
    with pytest.raises(GroupError) as refused:
        starts(one, ALONE)
    said = str(refused.value)
    assert said.startswith(f"{one} has only shards 0-3 of 8, and this bot would be one process")
    assert "set SHARD_COUNT, SHARD_IDS and VALKEY_URL" in said
    assert checked(one).said == said
    assert checked(one, is_group=True).said.endswith("is intact")
    starts(one, ALONE, takes_over=True)
    starts(one, ALONE)


def test_merge_of_all_parts_starts_as_one_process(whole: Path) -> None:
    again = whole.with_name("again.sqlite3")
    _ = merge(halves(whole), again)
    assert part_of(again) == WHOLE
    starts(again, ALONE)


def test_merge_of_some_parts_is_still_a_part(whole: Path) -> None:
    one, _, third, fourth = halves(whole, into=4)
    _ = merge([one, third], again := whole.with_name("again.sqlite3"))
    with pytest.raises(GroupError, match=r"has only shards 0-1,4-5 of 8, and "):
        starts(again, ALONE)
    _ = merge([again, fourth], more := whole.with_name("more.sqlite3"))
    assert part_of(more) == Layout(8, (0, 1, 4, 5, 6, 7))


def test_part_that_is_split_again_has_no_more_than_before(whole: Path) -> None:
    one, other = halves(whole, count=2)
    quarters = halves(other, count=4)
    assert [part_of(part) for part in quarters] == [Layout(4, (1,)), Layout(4, (3,))]
    _ = merge([one, *quarters], again := whole.with_name("again.sqlite3"))
    assert part_of(again) == WHOLE


def test_number_of_shards_is_changed_by_a_merge_and_a_split(whole: Path) -> None:
    _ = merge(halves(whole, count=2), again := whole.with_name("again.sqlite3"))
    assert [part_of(one) for one in halves(again, count=6, into=3)] == [
        Layout(6, (0, 1)),
        Layout(6, (2, 3)),
        Layout(6, (4, 5)),
    ]


def test_split_into_one_has_every_server(whole: Path) -> None:
    (one,) = halves(whole, into=1)
    starts(one, ALONE)


def test_shards_of_different_numbers_are_compared() -> None:
    half = Layout(2, (0,))
    assert both(WHOLE, half) == both(half, WHOLE) == half
    assert either(WHOLE, half) == either(half, WHOLE) == WHOLE
    assert both(half, Layout(3, (0, 1))) == Layout(6, (0, 4))
    assert either(half, Layout(4, (1, 3))) == WHOLE
    assert either(half, Layout(4, (1,))) == Layout(4, (0, 1, 2))
    assert both(Layout(16_384, (0,)), Layout(16_383, (0,))) == Layout(16_383, ())
    assert either(Layout(16_384, (0,)), Layout(16_383, (0, 1))) == Layout(16_384, (0,))
