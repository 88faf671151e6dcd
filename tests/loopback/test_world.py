"""A world of the stand-in by itself."""

from bot.fakediscord import Server, World
from tests.loopback.support import Api

COMMAND = {"name": "join", "description": "x", "type": 1}


def ids(world: World) -> list[int]:
    guild = world.add_guild(channels=2)
    return [world.app_id, world.user("ann").id, guild.id, *guild.channels]


async def test_ids_do_not_depend_on_earlier_worlds() -> None:
    assert ids(World()) == ids(World())


async def test_worlds_of_two_workers_share_no_id() -> None:
    assert not set(ids(World())) & set(ids(World(worker=1)))


async def test_changes_are_announced_in_order() -> None:
    world, told = World(), list[str]()
    world.audience.append(lambda event: told.append(event.name))
    world.changes.listeners.append(lambda: told.append("changed"))
    guild = world.add_guild(channels=1)
    (channel,) = guild.channels.values()
    world.delete_channel(channel)
    world.kick_bot(guild)
    events = ["CHANNEL_CREATE", "GUILD_CREATE", "CHANNEL_DELETE", "GUILD_DELETE"]
    assert told == [one for event in events for one in (event, "changed")]


async def test_deleted_command_is_gone() -> None:
    async with Server() as server, Api(server) as api:
        where = f"/applications/{server.app_id}/commands"
        made = await api("POST", where, COMMAND)
        assert (await api("DELETE", f"{where}/{made.body['id']}")).status == 204
        assert (await api("GET", where)).body == []
        assert (await api("DELETE", f"{where}/{made.body['id']}")).body["code"] == 10063
