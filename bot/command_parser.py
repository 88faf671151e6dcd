"""A parser of command lines that names the nearest option after a typo."""

import argparse
from difflib import get_close_matches
from typing import NoReturn

UNKNOWN = "unrecognized arguments: "
"""argparse's words, which list what no option or argument takes."""


class CommandParser(argparse.ArgumentParser):
    """argparse's parser. A misspelt option is an error that says which one was meant."""

    def error(self, message: str) -> NoReturn:
        if message.startswith(UNKNOWN):
            message += "".join(self._meant(message.removeprefix(UNKNOWN).split()))
        super().error(message)

    def _meant(self, words: list[str]) -> list[str]:
        options = [word.partition("=")[0] for word in words if word.startswith("-")]
        near = (get_close_matches(option, self._option_string_actions, 1) for option in options)
        return [f": did you mean {one[0]}?" for one in near if one][:1]
