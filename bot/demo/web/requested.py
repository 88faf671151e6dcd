"""Requests of a page, carried out as what its person does on Discord."""

from bot.demo.backend.world import DemoWorld
from bot.demo.web import view
from bot.demo.web.page_requests import Apps, Choose, Dismiss, Press
from bot.fakediscord import Channel, Interaction, Message, User


def sent(
    world: DemoWorld, viewer: User, where: Channel, request: Press | Choose | Apps
) -> Interaction | None:
    """Send a press, a choice or what was chosen in a person's menu, stale or not.

    Judging it is up to the bot. None for a message, a person or a command that isn't there.
    """
    if isinstance(request, Apps):
        return _chosen(world, viewer, where, request)
    message = _found(viewer, where, request.message)
    if message is None:
        return None
    if isinstance(request, Choose):
        return world.server.select(viewer, message, request.id, request.values, stale=True)
    return world.server.click(viewer, message, request.id, stale=True)


def _chosen(world: DemoWorld, viewer: User, where: Channel, request: Apps) -> Interaction | None:
    people = {str(user.id): user for user in world.people.values()}
    offered = {one["real"] for one in view.apps(world, viewer.locale)}
    if request.person not in people or request.command not in offered:
        return None
    return world.server.context(viewer, where, request.command, people[request.person])


def dismiss(world: DemoWorld, viewer: User, where: Channel, request: Dismiss) -> None:
    """Dismiss a private message, if it is still there."""
    message = _found(viewer, where, request.message)
    if message is not None and message.ephemeral:
        world.server.dismiss(viewer, message)


def _found(viewer: User, where: Channel, message: str) -> Message | None:
    """Return a message, or None if this person cannot see it."""
    one = where.messages.get(int(message))
    if one is None or one.ephemeral_for not in {None, viewer}:
        return None
    return one
