"""The error of a log that can't be true, and its words."""

from typing import Final

WORDS: Final = {
    "not_text": "isn't text in UTF-8",
    "byte_order_mark": "begins with a byte order mark",
    "no_line_feed": "has no line feed at its end",
    "not_json": "isn't one JSON object as the format has it",
    "no_log": "isn't the first line of a ligretto-log/1",
    "no_game": "is of a game that this check doesn't know",
    "cut_off": "isn't the end of a match: the log is cut off here",
    "event": "is of an event that can't stand here",
    "field": "{key} isn't there as the format has it",
    "halves": "promise, public and secret only stand together",
    "no_digest": "a log with a promise has a digest",
    "commit": "commit isn't the SHA-256 of the seed in the last line",
    "promise": "promise isn't the SHA-256 of the secret in the last line",
    "seed": "secret and public don't give the seed in the last line",
    "postings": "names more messages than the bot began to post",
    "time": "time can't be {t} here",
    "deal": "no round can begin here",
    "seats": "seat {p} can't be dealt in",
    "dealt": "{part} of seat {p} isn't what the seed deals",
    "shares": "seat {p} gets {given} dice instead of {due}",
    "uneven": "the dice are uneven, and the first line has no handicap",
    "no_round": "no round is being played",
    "not_in": "seat {p} isn't playing",
    "not_open": "seat {p} has no {card} open there",
    "no_fit": "{card} fits nowhere",
    "other_pile": "{card} goes to pile {pile}",
    "no_column": "{card} can't be laid there",
    "no_flip": "there is nothing to turn",
    "no_recycle": "the discard pile can't be taken up now",
    "no_die": "seat {p} has no {card} there",
    "no_roll": "there is nothing to roll",
    "shuffle": "the discard pile isn't in the seed's order",
    "roll": "the numbers aren't those that the seed rolls",
    "due_lay": "here the Ligretto card has to fill the gap of seat {p}",
    "due_flip": "here seat {p} has to turn cards",
    "due_end": "here the round has to end",
    "legal": "was refused, and the rules allow it",
    "refusals": "is one refusal more of seat {p} than the log keeps of a round",
    "rival": "the last seat to take this place was {rival}",
    "no_rival": "nobody had taken this place",
    "race": "margin and shown can't be so",
    "left": "seat {p} has left before",
    "end": "the round can't end so here",
    "value": "{key} has to be {value}",
    "lasted": "the round can't have lasted so long",
    "in_round": "the match can't end in the middle of a round",
    "digest": "the digest of the log is another: something has been changed",
}
"""What is wrong with a line, by the key of the fault. Seats are numbered from 0, as in the log."""


class LogError(Exception):
    """A log can't be true. `line` is the first line that doesn't fit, counted from 1.

    `why` is a key of `WORDS`, and `values` are what its words name.
    """

    def __init__(self, why: str, **values: object) -> None:
        super().__init__(why)
        self.why, self.values, self.line = why, values, 0

    def __str__(self) -> str:
        return f"line {self.line}: {WORDS[self.why].format(**self.values)}"


def demand(true: object, why: str, **values: object) -> None:
    """Raise LogError unless `true`."""
    if not true:
        raise LogError(why, **values)
