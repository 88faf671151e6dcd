"""The benchmark in small: every row is measured, and how fast is not asked."""

from pathlib import Path

from tests.bench.figures import table
from tests.bench.run import PARTS, SMALL, measured


async def test_every_row_can_be_measured(tmp_path: Path) -> None:
    rows = await measured(tmp_path, SMALL, PARTS)
    told = table(rows)
    for what in (
        "a press by one user, median",
        "a press by one user, p99",
        "processor time a press",
        "presses a second, 6 tables",
        "memory, idle, 3 servers",
        "memory over 500 presses",
        "memory of 10 live tables",
        "public edits a second",
        "start with 10 tables",
        "3 live tables of four people",
        "card moves a second",
        "moves committed, 10 tables, FULL",
    ):
        assert f"| {what}" in told
    assert all(row.ours for row in rows)
