"""The calls to Discord about a player's panel, each with its pace."""

from collections.abc import Callable

from discord.ui import LayoutView

from bot.clock import Bell
from bot.tables.running.table import Table
from bot.tables.state.message_refs import Token
from bot.tables.state.session import Phase
from bot.ui.connection import fast_path
from bot.ui.connection.token_life import is_alive
from bot.ui.limits.answers import answered_within
from bot.ui.limits.channel_pace import SentCall
from bot.ui.limits.edit_budget import CountedChannel
from bot.ui.limits.headers import RateLimits, Scope
from bot.ui.limits.shared.pace import Slowdown
from bot.ui.limits.urgency import Claim, Worth, tidying
from bot.ui.panel_states.panel_place import Asleep, ByToken, DirectMessage, Place, token_of
from bot.ui.panels.context import PanelContext

GAP = 0.5
"""Seconds between two pushes to one panel, as long as its tokens meet no limit."""
DIRECT_GAP = 2.0
"""Seconds between two edits without a token: a channel takes five in five seconds, and each
spends what the whole bot may send (PLATFORM 1, 2).
"""
SLOW = 5.0
"""Seconds that a push waits for a limit, after which the table's message says so."""
TOLD_FOR = 60.0
"""Seconds for which it goes on saying so."""
PLAYED = (Phase.READY, Phase.COUNT, Phase.LIVE)


class PanelMessage:
    """The message that a panel is. Calls raise `bot.ui.limits.errors.FAILURES`."""

    def __init__(self, table: Table, context: PanelContext) -> None:
        self._table = table
        self._context = context
        self._where = CountedChannel.of(table.session)
        self._next_direct = 0.0
        self._slowdown = Slowdown(context.clock.now())
        self._pauses: dict[Token, float] = {}  # when each may be used again
        self._is_deal = False  # the call whose turn it is
        self._bell = Bell()

    @property
    def where(self) -> CountedChannel:
        """The channel whose calls are counted."""
        session = self._table.session
        if session.channel != self._where.channel:
            self._where = CountedChannel.of(session)
        return self._where

    @property
    def is_free(self) -> bool:
        """True if its channel is known to take whatever is sent."""
        return self._context.budget.pace(self.where).is_free

    async def turn(self, place: Place, claim: Callable[[], Claim]) -> None:
        """Wait until this place may be edited; not for long once the cards are dealt."""
        context = self._context
        if (token := token_of(place)) is None:
            await context.clock.sleep(self._next_direct - context.clock.now())
            await context.budget.take_own(urgent=lambda: claim().worth is Worth.DEAL)
            return
        began = context.clock.now()

        def asked() -> Claim:
            wanted = claim()
            if wanted.worth not in (Worth.NOTHING, Worth.LAST):
                self._tell_if_slow(context.clock.now() - began)
            return wanted

        granted = await context.budget.take(self.where, asked, self._bell)
        self._is_deal = granted.worth is Worth.DEAL
        await context.clock.sleep(self._rest(token, granted))

    def hurry(self) -> None:
        """Have the call that waits, if there is one, look at once whether it may go."""
        self._bell.ring()

    def _tell_if_slow(self, waited: float) -> None:
        table, context = self._table, self._context
        is_slow = waited >= SLOW and context.budget.is_slow(self.where)
        if is_slow and table.session.phase in PLAYED:
            table.slow_until = context.clock.now() + TOLD_FOR
            if table.looks_different():
                table.tell_of_time()

    def _rest(self, token: Token, claim: Claim) -> float:
        """Return the seconds that its token still has to rest, since it has met a limit."""
        now, pause = self._context.clock.now(), self._pause(token)
        if claim.worth is Worth.DEAL:
            return pause
        return max(pause, GAP * (1 / self._slowdown.factor(now) - 1))

    def _pause(self, token: Token) -> float:
        """Return the seconds until a token may be used, by what Discord has said of it."""
        return max(0.0, self._pauses.get(token, 0.0) - self._context.clock.now())

    async def edit(self, place: Place, view: LayoutView) -> bool:
        """Show this view: with the token if there is one, else as the bot.

        Return whether Discord has taken it; False for a rate limit.
        """
        match place:
            case ByToken(token) | DirectMessage(token=Token() as token):
                sent = self._context.budget.spend(self.where, is_deal=self._is_deal)
                client = self._context.client
                async with answered_within():
                    limits = await fast_path.push(client, token.token, token.message, view)
                return self._hear(limits, token, sent)
            case DirectMessage(direct):
                self._next_direct = self._context.clock.now() + DIRECT_GAP
                message = self._context.direct_message(direct)
                async with answered_within():
                    await message.edit(view=view, allowed_mentions=fast_path.NOBODY)
            case Asleep():
                pass
        return True

    async def delete(self, place: Place) -> None:
        """Delete a message that is no longer needed, when there is room for that.

        One that meets a limit is tried again after it, as long as its token lives.
        """
        while not await self._deleted(place):
            pass

    def can_delete(self, place: Place) -> bool:
        """Return whether a message can still be deleted: by its token only while that lives."""
        if not isinstance(place, ByToken):
            return True
        return is_alive(place.token, self._context.discord_time.now())

    def _tidying(self, place: Place) -> Claim:
        """Return the claim of deleting a message; nothing once it can't be deleted any more."""
        return tidying(self._table.session) if self.can_delete(place) else Claim(Worth.NOTHING)

    async def _deleted(self, place: Place) -> bool:
        if isinstance(place, ByToken):
            await self._context.clock.sleep(self._pause(place.token))
            if self.can_delete(place):
                await self._context.budget.take(self.where, lambda: self._tidying(place))
            if not self.can_delete(place):
                return True
        match place:
            case DirectMessage(direct):
                await self._context.budget.take_own()
                async with answered_within():
                    await self._context.direct_message(direct).delete()
            case ByToken(token):
                sent = self._context.budget.spend(self.where)
                client = self._context.client
                async with answered_within():
                    limits = await fast_path.delete(client, token.token, token.message)
                return self._hear(limits, token, sent)
            case Asleep():
                pass
        return True

    def _hear(self, limits: RateLimits, token: Token, sent: SentCall) -> bool:
        """Learn from what Discord has said. Return whether it has taken the call."""
        budget, now = self._context.budget, self._context.clock.now()
        self._pauses = {one: until for one, until in self._pauses.items() if until > now}
        self._pauses[token] = now + limits.pause
        if limits.refused is None:
            budget.taken(self.where)
            return True
        if limits.refused is Scope.TOKEN:
            self._slowdown.halve(now)
        budget.refused(self.where, whose=limits.refused, wait=limits.pause, sent=sent)
        return False
