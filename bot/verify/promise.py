"""The seed of a match, and what it was made of: see "Seed and promise" in docs/format.md."""

import hmac
from base64 import b32encode
from hashlib import sha256

from bot.verify.log import fields as f
from bot.verify.log.errors import demand
from bot.verify.log.lines import Line
from bot.verify.start import SECOND

LATER = ("lobby", "reposted", "postings")
"""Keys of messages that only a table of its own has."""
DAILY_SEATS = 3
SHOWN = 32
"""Letters of base32 that a lobby shows of its promise: 160 bits."""


def check(start: Line, match: Line) -> bytes:
    """Return the seed of a log by its first and last line. Raises LogError."""
    seed = bytes.fromhex(match["seed"])
    demand(sha256(seed).hexdigest() == start["commit"], "commit")
    found = ["promise" in start, "public" in start, "secret" in match]
    if not any(found):
        demand(start.get("chance") != SECOND, "halves")
        f.absent(start, "arena", "daily", *LATER)
        return seed
    demand(all(found), "halves")
    demand("digest" in match, "no_digest")
    f.need(start, promise=f.hexadecimal)
    secret = bytes.fromhex(match["secret"])
    demand(sha256(secret).hexdigest() == start["promise"], "promise")
    demand(_seed(start, secret) == seed, "seed")
    return seed


def _seed(start: Line, secret: bytes) -> bytes:
    """Return the seed that follows from the secret and from what everybody could see.

    That is a message of the table, a table's number in an arena, or a date.
    """
    if "arena" in start:
        _arena(start)
    elif "daily" in start:
        _daily(start)
    else:
        _messages(start)
    return hmac.digest(secret, start["public"].encode("ascii"), "sha256")


def _arena(start: Line) -> None:
    f.need(start, arena=f.hexadecimal, public=f.arena_table)
    f.absent(start, "daily", *LATER)
    demand(start.get("rounds") == 1, "field", key="rounds")


def _daily(start: Line) -> None:
    """Check the start of a deal of the day, which is promised by the secret of the date before."""
    f.need(start, daily=f.one_of(True), public=f.date)  # noqa: FBT003 the value that the key has
    f.absent(start, "level", "started_at", *LATER)
    f.need(start, chance=f.one_of(SECOND))
    demand(start["players"] == len(start["started"]) == DAILY_SEATS, "field", key="players")
    demand(start.get("computers") == [*range(1, DAILY_SEATS)], "field", key="computers")
    demand(start.get("rounds") == 1, "field", key="rounds")
    if start["game"] == "cards":
        f.need(start, refill=f.one_of("auto"))
        return
    f.absent(start, "handicap")
    f.need(start, shares=f.each(f.one_of("even"), DAILY_SEATS), extra=f.one_of(0))


def _messages(start: Line) -> None:
    """Check what a log says of the messages of its table."""
    f.need(start, public=f.two_ids)
    f.may(start, reposted=f.each(f.two_ids), lobby=f.one_of(True), postings=f.whole(1))  # noqa: FBT003
    posted = [start["public"], *start.get("reposted", ())]
    different = len(set(posted)) == len(posted) and start.get("reposted") != []
    demand(different, "field", key="reposted")
    known = len(posted) - start.get("lobby", False)
    demand(start.get("postings", known) >= known, "postings")


def shown(start: Line) -> str:
    """Return a promise as the lobby, or the arena's message, showed it."""
    promised = start["arena"] if "arena" in start else start["promise"]
    return b32encode(bytes.fromhex(promised)).decode("ascii").lower()[:SHOWN]
