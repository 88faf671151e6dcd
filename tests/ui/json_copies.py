"""simcord copies each payload a dozen times. What is JSON needs no more than its own shape."""

import copy
import sys
from types import SimpleNamespace
from typing import Any

LIBRARY = "simcord"
PLAIN = frozenset((str, int, float, bool, type(None)))


def copied(value: Any, memo: dict[int, Any] | None = None) -> Any:
    """Return what `copy.deepcopy` does. JSON is a tree: nothing in it is looked for twice."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is dict:
        return {key: one if type(one) in PLAIN else copied(one, memo) for key, one in value.items()}
    if kind is list:
        return [one if type(one) in PLAIN else copied(one, memo) for one in value]
    return copy.deepcopy(value, memo)


def install() -> None:
    """Have all of simcord's loaded modules copy so."""
    quick = SimpleNamespace(**vars(copy) | {"deepcopy": copied})
    places = [vars(module) for name, module in sys.modules.items() if name.startswith(LIBRARY)]
    taken = 0
    for names in places:
        for name, before, now in (("deepcopy", copy.deepcopy, copied), ("copy", copy, quick)):
            if names.get(name) is before:
                names[name] = now
                taken += 1
    assert taken, "simcord copies in another way"
