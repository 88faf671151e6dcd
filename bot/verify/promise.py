"""The seed of a match, and what it was made of: see "Seed and promise" in docs/format.md."""

import hmac
from base64 import b32encode
from hashlib import sha256

from bot.verify import fields as f
from bot.verify.errors import demand
from bot.verify.lines import Line
from bot.verify.start import SECOND

HALVES = ("promise", "public", "secret")
SHOWN = 32
"""Letters of base32 that a lobby shows of its promise: 160 bits."""


def check(start: Line, match: Line) -> bytes:
    """Return the seed of a log by its first and last line. Raises LogError."""
    seed = bytes.fromhex(match["seed"])
    demand(sha256(seed).hexdigest() == start["commit"], "commit")
    found = ["promise" in start, "public" in start, "secret" in match]
    if not any(found):
        demand(start.get("chance") != SECOND, "halves")
        f.absent(start, "lobby", "reposted", "postings")
        return seed
    demand(all(found), "halves")
    demand("digest" in match, "no_digest")
    f.need(start, promise=f.hexadecimal)
    secret = bytes.fromhex(match["secret"])
    demand(sha256(secret).hexdigest() == start["promise"], "promise")
    demand(_seed(start, secret) == seed, "seed")
    return seed


def _seed(start: Line, secret: bytes) -> bytes:
    """Return the seed that follows from the secret and from what everybody could see."""
    _messages(start)
    return hmac.digest(secret, start["public"].encode("ascii"), "sha256")


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
    """Return a promise as the lobby showed it."""
    return b32encode(bytes.fromhex(start["promise"])).decode("ascii").lower()[:SHOWN]
