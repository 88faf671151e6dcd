"""The open faults: one list, with the kind of random fault that each is known to break under.

The simulator reads it. What is in `UNFIT` is not drawn at random yet, or every run would find a
known fault again. Whoever mends a fault removes its line, and the mark of its test.
"""

from collections.abc import Mapping

NO_KIND = "no random fault"
"""Broken by settings, commands or files, or seen only where these stories look."""


def _of(file: str, kinds: Mapping[str, str]) -> dict[str, str]:
    return {f"tests/stories/{file}.py::{test}": kind for test, kind in kinds.items()}


OPEN: dict[str, str] = {
    **_of(
        "test_disk",
        {
            "test_a_full_disk_is_told_in_few_lines": NO_KIND,
        },
    ),
}
UNFIT: frozenset[str] = frozenset(OPEN.values()) - {NO_KIND}
"""The kinds of random faults that the bot is known not to stand."""
