"""Nobody plays a date twice: random people, servers, restarts, clocks and forgetting."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.daily.dates import SECONDS, DayNumber, begins
from bot.daily.store import RoundKey, Where
from bot.games import GAMES
from bot.games.values import Refused
from bot.ids import GuildId, UserId
from bot.store.daily.daily import SqliteDaily
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.presses.press import Press
from bot.tasks import OwnedTasks
from bot.ui.daily.rounds import Answer, DailyRounds
from bot.ui.daily.secrets import DailySecrets
from tests.daily.played import DAY, chosen
from tests.store.conftest import Store, opened

PEOPLE = tuple(UserId(number) for number in (11, 12))
PLACES = (None, Where(GuildId(1), "A"), Where(GuildId(2), "B"))
SEEDS, ACTIONS = 12, 70


class Wall:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = float(begins(DAY)) + 100

    def now(self) -> float:
        return 5.0

    def awake(self) -> float:
        return 5.0

    def since_boot(self) -> float:
        return self.now()

    def wall(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nothing waits")

    async def park(self, awaitable: object, reason: str) -> object:
        raise AssertionError("nothing waits")


@dataclass
class Played:
    """What has become of one person's round of a date, as far as they were told."""

    presses: int = 0
    is_over: bool = False
    is_forgotten: bool = False


@dataclass
class Town:
    """A bot on its database, and what people were told."""

    store: Store
    rng: random.Random
    clock: Wall = field(default_factory=Wall)
    told: dict[RoundKey, Played] = field(default_factory=dict)
    wrong: float = 0.0
    tasks: OwnedTasks = field(default_factory=OwnedTasks)

    async def start(self) -> None:
        daily, time = SqliteDaily(self.store.db, self.store.writer), DiscordTime(self.clock)  # type: ignore[arg-type]
        self.secrets = DailySecrets(daily, time, lambda: bytes(range(32)), lambda _: False)
        await self.secrets.begin()
        self.rounds = DailyRounds(daily, self.secrets, self.clock, self.tasks)  # type: ignore[arg-type]

    def key(self) -> RoundKey:
        day = DayNumber(self.secrets.today - self.rng.choice((0, 0, 0, 1, 2, -1)))
        return RoundKey(self.rng.choice(PEOPLE), day, self.rng.choice(sorted(GAMES)))

    async def act(self) -> None:
        await self.rng.choices(
            [self.opens, self.presses, self.is_old, self.restarts, self.forgets, self.time_passes],
            [4, 12, 3, 1, 1, 2],
        )[0]()

    async def opens(self) -> None:
        """Type the command twice at once, in two places."""
        key = self.key()
        for answer in await asyncio.gather(*(self.rounds.open(key, at) for at in PLACES[:2])):
            self.check(key, answer)

    async def presses(self) -> None:
        """Press the same button on three panels at once, and what comes after it."""
        key = self.key()
        seen = await self.rounds.seen(key)
        word = chosen(seen.round) if seen.round and seen.round.ending is None else "flip:0"
        press = Press(1, key.user, "a", 0.0, 5.0)
        found = await asyncio.gather(*(self.rounds.press(key, word, press, at) for at in PLACES))
        accepted = [one for one in found if one.round and not isinstance(one.said, Refused)]
        assert len(accepted) <= 1, "one press, one move"
        for answer in accepted:
            self.check(key, answer, moved=True)

    async def is_old(self) -> None:
        """Press on a panel that shows an earlier state: it is a move of now, or none."""
        key, word = self.key(), self.rng.choice(("flip:0", "roll:0", "lay:0", "nonsense"))
        press = Press(1, key.user, "a", 0.0, 5.0)
        answer = await self.rounds.press(key, word, press, self.rng.choice(PLACES))
        is_taken = answer.round is not None and not isinstance(answer.said, Refused)
        self.check(key, answer, moved=is_taken)

    def check(self, key: RoundKey, answer: Answer, *, moved: bool = False) -> None:
        if answer.round is None:
            return
        if key not in self.told:
            assert key.day == self.secrets.today, "a round begins on its date"
        known = self.told.setdefault(key, Played())
        assert not known.is_forgotten, "a second round of one date"
        assert answer.round.presses == known.presses + moved, "nothing is lost or played twice"
        assert not (moved and known.is_over)
        assert not (moved and self.secrets.is_published(key.day)), "its secret may be known"
        known.presses = answer.round.presses
        known.is_over = answer.round.ending is not None

    async def restarts(self) -> None:
        """Start anew, as after a crash in the middle of presses that nobody was answered."""
        key = self.key()
        before = await self.rounds.seen(key)
        press = Press(1, key.user, "a", 0.0, 5.0)
        under_way = [asyncio.ensure_future(self.rounds.press(key, "flip:0", press, None))]
        await asyncio.sleep(0)
        await self.start()
        await asyncio.gather(*under_way)
        if (known := self.told.get(key)) is not None and before.round is not None:
            after = await self.rounds.seen(key)
            assert after.round is not None, "a crash takes no round away"
            assert after.round.presses - known.presses in (0, 1), "it counts once, or not"
            known.presses, known.is_over = after.round.presses, after.round.ending is not None

    async def forgets(self) -> None:
        """Forget somebody, while they press, and while they begin a round in two servers."""
        user = self.rng.choice(PEOPLE)
        keys = [key for key in self.told if key.user == user]
        press = Press(1, user, "a", 0.0, 5.0)
        await asyncio.gather(
            self.store.archive.forget(user),
            *(self.rounds.press(key, "flip:0", press, None) for key in keys[-2:]),
            *(self.rounds.open(key, at) for key in keys[-1:] for at in PLACES[1:]),
        )
        self.rounds.forget(user)
        for key in keys:
            self.told[key].is_forgotten = True

    async def time_passes(self) -> None:
        """Go on, over midnight, or be set back for as much as two days and put right again."""
        wrong, self.wrong = self.wrong, 0.0
        if not wrong:
            self.wrong = self.rng.choice((0.0, 0.0, SECONDS, 2.0 * SECONDS))
        self.clock.at += wrong - self.wrong + self.rng.choice((60, 0.4 * SECONDS, SECONDS))
        await self.secrets.tick()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(tmp_path / "once.db") as one:
        yield one


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_nobody_plays_a_date_twice(store: Store, seed: int) -> None:
    town = Town(store, random.Random(seed))
    await town.start()
    for _ in range(ACTIONS):
        await town.act()
    await town.tasks.stop()
    assert any(one.presses for one in town.told.values()), "somebody has played"


async def test_presses_are_played_in_the_order_of_their_arrival(store: Store) -> None:
    """Each is decided by what the one before has led to, though none was waited for."""
    town = Town(store, random.Random(0))
    await town.start()
    key = RoundKey(PEOPLE[0], DAY, "dice")
    _ = await town.rounds.open(key, None)
    press = Press(1, key.user, "a", 0.0, 5.0)
    rolls = [town.rounds.press(key, f"roll:{number}", press, None) for number in range(3)]
    presses = [one.round and one.round.presses for one in await asyncio.gather(*rolls)]
    await town.tasks.stop()
    assert presses == [1, 2, 3]
