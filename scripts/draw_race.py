"""Draws the README's moving picture, of two people who race: `python -m scripts.draw_race`.

Of many matches played here, it takes the round that is most worth seeing: with duels that are won
by both, decided by few points, and short enough to be watched to its end.
"""

import asyncio
import sys
from pathlib import Path

from bot.games.chance import Chance
from bot.ids import UserId
from bot.tables.running.table import Table
from bot.tables.state.session import Phase
from bot.watch.drawing.picture import picture
from bot.watch.rounds.reading import read, rounds
from bot.watch.rounds.values import WatchedRound
from tests.records.played import ATTENTIVE, Memory, PlayedMatches
from tests.records.test_log import written

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "race.gif"
NAMES, PEOPLE = ("Anna", "Ben"), (UserId(1), UserId(2))
MATCHES = 200
SHORTEST, LONGEST = 35, 60
"""Steps of a round that is worth seeing."""


async def main() -> None:
    found = [await played(seed) for seed in range(MATCHES)]
    best = max(filter(_is_fit, found), key=_worth)
    made = picture(best, NAMES)
    PICTURE.write_bytes(made.gif)
    size = len(made.gif) // 1024
    told = f"{made.frames} frames, {made.ms / 1000:.0f} s, {size} KiB, {len(best.duels)} duels"
    sys.stdout.write(f"{PICTURE.name}: {told}\n")


async def played(seed: int, game: str = "ligretto") -> WatchedRound:
    """Play a match of one round between two who race, and read it from its log."""
    (only,) = rounds(read(await log_of(seed, game)))
    return only


async def log_of(seed: int, game: str = "ligretto") -> str:
    """Play a match of one round between two who race, and return its log."""
    journal = Memory()
    evening = PlayedMatches(journal, seed)
    table = await evening.sit(game, PEOPLE, options={"rounds": "1"})
    await evening.begin(table)
    while table.session.phase is Phase.LIVE:
        await _both_press(evening, table)
    return written(journal, table)


async def _both_press(evening: PlayedMatches, table: Table) -> None:
    """Let both look at the same picture, and press soon after each other."""
    game, state = table.session.game, table.session.in_play
    wanted = {}
    for seat in table.session.seats_in:
        chance = Chance(evening.luck.randbytes(32), 0, 0)
        wanted[PEOPLE[seat]] = game.choose(game.view(state, seat), ATTENTIVE, chance)
    evening.pass_time(evening.luck.uniform(0.3, 1.2))
    for user in evening.luck.sample(PEOPLE, 2):
        if (move := wanted[user]) is not None and table.session.phase is Phase.LIVE:
            await evening.press(table, user, str(move))
        evening.pass_time(evening.luck.uniform(0.02, 0.3))
    for user in PEOPLE:
        table.shown(user, table.session)


def _is_fit(round_: WatchedRound) -> bool:
    is_long = SHORTEST <= len(round_.steps) <= LONGEST
    return round_.reason == "ligretto" and is_long


def _worth(round_: WatchedRound) -> tuple[int, int, int]:
    """Return how many players have won a duel, how many there are up to 4, and how close it was."""
    winners = {duel.seat for duel in round_.duels}
    return len(winners), min(4, len(round_.duels)), -abs(round_.scores[0] - round_.scores[1])


if __name__ == "__main__":
    asyncio.run(main())
