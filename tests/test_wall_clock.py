"""The machine's wall clock gives dates and no durations: each module that reads it has a reason."""

import re
from pathlib import Path

import pytest

BOT = Path(__file__).parents[1] / "bot"
READS = re.compile(r"\.wall\(|\btime\.time\(|\.(utc)?now\(UTC|utcnow\(|\.today\(|datetime\.now\(")
DATES = {
    "ops/health/file_watch.py": "a date in a file's name",
    "ops/login_backoff.py": "from one process to the next, before Discord is asked; a wrong "
    "clock makes one pause shorter, or as long as it is at most",
    "groups/presence.py": "the clock itself, which `check` compares with that of other groups",
    "ops/restore.py": "a date in a file's name",
    "store/groups/moved.py": "the day of a split or merge, as an operator reads it",
    "ops/check/run.py": "the clock itself is compared with Discord's, and backups with their files",
    "ops/machine_figures.py": "the age of a backup, by the time of its file",
    "ops/daily_backups.py": "a date in a file's name: one backup a day",
    "clock.py": "here it is read",
    "tables/presses/discord_time.py": "it stands in until Discord has been heard, and is "
    "compared with it",
    "tables/arenas/arenas.py": "the date of an arena's first events, and how long the bot was away "
    "from it, which its message tells",
    "tables/arenas/running.py": "the date of an arena's other events",
    "tables/registry/new_tables.py": "the date of a table's first entries",
    "tables/running/table.py": "the date of a table's other entries",
    "ui/commands/moderation.py": "the date of what a moderator has done",
    "ui/commands/voiding.py": "the date at which a match was voided",
    "ui/records/leaderboards.py": "the day, week or month of a leaderboard",
}
"""Where the wall clock may be read, and what for."""


def readers() -> set[str]:
    """The modules that read it. The stand-in for Discord has a clock of its own: it is Discord."""
    return {
        str(file.relative_to(BOT))
        for file in BOT.rglob("*.py")
        if "fakediscord" not in file.parts and READS.search(file.read_text(encoding="utf-8"))
    }


def test_the_wall_clock_is_read_for_dates_alone() -> None:
    assert readers() == set(DATES)


@pytest.mark.parametrize(
    "line",
    ["now = clock.wall()", "at = time.time()", "datetime.now(UTC)", "discord.utils.utcnow()"],
)
def test_every_way_to_read_it_is_found(line: str) -> None:
    assert READS.search(line)
