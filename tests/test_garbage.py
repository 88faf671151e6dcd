"""Python's search for objects that hold each other is told what stays for ever."""

import gc

from bot.ops import gc_tuning


def test_what_is_built_for_good_is_looked_at_no_more() -> None:
    before = gc.get_threshold()
    try:
        gc_tuning.settled()
        assert gc.get_freeze_count() > 10_000
        assert len(gc.get_objects()) < 1_000
        assert gc.get_threshold() == (gc_tuning.YOUNG, gc_tuning.MIDDLE, gc_tuning.OLD)
    finally:
        gc.set_threshold(*before)
