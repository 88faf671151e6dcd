"""How often Python looks for objects that hold each other. Left alone it searched everything eleven
times in 6,000 presses, for 0.1 to 0.7 s each on a busy machine, and nobody is answered meanwhile.
"""

import gc
import logging

log = logging.getLogger(__name__)

YOUNG, MIDDLE, OLD = 1_000, 50, 100
"""New objects until the young ones are looked at, and how many times that until older ones are.
Python's own numbers are 700, 10 and 10. What a press leaves behind is young, and is found soon:
more of it at once would be a longer pause.
"""


def settled() -> None:
    """Everything is built that stays for ever: it is looked at no more."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    log.debug("%d objects stay for ever", gc.get_freeze_count())
