"""The list of members: who is at the table in a place, and who has the page open."""

from bot.demo.backend.bot_runner import BotRunner
from bot.demo.backend.world import DemoWorld
from bot.demo.web.view import Json, person
from bot.fakediscord import Channel
from bot.tables.state.session import Session


def members(world: DemoWorld, bot: BotRunner, where: Channel) -> list[Json]:
    """List people, robots and the bot. `group`: `at_table`, `here`, or `away` without a page."""
    session = bot.session(where)
    seated = _seated(session)
    people = [
        {
            **person(user),
            "key": user.name,
            "group": "at_table" if user.id in seated else "here" if is_here else "away",
            "here": is_here,
        }
        for user in world.people.values()
        for is_here in [world.pages[user.id] > 0]
    ]
    robots = [
        {"id": str(seat), "name": name, "robot": True, "group": "at_table", "here": True}
        for seat, name in _robots(session)
    ]
    itself = {**person(world.server.bot), "group": "here", "here": world.online}
    return [*people, *robots, itself]


def _seated(session: Session | None) -> frozenset[int]:
    if session is None:
        return frozenset()
    return frozenset(chair.user for chair in session.chairs if chair.user and not chair.left)


def _robots(session: Session | None) -> list[tuple[int, str]]:
    """Return the seats and names of the robots at a table."""
    chairs = session.chairs if session is not None else ()
    return [(seat, chair.name) for seat, chair in enumerate(chairs) if not chair.human]
