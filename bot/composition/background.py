"""The work that a running bot does by itself, beside what has time limits."""

from collections.abc import Mapping
from functools import partial

from bot.composition.core import Core
from bot.composition.groups import Across
from bot.store.database.errors import passes
from bot.store.records.recounts import recounts
from bot.tasks import Work
from bot.ui.connection.client import Client
from bot.ui.live_check.live_check import LiveCheck
from bot.ui.panels.context import PanelContext
from bot.ui.servers.command_registration import Registration


def background(
    core: Core, client: Client, context: PanelContext, live: LiveCheck, across: Across
) -> Mapping[str, Work]:
    """Return the work by name. Nothing is started."""
    registration = Registration(client.tree, core.places, core.clock, passes)
    crowned = context.champions.read
    return {
        "registration": partial(core.once.each_time, registration.run),
        "emojis": context.emojis.run,
        "live check leftovers": live.clean_up,
        **dict(recounts(core.database.reading, core.writer, core.clock, crowned)),
        **across.work,
    }
