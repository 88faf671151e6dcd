"""The log of a daily, in the format of a match's log (`docs/format.md`)."""

from collections.abc import Iterator
from hashlib import sha256

from bot.daily.dates import iso
from bot.daily.round import DailyRound, options_of
from bot.daily.schedule import ROBOTS, SEATS
from bot.games.chance_scheme import Scheme
from bot.games.values import Reason
from bot.records.match_log import FORMAT, Event, digest, line


def text(one: DailyRound, secret: bytes) -> str:
    """Return the log of a round whose secret is published. One that is unfinished is stopped."""
    *before, match = _events(one, secret)
    whole = digest([*before, match])
    return "".join(map(line, [*before, {**match, "digest": whole}]))


def _events(one: DailyRound, secret: bytes) -> Iterator[Event]:
    """Yield the lines. Nothing in a daily takes time, so each `t` is 0; `press` counts instead."""
    yield {
        "e": "start",
        "format": FORMAT,
        "players": len(SEATS),
        **one.game.log_start(options_of(one.game), len(SEATS)),
        "rounds": 1,
        "computers": list(ROBOTS),
        "daily": True,
        "commit": sha256(one.seed).hexdigest(),
        "promise": sha256(secret).hexdigest(),
        "public": iso(one.day),
        "chance": Scheme.OWN.value,
        "started": list(SEATS),
    }
    yield {"e": "deal", "t": 0, **one.game.log_deal(one.dealt)}
    for number, step in enumerate(one.steps, 1):
        for made in step.made:
            for written, card in made.moves:
                named = {} if card is None else {"card": card}
                yield {"e": "move", "t": 0, "press": number, "p": made.seat, "m": written, **named}
    ending, points = one.ending, one.points
    reason, by = (Reason.ABORT, None) if ending is None else (ending.reason, ending.by)
    yield {"e": "end", "t": 0, "reason": reason.value, "by": by, "scores": points}
    yield {
        "e": "match",
        "t": 0,
        "totals": points,
        "winners": [seat for seat in SEATS if points[seat] == max(points)],
        "aborted": ending is None and not one.game.abort_counts,
        "left": [],
        "seed": one.seed.hex(),
        "secret": secret.hex(),
        "presses": one.presses,
    }
