"""The open faults: one list, with the kind of random fault that each is known to break under.

The simulator reads it. What is in `UNFIT` is not drawn at random yet, or every run would find a
known fault again. Whoever mends a fault removes its line, and the mark of its test.
"""

from collections.abc import Mapping

NO_KIND = "no random fault"
"""Broken by settings, commands or files, or seen only where these stories look."""
CLOCK_STEP = "wall clock that is wrong or put right in play"
DOWN_TIME = "process that is down for minutes"


def _of(file: str, kinds: Mapping[str, str]) -> dict[str, str]:
    return {f"tests/stories/{file}.py::{test}": kind for test, kind in kinds.items()}


OPEN: dict[str, str] = {
    **_of(
        "test_disk",
        {
            "test_a_full_disk_is_told_in_few_lines": NO_KIND,
        },
    ),
    **_of(
        "test_clock",
        {
            "test_a_clock_put_forward_closes_no_lobby": CLOCK_STEP,
            "test_a_clock_put_back_holds_up_no_start": CLOCK_STEP,
            "test_a_clock_put_back_holds_up_no_release": CLOCK_STEP,
            "test_a_clock_put_back_hides_no_round_that_hangs": CLOCK_STEP,
            "test_a_fast_clock_puts_no_panel_to_sleep": CLOCK_STEP,
            "test_a_clock_that_is_minutes_fast_puts_no_panel_to_sleep": CLOCK_STEP,
            "test_a_fast_clock_loses_no_panel_at_a_restart": CLOCK_STEP,
            "test_a_fast_clock_posts_no_table_anew": CLOCK_STEP,
            "test_a_clock_put_forward_makes_no_round_longer": CLOCK_STEP,
            "test_the_time_the_bot_was_down_makes_no_round_longer": DOWN_TIME,
            "test_the_time_the_bot_was_down_closes_no_lobby": DOWN_TIME,
            "test_a_clock_an_hour_fast_is_told_in_the_log": CLOCK_STEP,
        },
    ),
}
UNFIT: frozenset[str] = frozenset(OPEN.values()) - {NO_KIND}
"""The kinds of random faults that the bot is known not to stand."""
