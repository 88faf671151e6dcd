"""Logs of matches at real tables, of today and of the versions before."""

from hashlib import sha256

from bot.games.chance_scheme import Scheme
from bot.records.match_log import named
from tests.records.test_log import contested_match, random_match, written
from tests.verify.damages import lines_of, text_of

SINCE_A_PROMISE = ("promise", "public", "lobby", "reposted", "postings")
SINCE_RACES = ("rival", "margin", "shown")


async def log(seed: int, scheme: Scheme = Scheme.OWN) -> str:
    """The log of a random match, with names as `/replay` gives it."""
    text = written(*await random_match(seed, scheme))
    seats = lines_of(text)[0]["players"]
    return named(text, [f'Zoë "{seat}" 木' for seat in range(seats)])


async def raced_log() -> str:
    """The log of a match with lost races."""
    return text_of(await contested_match())


async def old_log(seed: int) -> str:
    """One from before there were promises, races and digests: the seed alone was promised."""
    start, *between, match = lines_of(await log(seed, Scheme.COMMON))
    for key in (*SINCE_A_PROMISE, "computers", "level", "started_at", "refill", "handicap"):
        start.pop(key, None)
    for line in between:
        for key in (*SINCE_RACES, "lasted"):
            line.pop(key, None)
    for key in ("secret", "digest"):
        del match[key]
    assert start["commit"] == sha256(bytes.fromhex(match["seed"])).hexdigest()
    return text_of([start, *between, match])
