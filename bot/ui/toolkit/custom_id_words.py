"""Parsers for the words of a button's custom id.

Words that no button of this version has raise NotOursError.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from bot.games import GAMES
from bot.ids import UserId
from bot.ui.toolkit.command_router import NotOursError

T = TypeVar("T")
_NUMBER = re.compile(r"[0-9]{1,15}")
_ID = re.compile(r"[0-9]{1,20}")


def number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise NotOursError(word)
    return int(word)


def user_id(word: str) -> UserId:
    if not _ID.fullmatch(word) or int(word) >= 2**63:
        raise NotOursError(word)
    return UserId(int(word))


def one_of(words: Callable[[str], T], word: str) -> T:
    """Return the enum member or table entry for a word."""
    try:
        return words(word)
    except (ValueError, KeyError) as error:
        raise NotOursError(word) from error


def exactly(words: Sequence[str], count: int) -> Sequence[str]:
    if len(words) != count:
        raise NotOursError(":".join(words))
    return words


def game_key(word: str) -> str:
    if word not in GAMES:
        raise NotOursError(word)
    return word
