"""Plain descriptions of network errors, for log lines."""

import logging

from bot.ui.limits.network_words import network_words


class _Words(str):
    """Text that `%r` shows without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class PlainWords(logging.Filter):
    """Put words in the place of the network's errors among what a line names.

    It comes after the throttle, which needs the errors themselves.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(map(_in_words, record.args))
        return True


def _in_words(named: object) -> object:
    words = network_words(named) if isinstance(named, Exception) else None
    return named if words is None else _Words(words)
