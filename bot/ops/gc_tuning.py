"""The garbage collector's thresholds.

With Python's defaults there were eleven full collections in 6,000 presses. On a busy machine each
took 0.1 to 0.7 s, during which nobody gets an answer.
"""

import gc
import logging

log = logging.getLogger(__name__)

YOUNG, MIDDLE, OLD = 10_000, 5, 100
"""New objects before a young collection, and collections of one generation before the next.

Python's defaults are 700, 10 and 10. Ten times as many new objects at once save 1.5 % of a press,
and are a pause of less than 2 ms.
"""

BUILDING = 50_000
"""New objects before a young collection at a start, which builds a million that stay.

With Python's default, looking through them again and again was a third of a start with 1,000
tables.
"""


def building() -> None:
    """Collect rarely while a start builds what stays, until `settled`."""
    gc.set_threshold(BUILDING, MIDDLE, OLD)


def settled() -> None:
    """Exempt every object built so far from garbage collection, and set the thresholds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    log.debug("garbage collection: %d objects exempt", gc.get_freeze_count())
