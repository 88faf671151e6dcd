"""What the check makes of a log, to be held against what the page makes of it."""

from typing import Any, TypeAlias

from bot.verify.log.errors import LogError
from bot.verify.log.lines import canonical
from bot.verify.referee import Referee

Verdict: TypeAlias = list[Any]
"""The line that doesn't fit, why, and the values; 0, nothing, and the lines of a log that fits."""


def verdict(log: bytes) -> Verdict:
    """What the command finds."""
    try:
        return [0, "", str(len(Referee(log).check().lines))]
    except LogError as error:
        return [error.line, error.why, canonical(error.values)]
