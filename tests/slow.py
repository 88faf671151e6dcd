"""Tests that are too slow for everyday work, with their processor time. The only list of them.

`pytest -m "not slow"` leaves them out. The longest start first, so that none is left when all
others are over. Who adds one makes room for it: all tests together keep within docs/testing.md.
"""

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import TypeVar

SLOW = {
    "tests/bench/test_bench.py::test_every_row_can_be_measured": 15,
    "tests/simulate/test_seeds.py": 6,
    "tests/soak": 12,
    "tests/simulate/test_arena.py": 6,
    "tests/simulate/test_groups.py": 12,
    "tests/groups/test_proof.py": 10,
    "tests/tables/test_life.py::TestAnyLife": 8,
    "tests/stories/test_discord_limits.py::test_every_deal_of_a_match": 5,
    "tests/ui/test_order.py": 4,
    "tests/demo": 6,
    "tests/bench": 5,
    "tests/test_simulate.py": 2,
    "tests/verify/test_page.py::test_the_page_in_a_browser": 9,
    "tests/test_calibrate.py": 3,
    "tests/records/test_choosing.py": 1,
    "tests/records/feats/test_records_of_logs.py": 2,
    "tests/loopback/test_overload.py": 5,
    "tests/records/test_grinding.py": 1,
    "tests/loopback/test_gateway.py::test_an_hour_without_a_gateway": 4,
    "tests/art/test_observer.py": 4,
    "tests/stories/test_new_faces.py": 4,
    "tests/ops": 3,
    "tests/ui/test_faces.py": 3,
    "tests/living": 3,
    "tests/games/ligretto/test_dead.py": 2,
    "tests/i18n/test_languages.py::test_every_screen": 5,
    "tests/i18n/test_words.py::test_every_text_is_said_with_the_values_it_needs": 3,
    "tests/ui/test_kept.py::test_every_screen": 4,
    "tests/groups/test_own_turns.py::test_all_groups_together": 3,
    "tests/groups/test_group_processes.py": 2,
    "tests/games/dice/test_rounds.py": 1,
    "tests/games/ligretto/test_rounds.py": 2,
    "tests/games/test_contract.py::test_who_can_do_something": 2,
    "tests/stories/test_discord_limits.py": 4,
    "tests/verify/test_referee.py": 3,
    "tests/loopback/test_memory.py": 3,
    "tests/watch": 2,
    "tests/stories/test_discord_messages.py": 2,
    "tests/store/test_crashes.py": 2,
    "tests/mutants/test_mutants.py": 2,
    "tests/loopback/test_crashes.py": 2,
    "tests/loopback/test_matches.py": 2,
    "tests/ui/test_components.py::test_every_screen_fits_whatever": 2,
    "tests/ui/test_flows.py": 2,
    "tests/ui/test_last_words.py::test_a_thousand_panels": 2,
    "tests/ui/test_records_flows.py": 2,
    "tests/stories/test_arena.py": 1,
    "tests/stories/test_discord_disorder.py": 1,
    "tests/stories/test_discord_unreadable.py": 1,
    "tests/stories/test_discord_unknown.py": 1,
    "tests/stories/test_live_trouble.py": 1,
    "tests/stories/test_watch.py": 1,
    "tests/stories/test_windows.py": 1,
    "tests/records/test_log.py": 1,
    "tests/ui/test_budget.py": 1,
    "tests/test_process.py": 1,
    "tests/ui/lean_http/test_hostile.py": 1,
    "tests/ui/test_kept.py": 1,
    "tests/loopback/test_emojis.py": 1,
    "tests/ui/test_illustration.py": 1,
    "tests/ui/test_restart.py": 1,
}
"""Beginnings of test ids, and the seconds that the slowest test there takes."""


WAITS = ("tests/bench", "tests/demo", "tests/groups/test_group_processes.py", "tests/ops")
"""Of these, what waits for processes, browsers and time to pass more than it works."""
T = TypeVar("T")


@cache
def seconds(test: str) -> int:
    """Processor time of a test by its id; 0 for one that isn't slow."""
    return next((took for beginning, took in SLOW.items() if test.startswith(beginning)), 0)


def waits(test: str) -> bool:
    """Whether a test by its id leaves the processor to others most of the time."""
    return test.startswith(WAITS)


def in_order(tests: Sequence[T], name: Callable[[T], str]) -> list[T]:
    """What is slow before what isn't, the longest first. What waits is spread evenly among what
    works: side by side they leave no processor idle.
    """
    listed = sorted(tests, key=lambda one: -seconds(name(one)))
    slow = [one for one in listed if seconds(name(one))]
    parts = [[one for one in slow if waits(name(one)) is waiting] for waiting in (True, False)]
    placed = [(at / len(part), one) for part in parts for at, one in enumerate(part)]
    return [one for _, one in sorted(placed, key=itemgetter(0))] + listed[len(slow) :]
