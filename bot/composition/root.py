"""The composition root of the bot: builds every part, and gives it the parts that it needs."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass

from bot.composition.background import background
from bot.composition.core import Core
from bot.composition.groups import Across, across_of
from bot.ids import ChannelId
from bot.store.daily.daily import SqliteDaily
from bot.store.database.errors import passes
from bot.store.people.newcomers import SqliteNewcomers
from bot.tasks import Ticking, Work
from bot.ui.announcements.announcer import Announcer, Sources
from bot.ui.announcements.postings import Postings
from bot.ui.announcements.season_ends import SeasonEnds
from bot.ui.arena.command import ArenaCommand
from bot.ui.arena.context import ArenaContext
from bot.ui.arena.fairness import ArenaFairness
from bot.ui.arena.messages import ArenaMessages
from bot.ui.arena.presses import ArenaPresses
from bot.ui.caches.champions import Champions
from bot.ui.caches.guild_settings import GuildSettings
from bot.ui.caches.newcomers import Newcomers
from bot.ui.commands.learn import Learn
from bot.ui.commands.moderation import Moderation
from bot.ui.commands.ping import Ping
from bot.ui.commands.plain_text import PlainText
from bot.ui.commands.play import Commands
from bot.ui.commands.privacy import Privacy
from bot.ui.commands.rules.command import Rules
from bot.ui.commands.settings import SettingsPanel
from bot.ui.commands.settings_posts import PostSettings
from bot.ui.connection.client import Client
from bot.ui.connection.responses import Interaction
from bot.ui.daily.parts import DailyNeeds, DailyParts, daily_parts
from bot.ui.limits.picture_lessons import ServerLessons
from bot.ui.live_check.live_check import LiveCheck
from bot.ui.panels.context import PanelContext
from bot.ui.people.own_data import OwnData
from bot.ui.presses.presses import Presses
from bot.ui.records import MatchSummary, register
from bot.ui.records.fairness import Fairness
from bot.ui.render.emojis import EmojiUploader
from bot.ui.servers.lifecycle import Servers
from bot.ui.tables.messages import TableMessages
from bot.ui.toolkit.command_router import CommandRouter
from bot.ui.watch.drawing_process import DrawingProcess
from bot.ui.watch.watch import Watching


@dataclass(frozen=True, slots=True)
class Running:
    """The parts that exist only while a client is logged in.

    `ticking`: those with time limits; `work`: what runs by itself, by name.
    """

    client: Client
    context: PanelContext
    messages: TableMessages
    presses: Presses
    router: CommandRouter
    servers: Servers
    live: LiveCheck
    arena: ArenaMessages
    arena_presses: ArenaPresses
    daily: DailyParts
    ticking: Sequence[Ticking]
    across: Across
    work: Mapping[str, Work]

    def handle(self, interaction: Interaction) -> Awaitable[None]:
        """Handle a press on a table or on a daily. It is in line when this returns."""
        if self.daily.presses.is_for(interaction):
            return self.daily.presses.handle(interaction)
        return self.presses.handle(interaction)

    async def farewell(self) -> None:
        """Finish the answers that are being worked on, and tell open tables of the stop."""
        farewells = (one.farewell() for one in (self.messages, self.arena, self.live))
        await asyncio.gather(self.client.answered(), *farewells)


async def compose(core: Core, client: Client) -> Running:
    """Build the parts, and give the client every command. Nothing is started or written."""
    across, index = await across_of(core, client), core.tables.index
    context = await _context(core, client, across)

    def occupied(channel: ChannelId) -> bool:
        return index.at(channel) is not None

    live = LiveCheck(context, core.places, core.tasks, index.in_play_at)
    guild_settings = GuildSettings(core.archive)
    messages = TableMessages(
        context,
        core.places,
        occupied=occupied,
        followed=lambda table: index.at(table.session.channel) not in (None, table),
        match_summary=MatchSummary(core.archive),
        pings=lambda guild: guild_settings.of(guild).ping,
    )
    presses = Presses(core.tables, messages, core.load, core.clock, live.is_in)
    await guild_settings.load()
    router = CommandRouter(core.archive, core.tables, core.clock, context.champions)
    dailies = SqliteDaily(core.database.reading, core.writer)
    ends, announcer = _posting(core, client, context, guild_settings, dailies)
    Commands(router, messages, presses, guild_settings, live.is_in).add_to(client.tree)
    posts = PostSettings(guild_settings, core.archive.posts, context.discord_time, announcer.retry)
    SettingsPanel(guild_settings, live, posts).add_to(router)
    needs = DailyNeeds(
        dailies,
        core.clock,
        context.discord_time,
        core.tasks,
        core.draw,
        core.load,
        passes,
        across.agree,
    )
    across.join(daily := daily_parts(needs, router, context))
    _offer(core, router, messages, live)
    forgets = (context.plain, context.newcomers, context.champions, daily.rounds)
    everywhere = across.everywhere(OwnData(core.archive, core.tables, core.arenas, forgets))
    Privacy(everywhere, guild_settings).add_to(router)
    arena, arena_presses = _arenas(core, router, guild_settings, messages, presses, live)
    router.add_to(client.tree)
    servers = Servers(
        client, core.archive, (core.tables, core.arenas), guild_settings, core.clock, passes
    )
    ticking: tuple[Ticking, ...] = (
        core.tables,
        messages,
        servers,
        core.arenas,
        arena,
        core.load,
        daily.secrets,
        ends,
        announcer,
        *across.ticking,
    )
    return Running(
        client,
        context,
        messages,
        presses,
        router,
        servers,
        live,
        arena,
        arena_presses,
        daily,
        ticking,
        across,
        background(core, client, context, live, across),
    )


async def _context(core: Core, client: Client, across: Across) -> PanelContext:
    """Return the tools of panels, with what was known before the start."""
    budget, drawings = across.budget, core.drawings()
    emojis = EmojiUploader(client, core.places, budget, core.clock, drawings, core.once)
    await budget.recall()
    await emojis.recall()
    await across.plain.recall()
    newcomers = Newcomers(SqliteNewcomers(core.database.writing, core.writer))
    await newcomers.recall()
    learned = ServerLessons(core.places, core.tables.discord)
    await learned.recall()
    champions = Champions(core.archive)
    await champions.recall()
    return PanelContext(
        client,
        core.places,
        budget,
        core.supervisor,
        core.clock,
        emojis,
        across.plain,
        newcomers,
        learned,
        core.tables.discord,
        champions,
    )


def _posting(
    core: Core,
    client: Client,
    context: PanelContext,
    guild_settings: GuildSettings,
    dailies: SqliteDaily,
) -> tuple[SeasonEnds, Announcer]:
    """Build what posts by itself where a manager wants it."""
    ends = SeasonEnds(
        client, core.archive, guild_settings, context.champions, context.discord_time, passes
    )
    announcer = Announcer(
        Sources(core.archive, dailies),
        guild_settings,
        ends,
        Postings(client, context.budget),
        core.clock,
        context.discord_time,
    )
    return ends, announcer


def _arenas(
    core: Core,
    router: CommandRouter,
    guild_settings: GuildSettings,
    messages: TableMessages,
    presses: Presses,
    live: LiveCheck,
) -> tuple[ArenaMessages, ArenaPresses]:
    """Build what Discord shows of arenas, and their command."""
    context = ArenaContext(messages.context, messages, core.arenas, core.arena_store, core.tasks)
    core.arenas.deals = context.deals
    shown = ArenaMessages(context)
    pressed = ArenaPresses(
        context, shown, presses.replies, core.tables.index, core.load, core.clock
    )
    presses.between_rounds = pressed
    ArenaCommand(router, context, pressed, guild_settings, live.is_in)
    ArenaFairness(router, core.arenas, core.arena_store)
    core.load.more_held = lambda: {**messages.held(), **shown.held()}
    return shown, pressed


def _offer(core: Core, router: CommandRouter, messages: TableMessages, live: LiveCheck) -> None:
    """Register every command that isn't a table's."""
    context = messages.context
    register(router)
    Fairness(router)
    Rules(router, core.arenas, context)
    Ping(router)
    live.add_to(router)
    Moderation(router, core.arenas).add_to(router)
    PlainText(router, context.plain, messages.panels)
    Learn(router, context)
    Watching(router, context.learned, DrawingProcess(core.draw_round))
