"""The error of a log that can't be true, and its words."""

import json
from typing import Final

WORDS: Final = {
    "not_text": "this isn't text in UTF-8",
    "empty": "the file is empty",
    "byte_order_mark": "the file begins with a byte order mark",
    "no_line_feed": "no line feed ends this line; the file may be cut off",
    "blank": "this line is empty",
    "not_json": "this isn't a single JSON object in the log format",
    "no_log": "this isn't the log of a match (ligretto-log/1)",
    "no_game": "this checker doesn't know the game",
    "cut_off": "this isn't the end of a match; the file may be cut off",
    "event": "this event isn't allowed here",
    "field": "{key} doesn't match the format",
    "halves": "promise, public and secret must appear together or not at all",
    "no_digest": "a log with a promise needs a digest",
    "commit": "commit isn't the SHA-256 of the seed in the last line",
    "promise": "promise isn't the SHA-256 of the secret in the last line",
    "seed": "secret and public don't give the seed in the last line",
    "postings": "the log lists more messages than the bot tried to post",
    "time": "t can't be {t} here",
    "deal": "no round can begin here",
    "seats": "{p} has left and can't be dealt in",
    "dealt": "the seed deals {p} something else ({part})",
    "shares": "{p} gets {given} dice instead of {due}",
    "uneven": "the dice are uneven, and the first line has no handicap",
    "no_round": "no round is being played",
    "not_in": "{p} isn't playing",
    "not_open": "{p} has no {card} open there",
    "nothing_open": "{p} has no open card there",
    "no_fit": "{card} fits nowhere",
    "other_pile": "{card} goes to pile {pile}",
    "no_column": "{card} can't go there on the row",
    "no_flip": "there's nothing to flip",
    "no_recycle": "the discard pile can't be picked up now",
    "no_die": "{p} has no {card} there",
    "placed": "{p} has already placed that die",
    "turn": "it's {p}'s turn here",
    "no_roll": "there's nothing to roll",
    "shuffle": "the discard pile isn't in the seed's order",
    "roll": "the seed rolls other numbers",
    "due_lay": "the Ligretto pile of {p} must fill the gap here",
    "due_flip": "{p} must flip cards here",
    "due_end": "the round must end here",
    "legal": "the rules allow what was refused here",
    "refusals": "the log records no more refusals of {p} in this round",
    "rival": "{rival} was the last to take this place",
    "no_rival": "nobody had taken this place",
    "race": "shown can't be more than margin",
    "left": "{p} has already left",
    "end": "the round can't end like this here",
    "value": "{key} must be {value}",
    "lasted": "the round can't have lasted that long",
    "in_round": "the match can't end in the middle of a round",
    "digest": "the digest doesn't match: something in the log has been changed",
}
"""The words for each fault. `p` and `rival` are seats, numbered from 0 as in the log."""
SEATS: Final = ("p", "rival")


class LogError(Exception):
    """A log can't be true. `line` is the first line that doesn't fit, counted from 1.

    `why` is a key of `WORDS`, and `values` are what its words name.
    """

    def __init__(self, why: str, **values: object) -> None:
        super().__init__(why)
        self.why, self.values, self.line = why, values, 0

    def __str__(self) -> str:
        values = {key: _shown(key, value) for key, value in self.values.items()}
        return f"line {self.line}: {WORDS[self.why].format(**values)}"


def _shown(key: str, value: object) -> str:
    if key in SEATS:
        return f"seat {value}"
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def demand(true: object, why: str, **values: object) -> None:
    """Raise LogError unless `true`."""
    if not true:
        raise LogError(why, **values)
