"""Cases that only a nightly run plays: `pytest --nightly`. The only list of them.

Of each family here the named cases stand for the others, and are played every time. They are those
that have found faults, or the smallest and the largest. Who wants one of the others by its name
gets it.
"""

from collections.abc import Sequence

import pytest

LIMITS = "tests/stories/test_discord_limits.py"
STANDING = {
    f"{LIMITS}::test_no_deal_is_late_where_a_channel_is_limited": (
        *("dice-2-40-belief0", "dice-4-30-belief2", "ligretto-4-12-belief3"),
        "ligretto-8-25-belief4",
    ),
    f"{LIMITS}::test_every_deal_of_a_match_is_in_time_where_a_channel_is_limited": ("12-15.0-2.0",),
    f"{LIMITS}::test_first_minute_is_no_silence_where_nothing_is_limited": (
        *("ligretto-4-6-4", "dice-4-5-1"),
    ),
    f"{LIMITS}::test_one_odd_refusal_is_forgotten_within_minutes": (
        *("shared-unknown", "unscoped-known"),
    ),
    "tests/stories/test_discord_messages.py::test_slow_bot_that_deletes_each_message_is_told": (
        *("70.0-35.0", "600.0-60.0"),
    ),
    "tests/stories/test_start.py::test_what_passes_by_itself_is_tried_again": ("full",),
    "tests/ops/moving/test_moving.py::test_split_and_merged_bot_looks_as_before": ("3-3",),
    "tests/ops/test_full_disk.py::test_a_full_disk_is_told_in_one_line": ("backup", "split"),
    "tests/ui/test_flows.py::test_from_lobby_to_rematch": ("2",),
    "tests/ui/test_components.py::test_every_screen_of_a_match_fits": (
        *("2-3-hand", "12-50-auto"),
    ),
    "tests/ui/test_components.py::test_every_screen_fits_whatever_twelve_people_call_themselves": (
        *("hostile", "wide"),
    ),
    "tests/loopback/test_matches.py::test_a_whole_match_from_lobby_to_rematch": ("2-3", "4-3"),
    "tests/records/test_log.py::test_the_referee_agrees_with_every_log": ("0-1", "8-2", "16-1"),
    "tests/watch/test_rounds.py::test_moments_are_the_states_of_the_referee": ("6", "12"),
    "tests/layout/test_stability.py::test_no_button_of_a_panel_moves_up_or_down_in_a_round": (
        *("en", "it"),
    ),
    "tests/layout/test_stability.py::test_nothing_moves_under_the_finger_in_plain_words": (
        *("en", "it"),
    ),
}
"""The cases that stand for a family, by its name."""


def left_out(items: Sequence[pytest.Item]) -> set[str]:
    """Return the names of the cases that only a nightly run plays.

    Raises UsageError for a family or a case that doesn't exist in a file that was collected.
    """
    names = {item.nodeid for item in items}
    files = {name.partition("::")[0] for name in names}
    out = set[str]()
    for family, cases in STANDING.items():
        if family.partition("::")[0] not in files:
            continue
        standing = {f"{family}[{case}]" for case in cases}
        if missing := standing - names:
            raise pytest.UsageError(f"tests/nightly.py: there is no {min(missing)}")
        out |= {name for name in names if name.startswith(f"{family}[")} - standing
    return out
