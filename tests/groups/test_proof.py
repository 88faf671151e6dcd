"""A small run of the proof: two groups as processes, in every trouble, and what is true of it."""

from pathlib import Path

from tests import valkey
from tests.groups.proof.run import SMALL, proved


async def test_two_groups_keep_every_promise(tmp_path: Path) -> None:
    valkey.needed()
    rows = [row async for row in proved(tmp_path, SMALL)]
    assert [row for row in rows if row.met is False] == []
    assert sum(bool(row.met) for row in rows) == 7
