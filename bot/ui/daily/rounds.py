"""Everybody's dailies: one line per person, in which each press is stored before it is answered."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from bot.clock import Clock
from bot.daily.result import result
from bot.daily.round import DailyRefusal, DailyRound, begun, pressed, replayed
from bot.daily.store import Began, DailyStore, RoundKey, StoredRound, Where
from bot.games import GAMES
from bot.games.values import Refused
from bot.ids import UserId
from bot.tables.presses.arrival_queue import ArrivalQueue
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.router import PressRefusal
from bot.tasks import Spawn
from bot.text import Text
from bot.ui.daily.homes import AwayError, HandOver, Homes, OneHome, nowhere
from bot.ui.daily.secrets import DailySecrets

Work: TypeAlias = Callable[[], Awaitable["Answer"]]
KEPT = 300
"""Rounds in memory. Any other is played again from its presses, which takes milliseconds."""
REFUSED = {Began.USED: DailyRefusal.USED, Began.PUBLISHED: DailyRefusal.PUBLISHED}


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a press or a command. `round` is None if its person has none.

    `is_closed`: its secret is published, so it is scored as it stands. `is_handed`: another group,
    which has the round, answers.
    """

    round: DailyRound | None
    said: Text | Refused | None = None
    is_closed: bool = False
    is_handed: bool = False


HANDED = Answer(None, is_handed=True)


class OtherVersionError(Exception):
    """A round that was dealt by other rules than this version of the bot has."""


