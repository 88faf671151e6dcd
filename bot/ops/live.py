"""`python -m bot check --live CHANNEL_ID`: the part of the test in `/settings` without a press."""

import discord

from bot.games.screen import Text
from bot.i18n import FALLBACK, say
from bot.ops.finding import Finding, later, mend, ok
from bot.ui.attempt import LIMITED, NO_ANSWER
from bot.ui.client import Client
from bot.ui.errors import FAILURES, one_line
from bot.ui.live_check import LiveCheck
from bot.ui.probes import Probe, What

APART = "Discord takes no picture with an edit, so scores get a message of their own"
STAYS = "the test's thread stays, archived: the bot may not delete threads"


async def tried(client: Client, live: LiveCheck, channel: int) -> tuple[Finding, ...]:
    """Post, edit, open a thread and delete all of it in a channel. What it teaches is remembered.
    The client has logged in. Raises what the database raises.
    """
    try:
        place = await client.fetch_channel(channel)
    except (*FAILURES, discord.InvalidData) as error:
        return (mend("channel", f"{channel} cannot be read: {one_line(error)}"),)
    if not isinstance(place, discord.abc.GuildChannel | discord.Thread):
        return (mend("channel", f"{channel} is in no server"),)
    probes, left = await live.alone(place.guild.id, channel)
    found = [_finding(one, apart=bool(probes.pictures_apart)) for one in probes.done]
    return (*found, *((later("thread", STAYS),) if left.is_archived else ()))


def _finding(probe: Probe, *, apart: bool) -> Finding:
    subject = say(Text(f"live.what.{probe.what}"), FALLBACK).lower()
    if probe.works:
        return ok(subject, f"{round(probe.seconds * 1000)} ms")
    if probe.what is What.EDIT and apart:
        return ok(subject, APART)
    if probe.problem == LIMITED:
        return mend(subject, f"Discord asks to wait {round(probe.wait)} s: try again after that")
    if probe.problem == NO_ANSWER:
        return mend(subject, "Discord doesn't answer: try again later")
    said = f"Discord refuses it ({probe.problem}): look at the bot's permissions there"
    return mend(subject, said)
