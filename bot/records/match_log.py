"""The log of a finished match, as JSON lines (`ligretto-log/1`).

It is stored without names. The latest known names are added whenever somebody asks for it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from bot.games.chance_scheme import Scheme
from bot.games.values import LogMove
from bot.records.replay import ReplayStep
from bot.tables.decisions.consequences import is_finished
from bot.tables.decisions.rated_or_practice import has_handicap, is_uncounted_in_arena
from bot.tables.state import events as e
from bot.tables.state import match_seed
from bot.tables.state.options import LEVEL, chosen
from bot.tables.state.session import Session

FORMAT = "ligretto-log/1"
UNHASHED = ("names", "digest")
"""Keys that a log's digest omits: names change, and it cannot contain itself."""

Event: TypeAlias = Mapping[str, Any]


def text(steps: Sequence[ReplayStep]) -> str | None:
    """Return the log of a match that has ended, with `t` in ms of its table's life.

    Returns None if no round was dealt, or if moves come from a version of the bot that did not
    store them in the log's notation.
    """
    moves = (step.line.entry for step in steps if isinstance(step.line.entry, e.Moved))
    if not any(step.session.round for step in steps) or not all(m.written for m in moves):
        return None
    *before, match = _events(steps)
    whole = digest([*before, match])
    return "".join(map(line, [*before, {**match, "digest": whole}]))


def digest(lines: Iterable[Event]) -> str:
    """Return the SHA-256, in hex, of a log in canonical form without names and digest."""
    hashed = sha256()
    for event in lines:
        hashed.update(canonical({key: event[key] for key in event if key not in UNHASHED}).encode())
    return hashed.hexdigest()


def canonical(event: Event) -> str:
    """Return a line in the canonical form of `docs/format.md`, with its line feed."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def events(text: str) -> list[Event]:
    """Parse the lines of a log.

    Only line feeds separate them: names may contain other characters that `splitlines` breaks at.
    """
    return [json.loads(line) for line in text.split("\n") if line]


def named(text: str, names: Sequence[str]) -> str:
    """Return a log with the names of its seats added."""
    first, _, rest = text.partition("\n")
    return line({**json.loads(first), "names": list(names)}) + rest


def line(event: Event) -> str:
    """Return an event as a line of a log, with its line feed."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n"


def _events(steps: Sequence[ReplayStep]) -> Iterator[Event]:
    began: int | None = None
    for step in steps:
        session, at = step.session, step.line.lived
        if isinstance(step.line.entry, e.Dealt) and began is None:
            began = at
            yield _start(session, steps[-1].session)
        if began is not None:
            for event in _event(step.line.entry, session):
                yield {"e": event["e"], "t": at - began, **event}


def _start(session: Session, last: Session) -> Event:
    """Build the log's first line.

    `last` is the match at its end, when everything people could see before the deal is known.
    """
    target = session.options.get("target", "off")
    length = {"rounds": session.rounds} if target == "off" else {"target": int(target)}
    return {
        "e": "start",
        "format": FORMAT,
        "players": len(session.chairs),
        **session.game.log_start(session.all_options, len(session.chairs)),
        **length,
        **_handicap(session),
        **_robots(session),
        **({"started_at": session.started_at} if session.started_at else {}),
        "commit": sha256(session.seed).hexdigest(),
        **_chance(last),
        **_streams(session),
    }


def _robots(session: Session) -> Event:
    """List the seats of robots, and say how strong they are if there are any."""
    seats = [seat for seat, chair in enumerate(session.chairs) if not chair.human]
    return {"computers": seats, **({"level": chosen(session.options, LEVEL)} if seats else {})}


def _handicap(session: Session) -> Event:
    """Mark a match in which some players can get more dice; its deals need not show that."""
    key, seats = session.game.key, len(session.chairs)
    return {"handicap": True} if has_handicap(key, session.all_options, seats) else {}


def _chance(session: Session) -> Event:
    """Return what everybody could see before the first deal: nothing if only the bot chose."""
    if (public := match_seed.public(session)) is None:
        return {}
    again = [match_seed.public_part(one.channel, one.message) for one in session.published[1:]]
    return {
        "promise": match_seed.promise(session),
        "public": public,
        **({"arena": inside.promise} if (inside := session.opened.arena) is not None else {}),
        **({"lobby": True} if match_seed.is_of_lobby(session) else {}),
        **({"reposted": again} if again else {}),
        **({"postings": session.postings} if session.postings else {}),
    }


def _streams(session: Session) -> Event:
    """Name the match's scheme of chance, unless it is the first one, in which it has no name.

    `started` maps each seat at Start to its seat in the match, or to None if it was given up before
    the first deal.
    """
    if session.scheme is Scheme.COMMON:
        return {}
    seats = {chair.stream: seat for seat, chair in enumerate(session.chairs)}
    return {
        "chance": session.scheme.value,
        "started": [seats.get(stream) for stream in range(session.started)],
    }


def _event(entry: e.Entry, session: Session) -> Iterator[Event]:
    """Yield the events of an entry: none, one, or two that share a `t`."""
    match entry:
        case e.Dealt():
            yield {"e": "deal", **session.game.log_deal(session.in_play)}
        case e.Moved(seat, _, written):
            yield from ({"e": "move", "p": seat, **_move(move)} for move in written)
        case e.Rejected(seat, _, written, card):
            yield {"e": "reject", "p": seat, **_move((written, card)), **_race(entry)}
        case e.Left(seat):
            yield {"e": "leave", "p": seat}
        case e.RoundEnded(reason, by):
            lasted = {} if session.dropped else {"lasted": session.history[-1].lasted}
            scores = entry.scores
            yield {"e": "end", "reason": reason.value, "by": by, "scores": scores, **lasted}
        case e.MatchEnded():
            is_promised = match_seed.public(session) is not None
            yield {
                "e": "match",
                "totals": session.totals,
                "winners": session.leaders,
                "aborted": not is_finished(session),
                "left": [seat for seat, chair in enumerate(session.chairs) if chair.left],
                "seed": session.seed.hex(),
                **({"secret": session.secret.hex()} if is_promised else {}),
                **({"counts": False} if is_uncounted_in_arena(session) else {}),
            }
        case _:
            pass


def _race(entry: e.Rejected) -> Event:
    """Name the seat that had taken the place first, with its margin in ms, if one had."""
    if entry.late_to is None:
        return {}
    return {"rival": entry.late_to, "margin": entry.late_ms, "shown": entry.shown}


def _move(move: LogMove) -> Event:
    written, card = move
    return {"m": written} if card is None else {"m": written, "card": card}
