"""Python's search for objects that hold each other is told what stays for ever."""

import gc

from bot import garbage


def test_what_is_built_for_good_is_looked_at_no_more() -> None:
    before = gc.get_threshold()
    try:
        garbage.settled()
        assert gc.get_freeze_count() > 10_000
        assert len(gc.get_objects()) < 1_000
        assert gc.get_threshold() == (garbage.YOUNG, garbage.MIDDLE, garbage.OLD)
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
