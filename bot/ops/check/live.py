"""`python -m bot check --live CHANNEL_ID`: the part of the test in `/settings` without a press."""

from math import ceil
from typing import Any

import discord

from bot.groups.layout import Layout
from bot.i18n import FALLBACK, say
from bot.ids import ChannelId, GuildId
from bot.ops.check.finding import Finding, fix, later, ok
from bot.text import Text
from bot.ui.connection.client import Client
from bot.ui.limits.errors import one_line
from bot.ui.live_check.attempt import LIMITED, NO_ANSWER, Attempt, attempt
from bot.ui.live_check.live_check import LiveCheck
from bot.ui.live_check.probes import Probe, ProbeKind, takes_threads
from bot.ui.live_check.report import lacking
from bot.ui.toolkit.invitation import invite

APART = "Discord accepts no picture in an edit, so scores get their own message"
STAYS = "the test's thread stays, archived: the bot may not delete threads"


async def try_out(
    client: Client, live: LiveCheck, channel: ChannelId, layout: Layout
) -> tuple[Finding, ...]:
    """Post, edit, open a thread and delete all of it in a channel of this process's servers.

    What it teaches is remembered. The client has logged in, and needs no connection for events: no
    shard identifies. Raises what the database raises.
    """
    try:
        read = await attempt(lambda: client.fetch_channel(channel))
    except discord.InvalidData as error:
        return (fix("channel", f"{channel} cannot be read: {one_line(error)}"),)
    place = read.result
    if place is None:
        return (fix("channel", f"{channel} cannot be read: {_unread(client, read)}"),)
    if not isinstance(place, discord.abc.GuildChannel | discord.Thread):
        return (fix("channel", f"{channel} is not in a server"),)
    if not layout.owns(GuildId(place.guild.id)):
        return (fix("channel", f"{channel} is in a server of another group: run the check there"),)
    if not isinstance(place, discord.abc.Messageable):
        said = f"{channel} is a {place.type} without messages: choose a text channel"
        return (fix("channel", said),)
    probes, left = await live.without_presses(
        GuildId(place.guild.id), channel, takes_threads=takes_threads(place)
    )
    found = [_finding(one, apart=bool(probes.pictures_apart)) for one in probes.done]
    return (*found, *((later("thread", STAYS),) if left.is_archived else ()))


def _finding(probe: Probe, *, apart: bool) -> Finding:
    subject = say(Text(f"live.what.{probe.what}"), FALLBACK).lower()
    if probe.works:
        return ok(subject, f"{round(probe.seconds * 1000)} ms")
    if probe.what is ProbeKind.EDIT and apart:
        return ok(subject, APART)
    if (lacks := lacking(probe)) is not None:
        name = say(Text(f"permission.{lacks}"), FALLBACK)
        return fix(
            subject,
            f"Discord refuses it ({probe.problem}): give the bot the {name} permission there",
        )
    return fix(subject, _why(probe.problem, probe.wait))


def _why(problem: str, wait: float) -> str:
    """Return why a call failed, and what to do."""
    if problem == LIMITED:
        when = f"in {ceil(wait)} s" if wait else "later"
        return f"rate limited by Discord: try again {when}"
    if problem == NO_ANSWER:
        return "Discord doesn't answer: try again later"
    return f"Discord refuses it ({problem}): check the bot's permissions there"


def _unread(client: Client, read: Attempt[Any]) -> str:
    """Return why a channel cannot be read, and what to do."""
    error = read.error
    if isinstance(error, discord.Forbidden) and client.application_id is not None:
        link = invite(client.application_id)
        return f"{one_line(error)}; give the bot View Channel there, or invite it: {link}"
    is_words = isinstance(error, discord.HTTPException) and read.problem != LIMITED
    return one_line(error) if is_words and error is not None else _why(read.problem, read.wait)
