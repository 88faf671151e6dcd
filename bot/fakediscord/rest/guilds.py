"""Guilds and their members."""

from bot.fakediscord.model.payloads import (
    channel_payload,
    guild_payload,
    member_payload,
    roles_payload,
)
from bot.fakediscord.model.permissions import EVERYTHING
from bot.fakediscord.model.places import Guild
from bot.fakediscord.rest.call import Answer, Call, Routes
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import ApiError


def get(call: Call, guild_id: str) -> Answer:
    return guild_payload(call.guild(guild_id))


def channels(call: Call, guild_id: str) -> Answer:
    there = call.guild(guild_id).channels.values()
    return [channel_payload(one) for one in there if not one.thread and not one.deleted]


def roles(call: Call, guild_id: str) -> Answer:
    return roles_payload(call.guild(guild_id))


def member(call: Call, guild_id: str, user_id: str) -> Answer:
    guild = call.guild(guild_id)
    if int(user_id) not in guild.users:
        raise ApiError(10007)
    return member_payload(guild, guild.users[int(user_id)])


def members(call: Call, guild_id: str) -> Answer:
    """Return a page of members, by their ids."""
    guild, query = call.guild(guild_id), call.request.query
    after, limit = int(query.get("after", 0)), int(query.get("limit", 1))
    found = sorted(one for one in guild.users if one > after)[:limit]
    return [member_payload(guild, guild.users[one]) for one in found]


def own(call: Call) -> Answer:
    """Return a page of the guilds that the bot is in, by their ids."""
    query = call.request.query
    after, limit = int(query.get("after", 0)), int(query.get("limit", 200))
    there = sorted(one.id for one in call.world.guilds.values() if one.bot_in and one.id > after)
    return [_briefly(call.world.guilds[one]) for one in there[:limit]]


def _briefly(guild: Guild) -> Json:
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "banner": None,
        "owner": False,
        "permissions": str(EVERYTHING),
        "features": [],
    }


def leave(call: Call, guild_id: str) -> None:
    call.world.kick_bot(call.guild(guild_id))


ROUTES: Routes = {
    "GET /guilds/#": get,
    "GET /guilds/#/channels": channels,
    "GET /guilds/#/roles": roles,
    "GET /guilds/#/members/#": member,
    "GET /guilds/#/members": members,
    "GET /users/@me/guilds": own,
    "DELETE /users/@me/guilds/#": leave,
}
