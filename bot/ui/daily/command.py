"""The `/daily` command, its page, and the buttons beside the moves of a round."""

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.daily import log as daily_log
from bot.daily.chain import shown
from bot.daily.dates import DayNumber, iso
from bot.daily.fair_screen import LISTED, NO_LOG, fair_screen
from bot.daily.result import streak
from bot.daily.round import DailyRefusal
from bot.daily.screens import SUBJECT, Entry, daily_page, share_screen
from bot.daily.store import DailyStore, RoundKey
from bot.games import GAMES
from bot.games.values import Refused
from bot.ids import UserId
from bot.screen import Screen
from bot.tables.presses.rate_limit import Rate
from bot.text import Name, Text
from bot.ui.connection.responses import Interaction, picked, went_out
from bot.ui.daily.homes import AwayError
from bot.ui.daily.presses import where
from bot.ui.daily.replies import DailyReplies
from bot.ui.daily.rounds import DailyRounds
from bot.ui.daily.secrets import DailySecrets
from bot.ui.toolkit.command_answers import tell
from bot.ui.toolkit.command_limit import AGAIN_AFTER
from bot.ui.toolkit.command_router import CommandRouter, NotOursError, custom_id
from bot.ui.toolkit.command_words import ANYWHERE, command, game_choices
from bot.ui.toolkit.custom_id_words import exactly, game_key, number
from bot.ui.toolkit.screen_replies import public_locale_of, show

TO_ID = partial(custom_id, SUBJECT)