class DailyRounds:
    """The rounds of everybody, in every server and in direct messages.

    `press` and `open` are ordinary functions that return an awaitable: what arrives is in its
    person's line when they return, so nothing can be awaited before it.
    """

    def __init__(
        self,
        store: DailyStore,
        secrets: DailySecrets,
        clock: Clock,
        spawn: Spawn,
        homes: Homes | None = None,
    ) -> None:
        self._store = store
        self._secrets = secrets
        self._clock = clock
        self._spawn = spawn
        self.homes: Homes = homes or OneHome()
        self._lines: dict[UserId, ArrivalQueue] = {}
        self._kept: OrderedDict[RoundKey, DailyRound] = OrderedDict()

    def press(
        self,
        key: RoundKey,
        word: str,
        press: Press,
        where: Where | None,
        hand_over: HandOver = nowhere,
    ) -> Awaitable[Answer]:
        """Play a press in a round that was begun. It is stored before this returns an answer.

        A press on a round that another group has goes there, in its person's order.
        """
        work = partial(self._press, key, word, press, where)
        return self._in_line(key.user, partial(self._here, key, work, hand_over))

    def open(
        self, key: RoundKey, where: Where | None, hand_over: HandOver = nowhere
    ) -> Awaitable[Answer]:
        """Return a round as it is, and begin it if it is today's and new."""
        work = partial(self._open, key, where, hand_over)
        return self._in_line(key.user, partial(self._here, key, work, hand_over))

    def seen(self, key: RoundKey, hand_over: HandOver | None = None) -> Awaitable[Answer]:
        """Return a round as it is, if it was begun. Without `hand_over` it is looked for here."""
        work = partial(self._seen, key)
        if hand_over is not None:
            work = partial(self._here, key, work, hand_over)
        return self._in_line(key.user, work)

    def forget(self, user: UserId) -> None:
        """Drop what is in memory of somebody whose stored rounds are gone.

        Once now, and once more after what is in line, which may have read them before.
        """
        self._drop(user)
        if user in self._lines:
            _ = self._in_line(user, partial(self._dropped, user))

    async def _dropped(self, user: UserId) -> Answer:
        self._drop(user)
        return Answer(None)

    def _drop(self, user: UserId) -> None:
        for key in [key for key in self._kept if key.user == user]:
            del self._kept[key]

    def _in_line(self, user: UserId, work: Work) -> Awaitable[Answer]:
        line = self._lines.get(user)
        if line is None:
            line = self._lines[user] = ArrivalQueue(f"daily of {user}", self._spawn)
        done = line.take(partial(_answered, work))
        done.add_done_callback(lambda _: self._leave(user, line))
        return done

    def _leave(self, user: UserId, line: ArrivalQueue) -> None:
        """Let go of a line in which nobody waits."""
        if line.last is None and self._lines.get(user) is line:
            del self._lines[user]

    async def _here(self, key: RoundKey, work: Work, hand_over: HandOver) -> Answer:
        """Do the work, or hand it over if another group has the round.

        A round that was begun here is played here while no other group can be asked. Files that
        were split have copies: the one whose group has the claim counts.
        """
        try:
            if (group := await self._elsewhere(key)) is not None:
                await hand_over(group)
                return HANDED
            return await work()
        except AwayError:
            return Answer(None, Refused(DailyRefusal.UNREACHABLE))

    async def _elsewhere(self, key: RoundKey) -> int | None:
        try:
            return await self.homes.elsewhere(key.user, key.day)
        except AwayError:
            if await self._known(key) is None:
                raise
            return None

    async def _press(self, key: RoundKey, word: str, press: Press, where: Where | None) -> Answer:
        if press.is_late(self._clock.now()):
            return Answer(None, Refused(Stale.TOO_OLD))
        one = await self._known(key)
        if one is None:
            return Answer(None, Refused(DailyRefusal.NOT_BEGUN))
        if self._secrets.is_published(key.day):
            return Answer(one, Refused(DailyRefusal.PUBLISHED), is_closed=True)
        after = pressed(one, word)
        if isinstance(after, Refused):
            return Answer(one, after)
        if not await self._stored(key, after, where):
            return Answer(await self._known(key), Refused(DailyRefusal.NOT_BEGUN))
        self._keep(key, after)
        return Answer(after, after.steps[-1].said)

    async def _stored(self, key: RoundKey, after: DailyRound, where: Where | None) -> bool:
        """Store the last press of a round. If that isn't sure to have worked, it is read anew."""
        self._kept.pop(key, None)
        end = None if after.ending is None else result(after)
        word, there = after.steps[-1].word, self._there(where)
        is_stored = await self._store.press(key, after.presses, word, there, end)
        if end is not None:
            self.homes.ended()
        return is_stored

    def _there(self, where: Where | None) -> Where | None:
        if where is None or not self.homes.is_away(where.guild):
            return where
        return where._replace(is_away=True)

    async def _open(self, key: RoundKey, where: Where | None, hand_over: HandOver) -> Answer:
        seen = await self._seen(key)
        if seen.round is not None or seen.said is not None:
            return seen
        if key.day != self._secrets.today:
            return Answer(None, Refused(DailyRefusal.NOT_TODAY))
        if self._secrets.is_published(key.day):
            return Answer(None, Refused(DailyRefusal.PUBLISHED))
        secret, game = self._secrets.secret(key.day), GAMES[key.game]
        if secret is None:
            return Answer(None, Refused(DailyRefusal.AWAY))
        if (group := await self.homes.claim(key.user, key.day)) is not None:
            await hand_over(group)
            return HANDED
        began = await self._store.begin(key, game.rules_version, self._there(where))
        if began in REFUSED:
            return Answer(None, Refused(REFUSED[began]))
        return await self._seen(key)

    async def _seen(self, key: RoundKey) -> Answer:
        one = await self._known(key)
        if one is None:
            return Answer(None)
        return Answer(one, is_closed=self._secrets.is_published(key.day))

    async def _known(self, key: RoundKey) -> DailyRound | None:
        """Return a round from memory, or from its stored presses; None if it was not begun."""
        if (one := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return one
        stored = await self._store.round(key)
        return None if stored is None else self._keep(key, self.played(stored))

    def played(self, stored: StoredRound) -> DailyRound:
        """Play a stored round again.

        Raises OtherVersionError and BadPressesError.
        """
        secret, game = self._secrets.secret(stored.key.day), GAMES[stored.key.game]
        if stored.version != game.rules_version:
            raise OtherVersionError
        assert secret is not None, "a round was dealt from a secret"
        return replayed(begun(game, stored.key.day, secret), stored.words)

    def _keep(self, key: RoundKey, one: DailyRound) -> DailyRound:
        self._kept[key] = one
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return one


async def _answered(work: Work) -> Answer:
    try:
        return await work()
    except OtherVersionError:
        return Answer(None, Refused(PressRefusal.OTHER_VERSION))
