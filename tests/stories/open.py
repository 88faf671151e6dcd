"""The open faults: one list, with the kind of random fault that each is known to break under.

The simulator reads it. What is in `UNFIT` is not drawn at random yet, or every run would find a
known fault again. Whoever mends a fault removes its line, and the mark of its test.
"""

NO_KIND = "no random fault"
"""Broken by settings, commands or files, or seen only where these stories look."""

OPEN: dict[str, str] = {}
"""The kind by test: `tests/stories/test_disk.py::test_of_a_disk`."""
UNFIT: frozenset[str] = frozenset(OPEN.values()) - {NO_KIND}
"""The kinds of random faults that the bot is known not to stand."""
