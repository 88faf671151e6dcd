"""POST /__ctl: drive a stand-alone server from outside, by user name and ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from aiohttp import web

from bot.fakediscord.model import Interaction, Message

if TYPE_CHECKING:
    from bot.fakediscord.server import Server

ALLOWED = {
    "slash",
    "click",
    "select",
    "view",
    "panels",
    "public",
    "say",
    "dismiss",
    "restart_client",
    "delete_message",
    "delete_channel",
    "fault",
    "channels",
    "stats",
    "commands",
}


def show(v: Any) -> Any:
    if isinstance(v, Message):
        return v.summary()
    if isinstance(v, Interaction):
        return {
            "id": str(v.id),
            "ok": v.ok,
            "type": v.cb_type,
            "status": v.status,
            "error": v.error,
            "latency": v.latency,
            "modal": v.modal,
            "message": v.original.summary() if v.original else None,
        }
    if isinstance(v, (list, tuple)):
        return [show(i) for i in v]
    return v if isinstance(v, (dict, str, int, float, bool, type(None))) else repr(v)


def argument(s: Server, a: Any) -> Any:
    """The object that {"user": name}, {"channel": id} or {"message": id} stands for."""
    if isinstance(a, dict) and "user" in a:
        return s.user(a["user"], a.get("locale", "en-US"))
    if isinstance(a, dict) and "channel" in a:
        return s.channels[int(a["channel"])]
    if isinstance(a, dict) and "message" in a:
        mid = int(a["message"])
        return next(c.messages[mid] for c in s.channels.values() if mid in c.messages)
    return a


async def control(s: Server, req: dict) -> web.Response:
    do, kw = req["do"], req.get("kw") or {}
    if do not in ALLOWED:
        return web.json_response({"error": f"do must be one of {sorted(ALLOWED)}"}, status=400)
    try:
        if do == "channels":
            out: Any = [
                {"id": str(c.id), "name": c.name, "guild": c.guild.name} for c in s.all_channels
            ]
        elif do == "stats":
            out = {
                "statuses": {f"{t} {c}": n for (t, c), n in s.statuses.items()},
                "codes": {f"{t} {c}": n for (t, c), n in s.codes.items()},
                "unknown": dict(s.unknown),
                "429": s.ratelimited,
                "late": s.late,
            }
        elif do == "commands":
            out = list(s.commands.values())
        else:
            args = [argument(s, a) for a in req.get("args") or []]
            out = getattr(s, do)(*args, **kw)
            if isinstance(out, Interaction):
                await out
        return web.Response(body=orjson.dumps(show(out)), content_type="application/json")
    except (LookupError, ValueError, TypeError, StopIteration) as e:
        return web.json_response({"error": repr(e)}, status=400)
