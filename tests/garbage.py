"""Garbage collection that costs little: for tests and simulated evenings."""

import gc

RARELY = (20_000, 20, 20)
"""The thresholds. What leaves much garbage is soon over."""


def collect_rarely() -> None:
    """Exempt every object that exists, and collect others seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*RARELY)
