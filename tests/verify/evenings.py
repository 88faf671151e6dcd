"""Logs of matches at real tables, of today and of the versions before."""

import hmac
from hashlib import sha256
from typing import Any

from bot.games.chance_scheme import Scheme
from bot.records.match_log import named
from bot.verify.log.lines import Line
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


async def dice_log() -> str:
    """The log of the first random match of dice in which somebody rolls more than one die."""
    for seed in range(100):
        text = await log(seed)
        rolls = [one["m"][1] for one in lines_of(text) if one.get("m", "x")[0] == "reroll"]
        if rolls and rolls[0] != rolls[0][::-1] and "shares" in lines_of(text)[0]:
            return text
    raise AssertionError("no match of dice")


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


def first_and_last(public: str, secret: bytes, **more: Any) -> tuple[Line, Line]:
    """What of a log of one round its seed hangs on."""
    seed = hmac.digest(secret, public.encode(), "sha256")
    start = {
        "public": public,
        "promise": sha256(secret).hexdigest(),
        "commit": sha256(seed).hexdigest(),
        "chance": 2,
        "game": "cards",
        "refill": "auto",
        "rounds": 1,
        "players": 3,
        "computers": [1, 2],
        "started": [0, 1, 2],
        **more,
    }
    return start, {"seed": seed.hex(), "secret": secret.hex(), "digest": "0" * 64}


def unpromised(**more: Any) -> tuple[Line, Line]:
    """The same of a log of which only the seed was promised."""
    start, match = first_and_last("12/34", SECRET, **more)
    kept = {key: value for key, value in start.items() if key not in SINCE_A_PROMISE}
    return kept, {"seed": match["seed"]}


SECRET = bytes(range(32))
KINDS = [
    (first_and_last("12/34", SECRET), ""),
    (first_and_last("12/34/5", SECRET, arena="ab" * 32), ""),
    (first_and_last("2026-11-30", SECRET, daily=True), ""),
    (first_and_last("12/34/5", SECRET), "field"),
    (unpromised(), "halves"),
    (unpromised(chance=1), ""),
    (unpromised(chance=1, arena="ab" * 32), "field"),
    (first_and_last("12/34/5", SECRET, arena="ab" * 32, daily=True), "field"),
    (first_and_last("12/34/5", SECRET, arena="ab" * 31), "field"),
    (first_and_last("2026-11-30", SECRET, daily=True, level="easy"), "field"),
    (first_and_last("2026-11-30", SECRET, daily=True, started_at=1), "field"),
    (first_and_last("2026-11-30", SECRET, daily=True, rounds=2), "field"),
    (first_and_last("2026-11-30", SECRET, daily=True, players=2), "field"),
    (first_and_last("12/34", SECRET, lobby=True, postings=0), "field"),
    (({**first_and_last("12/34", SECRET)[0]}, {"seed": "00" * 32}), "commit"),
    (first_and_last("2026-11-30", SECRET), "field"),
    (first_and_last("12/34", SECRET, arena="ab" * 32), "field"),
    (first_and_last("12/34/05", SECRET, arena="ab" * 32), "field"),
    (first_and_last("12/34/5", SECRET, arena="ab" * 32, lobby=True), "field"),
    (first_and_last("12/34/5", SECRET, arena="ab" * 32, rounds=2), "field"),
    (first_and_last("12/34", SECRET, daily=True), "field"),
    (first_and_last("2026-11-30", SECRET, daily=True, computers=[1]), "field"),
    (first_and_last("2026-11-30", SECRET, daily=True, postings=1), "field"),
]
"""What fixes the seed of a table of its own, of an arena's and of a daily, and what does not."""
