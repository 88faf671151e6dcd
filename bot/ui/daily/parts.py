"""The parts of the daily, each given what it needs."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.clock import Clock
from bot.daily.store import DailyStore
from bot.tables.presses.discord_time import DiscordTime
from bot.tasks import Spawn
from bot.ui.connection.load_shedding import Load
from bot.ui.daily.command import Daily
from bot.ui.daily.presses import DailyPresses
from bot.ui.daily.replies import DailyReplies
from bot.ui.daily.rounds import DailyRounds
from bot.ui.daily.secrets import Agree, DailySecrets
from bot.ui.panels.context import PanelContext
from bot.ui.toolkit.command_router import CommandRouter


@dataclass(frozen=True, slots=True)
class DailyParts:
    secrets: DailySecrets
    rounds: DailyRounds
    presses: DailyPresses
    replies: DailyReplies


@dataclass(frozen=True, slots=True)
class DailyNeeds:
    """The needs of the daily.

    `draw` returns the bytes of a chain, `passes` whether a failure of the disk may pass. `agree`:
    how other groups agree on chains, if there are any.
    """

    store: DailyStore
    clock: Clock
    time: DiscordTime
    spawn: Spawn
    draw: Callable[[], bytes]
    load: Load
    passes: Callable[[Exception], bool]
    agree: Agree | None = None


def daily_parts(needs: DailyNeeds, router: CommandRouter, context: PanelContext) -> DailyParts:
    """Build the parts, and offer the command. Nothing is read or written."""
    secrets = DailySecrets(needs.store, needs.time, needs.draw, needs.passes, needs.agree)
    rounds = DailyRounds(needs.store, secrets, needs.clock, needs.spawn)
    replies = DailyReplies(needs.store, secrets, context)
    presses = DailyPresses(router.tables, rounds, replies, needs.load, needs.clock)
    Daily(router, needs.store, secrets, rounds, replies).add_to(router)
    return DailyParts(secrets, rounds, presses, replies)
