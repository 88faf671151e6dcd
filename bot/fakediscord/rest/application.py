"""The application itself, its account, its emojis, and where its gateway is."""

import re

from bot.fakediscord.model.payloads import channel_payload, user_payload
from bot.fakediscord.rest.call import Answer, Call, Routes
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import ApiError, Form
from bot.fakediscord.world import World

SESSIONS_A_DAY = 1000
MOST_IMAGE = 256 * 1024 * 4 // 3 + 100
"""Characters of a data URI that holds 256 kB."""


def gateway(call: Call) -> Answer:
    return {
        "url": call.world.ws_url,
        "shards": call.gateway.shards,
        "session_start_limit": {
            "total": SESSIONS_A_DAY,
            "remaining": SESSIONS_A_DAY - len(call.gateway.identifies),
            "reset_after": 86400000,
            "max_concurrency": call.gateway.max_concurrency,
        },
    }


def application_payload(world: World) -> Json:
    return {
        "id": str(world.app_id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot_public": True,
        "bot_require_code_grant": world.settings.code_grant,
        "verify_key": "00" * 32,
        "tags": [],
        "redirect_uris": [],
        "role_connections_verification_url": None,
        "eligible_oauth2_scopes": [],
        "explicit_content_filter": 0,
        "flags_new": str(world.app_flags),
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "flags": world.app_flags,
        "owner": user_payload(world.owner),
        "team": None,
        "interactions_endpoint_url": world.settings.endpoint,
        "bot": user_payload(world.bot),
    }


def application(call: Call) -> Answer:
    return application_payload(call.world)


def account(call: Call) -> Answer:
    own = {"flags": 0, "verified": True, "mfa_enabled": True, "email": None, "locale": "en-US"}
    return user_payload(call.world.bot) | own


def user(call: Call, user_id: str) -> Answer:
    if int(user_id) not in call.world.users:
        raise ApiError(10013)
    return user_payload(call.world.users[int(user_id)])


def open_dm(call: Call) -> Answer:
    recipient = call.world.users.get(int(call.json["recipient_id"]))
    if recipient is None:
        raise ApiError(10013)
    return channel_payload(call.world.dm(recipient))


def emojis(call: Call, _app_id: str) -> Answer:
    return {"items": list(call.world.emojis.values())}


def add_emoji(call: Call, _app_id: str) -> Answer:
    world, form = call.world, Form()
    name, image = call.json.get("name"), call.json.get("image") or ""
    form.length("name", name, 2, 32)
    if not re.fullmatch(r"\w+", name or "", re.ASCII):
        form.add("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
    if any(emoji["name"] == name for emoji in world.emojis.values()):
        form.add(
            "name",
            "APPLICATION_EMOJI_NAME_ALREADY_TAKEN",
            "An emoji with this name already exists",
        )
    if not image.startswith("data:image/"):
        form.add("image", "IMAGE_INVALID", "Invalid image data")
    elif len(image) > MOST_IMAGE:
        form.add("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    form.check()
    if len(world.emojis) >= world.settings.most_emojis:
        raise ApiError(30008)
    return world.add_emoji(name, image)


def _emoji(call: Call, emoji_id: str) -> Json:
    if int(emoji_id) not in call.world.emojis:
        raise ApiError(10014)
    return call.world.emojis[int(emoji_id)]


def emoji(call: Call, _app_id: str, emoji_id: str) -> Answer:
    return _emoji(call, emoji_id)


def rename_emoji(call: Call, _app_id: str, emoji_id: str) -> Answer:
    found = _emoji(call, emoji_id)
    found["name"] = call.json["name"]
    return found


def delete_emoji(call: Call, _app_id: str, emoji_id: str) -> None:
    _emoji(call, emoji_id)
    del call.world.emojis[int(emoji_id)]
    call.world.pictures.pop(int(emoji_id), None)


ROUTES: Routes = {
    "GET /gateway": gateway,
    "GET /gateway/bot": gateway,
    "GET /applications/@me": application,
    "PATCH /applications/@me": application,
    "GET /oauth2/applications/@me": application,
    "GET /users/@me": account,
    "PATCH /users/@me": account,
    "GET /users/#": user,
    "POST /users/@me/channels": open_dm,
    "GET /applications/#/emojis": emojis,
    "POST /applications/#/emojis": add_emoji,
    "GET /applications/#/emojis/#": emoji,
    "PATCH /applications/#/emojis/#": rename_emoji,
    "DELETE /applications/#/emojis/#": delete_emoji,
}