class Daily:
    """The command and its pages. They answer privately; only a share line is for everybody."""

    def __init__(
        self,
        router: CommandRouter,
        store: DailyStore,
        secrets: DailySecrets,
        rounds: DailyRounds,
        replies: DailyReplies,
    ) -> None:
        self._router = router
        self._store = store
        self._secrets = secrets
        self._rounds = rounds
        self._replies = replies
        self._shared: Rate[tuple[RoundKey, int | None]] = Rate(1, AGAIN_AFTER)

    def add_to(self, router: CommandRouter) -> None:
        @app_commands.choices(game=game_choices())
        async def daily(
            interaction: Interaction, game: app_commands.Choice[str] | None = None
        ) -> None:
            if game is None:
                await self._page(interaction, anew=True)
            else:
                await self._open(interaction, self._secrets.today, game.value, anew=True)

        offered = command(SUBJECT, daily, game="command.daily.game")
        offered.allowed_contexts = ANYWHERE
        router.offer(offered)
        router.on_press(SUBJECT, self._press, in_private=True)

    async def _press(self, interaction: Interaction, words: Sequence[str]) -> None:
        match words:
            case ["page"]:
                await self._page(interaction)
            case ["fair"]:
                await self._fair(interaction)
            case ["log"]:
                await self._log(interaction, picked(interaction) or "")
            case ["open", day, game]:
                await self._open(interaction, _day(day), game_key(game))
            case ["share", day, game]:
                await self._share(interaction, _day(day), game_key(game))
            case _:
                raise NotOursError

    async def _page(self, interaction: Interaction, *, anew: bool = False) -> None:
        """Show today's dailies, and yesterday's that can still be finished."""
        user, today = UserId(interaction.user.id), self._secrets.today
        if await self._is_handed(interaction, user, today):
            return
        used = await self._store.used(user, today)
        keys = (RoundKey(user, today, game) for game in GAMES)
        entries = [replace(await self._entry(key), is_used=key.game in used) for key in keys]
        yesterday = DayNumber(today - 1)
        earlier = [
            await self._entry(one.key)
            for one in await self._store.of_day(user, yesterday)
            if one.points is None and not self._secrets.is_published(yesterday)
        ]
        days = await self._store.finished(user)
        screen = daily_page(today, entries, earlier, streak(days, today))
        await self._show(interaction, screen, anew=anew)

    async def _entry(self, key: RoundKey) -> Entry:
        return Entry(key.game, key.day, (await self._rounds.seen(key)).round)

    async def _open(
        self, interaction: Interaction, day: DayNumber, game: str, *, anew: bool = False
    ) -> None:
        key = RoundKey(UserId(interaction.user.id), day, game)
        over = self._rounds.homes.hand_over(interaction)
        found = await self._rounds.open(key, where(interaction), over)
        if not found.is_handed:
            await self._replies.round(interaction, key, found, anew=anew)

    async def _is_handed(self, interaction: Interaction, user: UserId, today: DayNumber) -> bool:
        """Hand a page to the group that has a person's dailies. Return whether that is done.

        While no other group can be asked, what this one has is shown.
        """
        homes = self._rounds.homes
        try:
            group = await homes.last_elsewhere(user, today)
        except AwayError:
            return False
        if group is None:
            return False
        try:
            await homes.hand_over(interaction)(group)
        except AwayError:
            await tell(interaction, Text(DailyRefusal.UNREACHABLE))
        return True

    async def _share(self, interaction: Interaction, day: DayNumber, game: str) -> None:
        """Post the share line here: a few a minute at most, each once. It pings nobody."""
        user = UserId(interaction.user.id)
        key = RoundKey(user, day, game)
        shared, now = (key, interaction.channel_id), self._router.clock.now()
        found = await self._rounds.seen(key, self._rounds.homes.hand_over(interaction))
        if found.is_handed:
            return
        if isinstance(found.said, Refused):
            await tell(interaction, found.said.text)
        elif found.round is None or found.round.ending is None:
            await tell(interaction, Text(DailyRefusal.NOT_BEGUN))
        elif self._shared.is_full(shared, now):
            await tell(interaction, Text("daily.shared_already"))
        elif not self._router.public.allows(user):
            await tell(interaction, Text("request.refused.too_often"))
        else:
            self._shared.allows(shared, now)
            locale = await public_locale_of(interaction, self._router.archive)
            screen = share_screen(found.round, Name(interaction.user.display_name))
            await show(interaction, screen, locale, everybody=True)

    async def _fair(self, interaction: Interaction) -> None:
        """Show how the secrets are fixed, and the logs of one's rounds with a published one."""
        user, until = UserId(interaction.user.id), self._secrets.published
        if await self._is_handed(interaction, user, self._secrets.today):
            return
        logs = () if until is None else await self._store.past(user, until, LISTED)
        today = self._secrets.today
        chains = shown(self._secrets.chains, today)
        published = None
        if until is not None and chains and chains[0].covers(until):
            published = (until, chains[0].secret(until))
        screen = fair_screen(chains, published, today, logs)
        await self._show(interaction, screen)

    async def _log(self, interaction: Interaction, chosen: str) -> None:
        """Hand out a log. There is none before its secret is published."""
        if chosen == NO_LOG:
            await self._fair(interaction)
            return
        day, game = exactly(chosen.split(":"), 2)
        key = RoundKey(UserId(interaction.user.id), _day(day), game_key(game))
        until, secret = self._secrets.published, self._secrets.secret(key.day)
        if until is None or secret is None or key.day > until:
            await tell(interaction, Text("daily.refused.not_published"))
            return
        found = await self._rounds.seen(key, self._rounds.homes.hand_over(interaction))
        if found.is_handed:
            return
        if found.round is None:
            await tell(interaction, Text(DailyRefusal.NOT_BEGUN))
            return
        text = daily_log.text(found.round, secret)
        name = f"ligretto-daily-{iso(key.day)}-{game}.jsonl"
        file = discord.File(io.BytesIO(text.encode()), name)
        send = interaction.response.send_message
        await went_out(interaction, lambda: send(file=file, ephemeral=True))

    async def _show(self, interaction: Interaction, screen: Screen, *, anew: bool = False) -> None:
        await self._replies.show(interaction, screen, TO_ID, anew=anew)


def _day(word: str) -> DayNumber:
    return DayNumber(number(word))
