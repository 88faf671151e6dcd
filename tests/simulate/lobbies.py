"""Whether each lobby has one message: another that looks like it would be edited no more."""

from collections.abc import Iterator

from bot.fakediscord import Channel, Message, Server
from bot.fakediscord.constants import EPOCH_MS
from tests.simulate import screens
from tests.simulate.loop import BEGINNING, EPOCH
from tests.simulate.people import Group
from tests.simulate.trouble import Trouble
from tests.simulate.witness import Witness

REFUSED = range(400, 500)


def left_alone(group: Group, witness: Witness, trouble: Trouble) -> Iterator[Message]:
    """Every lobby of a group's channel that is not its table's message, unless a call of the bot's
    on it was refused or a power cut has taken the memory of it.
    """
    public = group.public
    for message in group.server.public(group.channel):
        is_lobby = screens.pressable(message, "Join") is not None
        if not is_lobby or (public is not None and message.id == public.id):
            continue
        if made(message) > witness.power_cut and not _is_refused(message, trouble):
            yield message


def _is_refused(message: Message, trouble: Trouble) -> bool:
    calls = trouble.server.calls
    return any(str(message.id) in path and status in REFUSED for _, _, path, status, _ in calls)


def was_posted(message: Message, channel: Channel, server: Server) -> bool:
    """Return whether a call posted the message, rather than the answer to a command."""
    path = f"/channels/{channel.id}/messages"
    return any(
        method == "POST" and called.endswith(path) and ended - seconds <= made(message) <= ended
        for ended, method, called, _, seconds in server.calls
    )


def made(message: Message) -> float:
    """When a message was made, by the loop's clock."""
    return (message.id >> 22) / 1000 + EPOCH_MS / 1000 - EPOCH + BEGINNING
