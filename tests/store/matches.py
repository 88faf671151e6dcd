"""Finished matches, short to write: who made how many points."""

from collections.abc import Mapping
from functools import partial
from itertools import count

from bot.games.values import Reason
from bot.ids import GuildId, UserId
from bot.records.rated_rounds import RatedRound
from bot.records.results import Duel, MatchResult, RoundRecord, SeatRecord
from bot.store.records.result_writing import Report, write
from bot.tables.decisions.rated_or_practice import Standing, Unranked
from tests.store.conftest import Store

GUILD = GuildId(77)
ANNA, BEN, CHLOE, DAN = map(UserId, range(101, 105))
NAMES = {ANNA: "Anna", BEN: "Ben", CHLOE: "Chloe", DAN: "Dan"}
NOON = 1_800_000_000_000
"""2027-01-15, a Friday, 8:00 UTC."""
ROUNDS = 3
MINUTE = 60_000

_tables = count(900_001)  # far above those that a bot opens beside them


def match(
    points: Mapping[UserId | None, int],
    *,
    at: int = NOON,
    guild: GuildId = GUILD,
    game: str = "ligretto",
    standing: Standing = Standing.RATED,
    names: Mapping[UserId, str] = NAMES,
) -> MatchResult:
    """Three rounds of a minute, all points made in the first, which rates people if the match is
    rated. None is the computer player.

    Nobody left; each human laid 30 cards; the first was 40 ms before the second once.
    """
    totals = list(points.values())
    humans = [total for user, total in points.items() if user is not None]
    seats = tuple(
        SeatRecord(
            user=user,
            name="Robot 1" if user is None else names.get(user, f"user {user}"),
            place=1 + sum(other > total for other in totals),
            rank=None if user is None else 1 + sum(other > total for other in humans),
            won=total == max(totals),
            left=False,
            points=total,
            rounds=ROUNDS,
            lasted=ROUNDS * MINUTE,
            laid=30,
            best=max(total, 0),
            worst=min(total, 0),
            firsts=int(number == 0),
            firsts_ms=40 * (number == 0),
            lates=int(number == 1),
            lates_ms=40 * (number == 1),
        )
        for number, (user, total) in enumerate(points.items())
    )
    rounds = tuple(
        RoundRecord(
            reason=Reason.LIGRETTO,
            by=0,
            lasted=MINUTE,
            plus=tuple(max(total, 0) if first else 0 for total in totals),
            minus=tuple(max(-total, 0) if first else 0 for total in totals),
            laid=(10,) * len(totals),
            duels=(Duel(0, 1, 40),) if first else (),
        )
        for first in (True, False, False)
    )
    return MatchResult(
        table=next(_tables),
        guild=guild,
        game=game,
        began=at - ROUNDS * MINUTE,
        ended=at,
        options={"rounds": str(ROUNDS)},
        standing=standing,
        rounds=rounds,
        seats=seats,
        rated_rounds=(RatedRound(tuple(seat.rank for seat in seats)),)
        if standing is Standing.RATED
        else (),
        unranked=_unranked(points) if standing is Standing.PRACTICE else None,
    )


def _unranked(points: Mapping[UserId | None, int]) -> Unranked:
    return Unranked.SHORT if sum(user is not None for user in points) > 1 else Unranked.ALONE


async def play(store: Store, result: MatchResult, log: bytes | None = None) -> int:
    """Write a match down; its number in its server."""
    await store.writer.write([partial(write, report=Report(result, log))])
    number = await store.one("SELECT number FROM matches ORDER BY id DESC LIMIT 1")
    assert isinstance(number, int)
    return number
