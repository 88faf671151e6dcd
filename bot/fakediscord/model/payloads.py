"""Payloads of users, guilds, channels and messages."""

from bot.fakediscord.constants import MessageType
from bot.fakediscord.model.ids import timestamp
from bot.fakediscord.model.permissions import EVERYONE
from bot.fakediscord.model.places import Channel, Guild, Message, User
from bot.fakediscord.types import Json

_MISSING_IN_GUILD = (
    "afk_channel_id",
    "application_id",
    "banner",
    "description",
    "discovery_splash",
    "splash",
    "hub_type",
    "vanity_url_code",
    "public_updates_channel_id",
    "rules_channel_id",
    "safety_alerts_channel_id",
    "system_channel_id",
    "max_presences",
    "home_header",
    "widget_channel_id",
    "incidents_data",
)


def user_payload(user: User) -> Json:
    return {
        "id": str(user.id),
        "username": user.name,
        "global_name": user.name.title(),
        "discriminator": "0",
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
        "avatar_decoration_data": None,
        "primary_guild": None,
        "flags": 0,
    }


def member_payload(guild: Guild, user: User, permissions: int | None = None) -> Json:
    """Return a member. `permissions`: only where Discord tells them, which is in interactions."""
    member = {**guild.join(user), "user": user_payload(user)}
    if permissions is not None:
        member["permissions"] = str(permissions)
    return member


def roles_payload(guild: Guild) -> list[Json]:
    return [
        _role(guild.id, "@everyone", EVERYONE) | {"position": 0, "managed": False},
        _role(guild.bot_role, "bot", guild.bot_perms) | {"position": 1, "managed": True},
    ]


def _role(role_id: int, name: str, permissions: int) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "permissions": str(permissions),
        "mentionable": False,
        "flags": 0,
        "icon": None,
        "unicode_emoji": None,
    }


def guild_payload(guild: Guild) -> Json:
    """Return a guild as REST answers it: without channels and members."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "owner_id": str(guild.owner.id),
        "features": [],
        "preferred_locale": guild.locale,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw": False,
        "nsfw_level": 0,
        "premium_tier": 0,
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "max_members": 500000,
        "roles": roles_payload(guild),
        "stickers": [],
        "emojis": list(guild.emojis.values()),
        "premium_progress_bar_enabled": False,
        "premium_subscription_count": 0,
        **dict.fromkeys(_MISSING_IN_GUILD),
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "region": "deprecated",
        "widget_enabled": False,
    }


def guild_create_payload(guild: Guild) -> Json:
    """Return a guild with its channels and threads.

    Only bots are listed among its members, as for a client that may not hear of members.
    """
    channels = [channel for channel in guild.channels.values() if not channel.deleted]
    members = [user for user in guild.users.values() if user.bot]
    return guild_payload(guild) | {
        "joined_at": timestamp(),
        "large": False,
        "unavailable": False,
        "member_count": len(guild.members),
        "channels": [channel_payload(one) for one in channels if not one.thread],
        "voice_states": [],
        "presences": [],
        "threads": [channel_payload(one) for one in channels if one.thread],
        "members": [member_payload(guild, user) for user in members],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def channel_payload(channel: Channel, permissions: int | None = None) -> Json:
    """Return a channel. `permissions`: only where Discord tells them, which is in interactions."""
    payload: Json = {
        "id": str(channel.id),
        "type": channel.type,
        "flags": 0,
        "last_message_id": str(next(reversed(channel.messages))) if channel.messages else None,
    }
    if channel.guild is None:
        recipients = [user_payload(channel.user)] if channel.user else []
        return payload | {"recipients": recipients}
    payload |= {
        "guild_id": str(channel.guild.id),
        "name": channel.name,
        "parent_id": channel.parent and str(channel.parent.id),
        "rate_limit_per_user": 0,
    }
    if permissions is not None:
        payload["permissions"] = str(permissions)
    if channel.thread:
        return payload | _thread(channel)
    return payload | {
        "position": 0,
        "nsfw": False,
        "topic": None,
        "permission_overwrites": _overwrites(channel, channel.guild),
    }


def _thread(thread: Channel) -> Json:
    return {
        "owner_id": str(thread.owner.id if thread.owner else thread.id),
        "message_count": len(thread.messages),
        "member_count": 1,
        "total_message_sent": len(thread.messages),
        "thread_metadata": {
            "archived": thread.archived,
            "auto_archive_duration": 1440,
            "locked": thread.locked,
            "archive_timestamp": timestamp(),
            "create_timestamp": timestamp(),
        },
    }


def _overwrites(channel: Channel, guild: Guild) -> list[Json]:
    if not channel.deny:
        return []
    return [{"id": str(guild.bot_role), "type": 0, "allow": "0", "deny": str(channel.deny)}]


def message_event(message: Message) -> Json:
    """Return a message for the gateway. A private one comes without guild and member."""
    guild = message.channel.guild
    if guild is None or message.ephemeral:
        return message.data
    member = dict(guild.join(message.author))
    return {**message.data, "guild_id": str(guild.id), "member": member}


def new_message(message_id: int, channel: Channel, author: User) -> Json:
    """Return the fields of a new message that its author does not choose."""
    return {
        "id": str(message_id),
        "channel_id": str(channel.id),
        "author": user_payload(author),
        "timestamp": timestamp(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "pinned": False,
        "type": MessageType.DEFAULT,
    }


def empty_fields(flags: int = 0) -> Json:
    """Return the fields of a message that its author chooses, all of them empty."""
    return {"content": "", "embeds": [], "components": [], "attachments": [], "flags": flags}


def emoji_payload(number: int, name: str, image: str, creator: User) -> Json:
    """Return an emoji of the application. `image`: a data URI."""
    return {
        "id": str(number),
        "name": name,
        "roles": [],
        "user": user_payload(creator),
        "require_colons": True,
        "managed": False,
        "animated": image.startswith("data:image/gif"),
        "available": True,
    }


def reaction_event(user: User, message: Message, emoji: str, *, is_bots: bool) -> Json:
    """Return the event of a reaction. `emoji`: a Unicode one. The bot's own names no member."""
    guild = message.channel.guild
    data: Json = {
        "user_id": str(user.id),
        "channel_id": str(message.channel.id),
        "message_id": str(message.id),
        "emoji": {"id": None, "name": emoji},
        "type": 0,
        "burst": False,
    }
    if guild is not None:
        data["guild_id"] = str(guild.id)
        if not is_bots:
            data["member"] = member_payload(guild, user)
    return data
