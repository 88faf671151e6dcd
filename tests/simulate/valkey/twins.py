"""The bot's Lua scripts, written once more in Python.

`tests/groups/test_standin.py` runs both on the same keys.
"""

from collections.abc import Callable
from typing import TypeAlias

from tests.simulate.valkey.resp import Reply

Run: TypeAlias = Callable[..., Reply]
"""Runs a command as `redis.call` does."""
Twin: TypeAlias = Callable[[Run, list[bytes], list[bytes]], Reply]
TWINS: dict[str, Twin] = {}
"""By the text of the script."""
