"""The open faults: one list, with the kind of random fault that each is known to break under.

The simulator reads it. What is in `UNFIT` is not drawn at random yet, or every run would find a
known fault again. Whoever mends a fault removes its line, and the mark of its test.
"""

from collections.abc import Mapping

NO_KIND = "no random fault"
"""Broken by settings, commands or files, or seen only where these stories look."""
KILL_AFTER_COMMAND = "kill right after /ligretto with a busy disk"
HANGING_EDITS = "edits that hang for longer than they are waited for while tokens die"


def _of(file: str, kinds: Mapping[str, str]) -> dict[str, str]:
    return {f"tests/stories/{file}.py::{test}": kind for test, kind in kinds.items()}


OPEN: dict[str, str] = {
    **_of(
        "test_disk",
        {
            "test_a_lobby_has_one_message_after_a_kill_on_a_busy_disk": KILL_AFTER_COMMAND,
            "test_a_full_disk_is_told_in_few_lines": NO_KIND,
        },
    ),
    **_of(
        "test_panels",
        {"test_panels_that_hang_keep_no_other_from_its_last_word": HANGING_EDITS},
    ),
}
UNFIT: frozenset[str] = frozenset(OPEN.values()) - {NO_KIND}
"""The kinds of random faults that the bot is known not to stand."""
