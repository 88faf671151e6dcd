"""Payloads that only the gateway sends."""

from collections.abc import Sequence

from bot.fakediscord.gateway.connection import Session, Shard
from bot.fakediscord.model.payloads import member_payload, user_payload
from bot.fakediscord.model.places import Guild
from bot.fakediscord.types import Json
from bot.fakediscord.world import World


def ready_payload(world: World, session: Session, guilds: Sequence[Guild]) -> Json:
    account = {"email": None, "verified": True, "mfa_enabled": True, "flags": 0}
    shard: Shard = session.shard
    return {
        "v": 10,
        "user": user_payload(world.bot) | account,
        "shard": list(shard),
        "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
        "session_id": session.id,
        "session_type": "normal",
        "resume_gateway_url": world.ws_url,
        "application": {"id": str(world.app_id), "flags": world.app_flags},
        "private_channels": [],
        "relationships": [],
        "presences": [],
        "user_settings": {},
        "geo_ordered_rtc_regions": [],
        "guild_join_requests": [],
        "auth": {},
    }


def members_payload(guild: Guild, asked: Json) -> Json:
    """Answer a request for members by their ids, or by how their names begin."""
    given = asked.get("user_ids") or []
    ids = [int(one) for one in (given if isinstance(given, list) else [given])]
    found = [
        user
        for user in guild.users.values()
        if (user.id in ids if ids else user.name.startswith(asked.get("query") or ""))
    ]
    there = {user.id for user in found}
    return {
        "guild_id": str(guild.id),
        "members": [member_payload(guild, user) for user in found[: asked.get("limit") or None]],
        "chunk_index": 0,
        "chunk_count": 1,
        "not_found": [str(one) for one in ids if one not in there],
        "nonce": asked.get("nonce"),
        "presences": [],
    }
