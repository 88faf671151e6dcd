"""REST v10 as discord.py uses it.

Handlers are synchronous: they change the world and return the answer's body.
"""

from __future__ import annotations

import mimetypes
import re
import time
from typing import TYPE_CHECKING, Any

import orjson

from bot.fakediscord import validate
from bot.fakediscord.gateway import (
    DIRECT_MESSAGES,
    GUILD_MESSAGES,
    GUILD_REACTIONS,
    GUILDS,
)
from bot.fakediscord.model import (
    EPHEMERAL,
    LOADING,
    PERMS,
    SILENT,
    SUPPRESS_EMBEDS,
    V2,
    Channel,
    Interaction,
    Message,
    User,
    iso,
    snowflake,
)
from bot.fakediscord.validate import ApiError, Form

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

    from bot.fakediscord.server import Server

ROUTES: dict[str, Callable] = {}
MENTION = re.compile(r"<@!?(\d+)>|<@&(\d+)>|(@everyone|@here)")


def route(*templates: str):
    def deco(fn):
        for t in templates:
            ROUTES[t] = fn
        return fn

    return deco


class Req:
    __slots__ = ("files", "json", "method", "query")

    def __init__(
        self, method: str, json: Any, query: Any, files: dict[str, tuple[str, bytes]]
    ) -> None:
        self.method, self.json, self.query, self.files = method, json, query, files


def parse(method: str, path: str) -> tuple[str, list[str], str]:
    """-> (template, arguments, major parameter). Digits become #, tokens and emojis become *."""
    parts = path.split("/")[2:]  # ['', 'api', ...]
    if parts and parts[0][:1] == "v" and parts[0][1:].isdigit():
        del parts[0]
    args, out = [], []
    for i, p in enumerate(parts):
        if p.isdigit():
            args.append(p)
            out.append("#")
        elif (i == 2 and parts[0] in ("webhooks", "interactions")) or (
            i and parts[i - 1] == "reactions"
        ):
            args.append(p)
            out.append("*")
        else:
            out.append(p)
    major = (
        "/".join(parts[1:3])
        if parts and parts[0] in ("webhooks", "interactions")
        else (args[0] if args else "")
    )
    return f"{method} /{'/'.join(out)}", args, major


class Rest:
    def __init__(self, server: Server) -> None:
        self.s = server

    # -- look-ups ---------------------------------------------------------------------------------
    def channel(self, cid: str, *need: str) -> Channel:
        ch = self.s.channels.get(int(cid))
        if ch is None or ch.deleted:
            raise ApiError(10003)
        if ch.guild:
            if not ch.guild.bot_in:
                raise ApiError(50001)
            have = ch.bot_perms()
            if not have & PERMS["view_channel"]:
                raise ApiError(50001)
            for n in need:
                threaded = n == "send_messages" and ch.thread
                bit = PERMS["send_messages_in_threads" if threaded else n]
                if not have & bit and not have & 8:
                    raise ApiError(50013)
        return ch

    def message(self, ch: Channel, mid: str) -> Message:
        m = ch.messages.get(int(mid))
        if m is None or m.deleted or m.ephemeral:
            raise ApiError(10008)
        return m

    def guild(self, gid: str):
        g = self.s.guilds.get(int(gid))
        if g is None or not g.bot_in:
            raise ApiError(10004)
        return g

    def interaction(self, token: str) -> Interaction:
        """Token of an interaction already answered and still alive, for the webhook routes."""
        rec = self.s.tokens.get(token)
        if rec is None or rec.cb_type is None:
            raise ApiError(10015)
        if rec.dead or time.perf_counter() - rec.born > self.s.token_ttl:
            raise ApiError(50027)
        return rec

    def token_message(self, rec: Interaction, mid: str) -> Message:
        if mid == "@original":
            m = rec.original
        else:
            m = rec.channel.messages.get(int(mid))
            if m and not (
                m.id in rec.made
                or m is rec.message
                or m is rec.original
                or (self.s.lax_tokens and (m.ephemeral_for in (None, rec.user)))
            ):
                m = None
        if m is None or m.deleted:
            raise ApiError(10008)
        return m

    # -- writing messages -------------------------------------------------------------------------
    def build(
        self, p: dict, files: dict, ch: Channel, old: Message | None, prefix_flags: int = 0
    ) -> dict:
        """Validated message fields from a create (old=None) or an edit."""
        s, form = self.s, Form()
        prev = (
            old.data
            if old
            else {
                "content": "",
                "embeds": [],
                "components": [],
                "attachments": [],
                "flags": prefix_flags,
            }
        )
        flags = prev["flags"] & ~LOADING
        asked = p.get("flags") or 0
        flags |= (
            asked & (V2 | SUPPRESS_EMBEDS)
            if old
            else asked & (V2 | SUPPRESS_EMBEDS | SILENT | EPHEMERAL)
        )
        if old and "flags" in p and not asked & SUPPRESS_EMBEDS:
            flags &= ~SUPPRESS_EMBEDS
        content = (p["content"] or "") if "content" in p else prev["content"]
        embeds = (p["embeds"] or []) if "embeds" in p else prev["embeds"]
        comps = (p["components"] or []) if "components" in p else prev["components"]
        keep = prev["attachments"]
        if p.get("attachments") is not None:
            kept = {str(a["id"]) for a in p["attachments"]}
            keep = [a for a in keep if a["id"] in kept]
        new = []
        meta = {str(a["id"]): a for a in p.get("attachments") or []}
        for n, (sent_name, blob) in files.items():
            aid, name = str(snowflake()), meta.get(n, {}).get("filename") or sent_name
            url = f"{s.url}/attachments/{ch.id}/{aid}/{name}"
            s.blobs[aid] = blob
            new.append(
                {
                    "id": aid,
                    "filename": name,
                    "size": len(blob),
                    "url": url,
                    "proxy_url": url,
                    "description": meta.get(n, {}).get("description"),
                    "content_type": mimetypes.guess_type(name)[0] or "application/octet-stream",
                    "flags": 0,
                    "width": 1,
                    "height": 1,
                }
            )
            if len(blob) > s.max_file:
                raise ApiError(40005)
        attachments = keep + new
        names = {a["filename"] for a in attachments}
        form.length("content", content, 0, 2000)
        if flags & V2:
            for key, val in (
                ("content", content),
                ("embeds", embeds),
                ("poll", p.get("poll")),
                ("sticker_ids", p.get("sticker_ids")),
            ):
                if val:
                    form.add(
                        key,
                        "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                        f"The '{key}' field cannot be used when using "
                        "MessageFlags.IS_COMPONENTS_V2",
                    )
        elif embeds:
            validate.embeds(form, embeds, names)
        if len(attachments) > 10:
            form.add("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
        if comps and (comps is not prev["components"] or old is None):
            validate.Components(form, bool(flags & V2), s.known_emojis(ch.guild), names).message(
                comps
            )
            self.attach(comps, attachments)
        form.check()
        if not (
            content.strip()
            or embeds
            or comps
            or attachments
            or p.get("poll")
            or p.get("sticker_ids")
        ):
            raise ApiError(50006)
        for e in embeds:
            e.setdefault("type", "rich")
            for key in ("image", "thumbnail"):
                self.attach([{"media": e.get(key) or {}}], attachments)
        return {
            "content": content.strip(),
            "embeds": embeds,
            "components": comps,
            "attachments": attachments,
            "flags": flags,
        }

    def attach(self, comps: list, attachments: list) -> None:
        for c in comps:
            if c.get("emoji") and c["emoji"].get("id"):
                c["emoji"]["id"] = str(c["emoji"]["id"])  # a snowflake is answered as a string
            for m in (
                c.get("media"),
                c.get("file"),
                *[i.get("media") for i in c.get("items") or []],
            ):
                if m and (m.get("url") or "").startswith("attachment://"):
                    m["url"] = m["proxy_url"] = next(
                        (a["url"] for a in attachments if a["filename"] == m["url"][13:]), m["url"]
                    )
            self.attach(
                (c.get("components") or []) + ([c["accessory"]] if c.get("accessory") else []),
                attachments,
            )

    def pings(self, p: dict, text: str) -> set[str]:
        am = p.get("allowed_mentions")
        kinds = {"users", "roles", "everyone"} if am is None else set(am.get("parse") or [])
        users, roles = (
            set(map(str, (am or {}).get("users") or [])),
            set(map(str, (am or {}).get("roles") or [])),
        )
        out = set()
        for u, r, e in MENTION.findall(text):
            if u and ("users" in kinds or u in users):
                out.add(f"user:{u}")
            if r and ("roles" in kinds or r in roles):
                out.add(f"role:{r}")
            if e and "everyone" in kinds:
                out.add(e)
        return out

    def create(
        self,
        p: dict,
        files: dict,
        ch: Channel,
        author: User,
        ephemeral_for: User | None = None,
        rec: Interaction | None = None,
        type: int = 0,
        extra: dict | None = None,
        flags: int = 0,
        data: dict | None = None,
    ) -> Message:
        s = self.s
        if p.get("nonce") and p.get("enforce_nonce") and p["nonce"] in ch.nonces:
            return ch.nonces[p["nonce"]]
        body = data or self.build(p, files, ch, None, flags)
        mid = snowflake()
        body |= {
            "id": str(mid),
            "channel_id": str(ch.id),
            "author": author.json(),
            "timestamp": iso(),
            "edited_timestamp": None,
            "tts": bool(p.get("tts")),
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "pinned": False,
            "type": type,
            **(extra or {}),
        }
        if p.get("nonce"):
            body["nonce"] = p["nonce"]
        if ref := p.get("message_reference"):
            target = s.channels.get(int(ref.get("channel_id") or ch.id), ch).messages.get(
                int(ref["message_id"])
            )
            if target is None or target.deleted:
                if ref.get("fail_if_not_exists", True):
                    form = Form()
                    form.add("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
                    form.check()
            else:
                body |= {
                    "type": 19,
                    "message_reference": {
                        "type": 0,
                        "message_id": ref["message_id"],
                        "channel_id": str(ch.id),
                    },
                    "referenced_message": target.data,
                }
        m = Message(mid, ch, author, body, ephemeral_for, rec and rec.token)
        ids = {u for u, _, _ in MENTION.findall(m.text) if u}
        body["mentions"] = [s.users[int(u)].json() for u in ids if int(u) in s.users]
        if not body["flags"] & SILENT:
            m.pings = self.pings(p, m.text)
        ch.messages[mid] = m
        if p.get("nonce"):
            ch.nonces[p["nonce"]] = m
        if rec:
            rec.made.add(mid)
        self.announce("MESSAGE_CREATE", m)
        return m

    def edit(self, m: Message, p: dict, files: dict) -> Message:
        body = self.build(p, files, m.channel, m)
        m.set(
            {
                **m.data,
                **body,
                "edited_timestamp": m.data["edited_timestamp"] if m.loading else iso(),
            }
        )
        self.announce("MESSAGE_UPDATE", m)
        return m

    def delete(self, m: Message) -> None:
        m.deleted = True
        m.channel.messages.pop(m.id, None)
        self.announce("MESSAGE_DELETE", m, {"id": str(m.id), "channel_id": str(m.channel.id)})

    def announce(self, event: str, m: Message, data: dict | None = None) -> None:
        g = m.channel.guild
        self.s.record(event.lower(), message=m)
        if g and not g.bot_in:
            return
        private = g is None or m.ephemeral
        if data is not None and not private:
            data["guild_id"] = str(g.id)
        self.s.gateway.dispatch(
            event,
            data or m.event(),
            None if private else g.id,
            DIRECT_MESSAGES if private else GUILD_MESSAGES,
        )

    # -- bot-token routes -------------------------------------------------------------------------
    @route("GET /gateway/bot", "GET /gateway")
    def gateway_bot(self, r: Req):
        gw = self.s.gateway
        return {
            "url": self.s.ws_url,
            "shards": gw.shards,
            "session_start_limit": {
                "total": 1000,
                "remaining": 1000 - len(gw.identifies),
                "reset_after": 86400000,
                "max_concurrency": gw.max_concurrency,
            },
        }

    @route("GET /oauth2/applications/@me", "GET /applications/@me", "PATCH /applications/@me")
    def application(self, r: Req):
        s = self.s
        return {
            "id": str(s.app_id),
            "name": s.bot.name,
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": s.code_grant,
            "verify_key": "00" * 32,
            "cover_image": None,
            "tags": [],
            "approximate_guild_count": len(s.guilds),
            "approximate_user_install_count": 0,
            "flags": s.app_flags,
            "owner": s.owner.json(),
            "team": None,
            "interactions_endpoint_url": s.endpoint,
            "bot": s.bot.json(),
            "summary": "",
        }

    @route("GET /users/@me", "PATCH /users/@me")
    def me(self, r: Req):
        return self.s.bot.json() | {
            "flags": 0,
            "verified": True,
            "mfa_enabled": True,
            "email": None,
            "locale": "en-US",
        }

    @route("GET /users/#")
    def user(self, r: Req, uid: str):
        if int(uid) not in self.s.users:
            raise ApiError(10013)
        return self.s.users[int(uid)].json()

    @route("POST /users/@me/channels")
    def open_dm(self, r: Req):
        user = self.s.users.get(int(r.json["recipient_id"]))
        if user is None:
            raise ApiError(10013)
        return self.s.dm(user).json()

    @route("GET /guilds/#")
    def get_guild(self, r: Req, gid: str):
        return self.guild(gid).json(full=False)

    @route("GET /guilds/#/channels")
    def guild_channels(self, r: Req, gid: str):
        return [
            c.json() for c in self.guild(gid).channels.values() if not c.thread and not c.deleted
        ]

    @route("GET /guilds/#/roles")
    def guild_roles(self, r: Req, gid: str):
        return self.guild(gid).roles()

    @route("GET /guilds/#/members/#")
    def get_member(self, r: Req, gid: str, uid: str):
        g = self.guild(gid)
        if int(uid) not in g.users:
            raise ApiError(10007)
        return g.member(g.users[int(uid)])

    @route("GET /guilds/#/members")
    def members(self, r: Req, gid: str):
        g, after = self.guild(gid), int(r.query.get("after", 0))
        return [g.member(u) for u in sorted(g.users.values(), key=lambda u: u.id) if u.id > after][
            : int(r.query.get("limit", 1))
        ]

    @route("DELETE /users/@me/guilds/#")
    def leave(self, r: Req, gid: str) -> None:
        self.s.kick_bot(self.guild(gid))

    @route("GET /channels/#")
    def get_channel(self, r: Req, cid: str):
        return self.channel(cid).json()

    @route("PATCH /channels/#")
    def patch_channel(self, r: Req, cid: str):
        ch = self.channel(cid)
        needed = "manage_threads" if ch.locked else "" if ch.thread else "manage_channels"
        if needed and not ch.bot_perms() & (PERMS[needed] | 8):
            raise ApiError(50013)
        ch.name, ch.archived, ch.locked = (
            r.json.get("name", ch.name),
            r.json.get("archived", ch.archived),
            r.json.get("locked", ch.locked),
        )
        self.s.gateway.dispatch(
            "THREAD_UPDATE" if ch.thread else "CHANNEL_UPDATE", ch.json(), ch.guild.id, GUILDS
        )
        return ch.json()

    @route("DELETE /channels/#")
    def delete_channel(self, r: Req, cid: str):
        ch = self.channel(
            cid, *(["manage_threads"] if self.channel(cid).thread else ["manage_channels"])
        )
        self.s.delete_channel(ch)
        return ch.json()

    @route("POST /channels/#/typing")
    def typing(self, r: Req, cid: str) -> None:
        self.s.record("typing", channel=self.channel(cid, "send_messages"))

    @route("POST /channels/#/threads", "POST /channels/#/messages/#/threads")
    def thread(self, r: Req, cid: str, mid: str | None = None):
        kind = r.json.get("type", 11) if mid is None else 11
        ch = self.channel(cid, "create_private_threads" if kind == 12 else "create_public_threads")
        form = Form()
        form.length("name", r.json.get("name"), 1, 100)
        form.check()
        if mid:
            self.message(ch, mid)
            if int(mid) in self.s.channels:
                raise ApiError(160004)
        t = Channel(r.json["name"], ch.guild, kind, ch, id=int(mid) if mid else None)
        self.s.channels[t.id] = t
        data = t.json() | {"owner_id": str(self.s.bot.id), "newly_created": True}
        self.s.gateway.dispatch("THREAD_CREATE", data, ch.guild.id, GUILDS)
        return data

    @route(
        "PUT /channels/#/thread-members/#",
        "DELETE /channels/#/thread-members/#",
        "PUT /channels/#/thread-members/@me",
        "DELETE /channels/#/thread-members/@me",
    )
    def thread_member(self, r: Req, cid: str, uid: str = "") -> None:
        self.channel(cid)

    @route("POST /channels/#/messages")
    def create_message(self, r: Req, cid: str):
        ch = self.channel(cid, "send_messages", *(["attach_files"] if r.files else []))
        if ch.user and ch.user.dm_closed:
            raise ApiError(50007)
        if ch.archived and ch.locked:
            raise ApiError(50083)
        p = dict(r.json, flags=(r.json.get("flags") or 0) & ~EPHEMERAL)
        return self.create(p, r.files, ch, self.s.bot).data

    @route("GET /channels/#/messages")
    def history(self, r: Req, cid: str):
        ch, q = self.channel(cid), r.query
        if not ch.bot_perms() & PERMS["read_message_history"]:
            return []
        msgs = [m for m in ch.messages.values() if not m.ephemeral]
        limit = int(q.get("limit", 50))
        if "after" in q:
            return [m.data for m in msgs if m.id > int(q["after"])][:limit][::-1]
        if "before" in q:
            msgs = [m for m in msgs if m.id < int(q["before"])]
        return [m.data for m in msgs[-limit:][::-1]]

    @route("GET /channels/#/messages/#")
    def get_message(self, r: Req, cid: str, mid: str):
        return self.message(self.channel(cid, "read_message_history"), mid).data

    @route("PATCH /channels/#/messages/#")
    def edit_message(self, r: Req, cid: str, mid: str):
        ch = self.channel(cid)
        m = self.message(ch, mid)
        if m.author is not self.s.bot:
            raise ApiError(50005)
        if ch.archived:
            raise ApiError(50083)
        return self.edit(m, r.json, r.files).data

    @route("DELETE /channels/#/messages/#")
    def delete_message(self, r: Req, cid: str, mid: str) -> None:
        ch = self.channel(cid)
        m = self.message(ch, mid)
        if m.author is not self.s.bot:
            self.channel(cid, "manage_messages")
        self.delete(m)

    @route("POST /channels/#/messages/bulk-delete")
    def bulk_delete(self, r: Req, cid: str) -> None:
        ch = self.channel(cid, "manage_messages")
        for mid in r.json["messages"]:
            if m := ch.messages.get(int(mid)):
                self.delete(m)

    @route(
        "PUT /channels/#/messages/#/reactions/*/@me",
        "DELETE /channels/#/messages/#/reactions/*/@me",
    )
    def react(self, r: Req, cid: str, mid: str, emoji: str) -> None:
        ch = self.channel(cid, "add_reactions", "read_message_history")
        self.s.record("reaction", message=self.message(ch, mid), emoji=emoji)
        if ch.guild:
            self.s.gateway.dispatch(
                f"MESSAGE_REACTION_{'ADD' if r.method == 'PUT' else 'REMOVE'}",
                {
                    "user_id": str(self.s.bot.id),
                    "channel_id": cid,
                    "message_id": mid,
                    "guild_id": str(ch.guild.id),
                    "emoji": {"id": None, "name": emoji},
                    "type": 0,
                    "burst": False,
                },
                ch.guild.id,
                GUILD_REACTIONS,
            )

    @route(
        "DELETE /channels/#/messages/#/reactions",
        "DELETE /channels/#/messages/#/reactions/*",
        "DELETE /channels/#/messages/#/reactions/*/#",
    )
    def unreact(self, r: Req, cid: str, mid: str, *_) -> None:
        self.message(self.channel(cid, "manage_messages"), mid)

    @route(
        "PUT /channels/#/messages/pins/#",
        "DELETE /channels/#/messages/pins/#",
        "PUT /channels/#/pins/#",
        "DELETE /channels/#/pins/#",
    )
    def pin(self, r: Req, cid: str, mid: str) -> None:
        ch = self.channel(cid)
        if not ch.bot_perms() & (PERMS["pin_messages"] | PERMS["manage_messages"] | 8):
            raise ApiError(50013)
        m = self.message(ch, mid)
        on = r.method == "PUT"
        if on == m.data["pinned"]:
            return
        if len(ch.pins) >= 250 and on:
            raise ApiError(30003)
        m.set({**m.data, "pinned": on})
        (ch.pins.append if on else ch.pins.remove)(m.id)
        self.announce("MESSAGE_UPDATE", m)
        if ch.guild:
            self.s.gateway.dispatch(
                "CHANNEL_PINS_UPDATE",
                {"guild_id": str(ch.guild.id), "channel_id": cid, "last_pin_timestamp": iso()},
                ch.guild.id,
                GUILDS,
            )

    @route("GET /channels/#/messages/pins", "GET /channels/#/pins")
    def pins(self, r: Req, cid: str):
        ch = self.channel(cid)
        return {
            "items": [
                {"pinned_at": iso(), "message": ch.messages[i].data}
                for i in ch.pins
                if i in ch.messages
            ],
            "has_more": False,
        }

    # -- application commands and emojis ----------------------------------------------------------
    def scope(self, gid: str | None) -> dict[str, dict]:
        return self.guild(gid).commands if gid else self.s.commands

    def command(self, c: dict, gid: str | None, cid: str | None = None) -> dict:
        return {
            "default_member_permissions": None,
            "nsfw": False,
            "options": [],
            "description": "",
            "type": 1,
            "name_localizations": None,
            "description_localizations": None,
            **c,
            "id": cid or str(snowflake()),
            "application_id": str(self.s.app_id),
            "version": str(snowflake()),
            **({"guild_id": gid} if gid else {}),
        }

    @route("GET /applications/#/commands", "GET /applications/#/guilds/#/commands")
    def get_commands(self, r: Req, app: str, gid: str | None = None):
        return list(self.scope(gid).values())

    @route("PUT /applications/#/commands", "PUT /applications/#/guilds/#/commands")
    def put_commands(self, r: Req, app: str, gid: str | None = None):
        scope = self.scope(gid)
        validate.commands(r.json)
        ids = {(c["name"], c["type"]): c["id"] for c in scope.values()}
        new = [self.command(c, gid, ids.get((c["name"], c.get("type", 1)))) for c in r.json]
        scope.clear()
        scope.update({c["id"]: c for c in new})
        self.s.record("commands", count=len(new))
        return new

    @route("POST /applications/#/commands", "POST /applications/#/guilds/#/commands")
    def post_command(self, r: Req, app: str, gid: str | None = None):
        validate.commands([r.json])
        scope = self.scope(gid)
        old = next(
            (
                c["id"]
                for c in scope.values()
                if (c["name"], c["type"]) == (r.json["name"], r.json.get("type", 1))
            ),
            None,
        )
        c = self.command(r.json, gid, old)
        scope[c["id"]] = c
        return c

    @route(
        "GET /applications/#/commands/#",
        "PATCH /applications/#/commands/#",
        "DELETE /applications/#/commands/#",
    )
    def one_command(self, r: Req, app: str, cid: str):
        c = self.s.commands.get(cid)
        if not c:
            raise ApiError(10063)
        if r.json is not None:
            c.update(r.json)
        return c

    @route("GET /applications/#/emojis")
    def get_emojis(self, r: Req, app: str):
        return {"items": list(self.s.emojis.values())}

    @route("POST /applications/#/emojis")
    def post_emoji(self, r: Req, app: str):
        form, name = Form(), r.json.get("name")
        form.length("name", name, 2, 32)
        if not re.fullmatch(r"\w+", name or "", re.ASCII):
            form.add("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
        if any(e["name"] == name for e in self.s.emojis.values()):
            form.add(
                "name",
                "APPLICATION_EMOJI_NAME_ALREADY_TAKEN",
                "An emoji with this name already exists",
            )
        if not (r.json.get("image") or "").startswith("data:image/"):
            form.add("image", "IMAGE_INVALID", "Invalid image data")
        elif len(r.json["image"]) > 256 * 1024 * 4 // 3 + 100:
            form.add("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
        form.check()
        if len(self.s.emojis) >= self.s.most_emojis:
            raise ApiError(30008)
        return self.s.add_emoji(name, r.json["image"])

    @route("GET /applications/#/emojis/#", "PATCH /applications/#/emojis/#")
    def one_emoji(self, r: Req, app: str, eid: str):
        if int(eid) not in self.s.emojis:
            raise ApiError(10014)
        if r.json:
            self.s.emojis[int(eid)]["name"] = r.json["name"]
        return self.s.emojis[int(eid)]

    @route("DELETE /applications/#/emojis/#")
    def del_emoji(self, r: Req, app: str, eid: str) -> None:
        self.s.pictures.pop(int(eid), None)
        if self.s.emojis.pop(int(eid), None) is None:
            raise ApiError(10014)

    # -- interactions -----------------------------------------------------------------------------
    @route("POST /interactions/#/*/callback")
    def callback(self, r: Req, iid: str, token: str):
        now = time.perf_counter()
        rec = self.s.tokens.get(token)
        kind = r.json["type"]
        if rec is not None and rec.t_callback is None:
            rec.t_callback, rec.status = now, 200
        try:
            body = self._callback(rec, kind, r.json.get("data") or {}, r.files, now)
            status = 200
        except ApiError as e:
            if rec is not None:
                rec.error, status = e.code, e.status
                rec.status = rec.status if rec.ok else e.status
            raise
        finally:
            if rec is not None:
                rec.attempts.append((now, kind, status))
        rec.t_done = time.perf_counter()
        rec.payload = rec.payload if self.s.keep_payloads else None
        rec.resolve()
        self.s.deadlines.answered(rec)
        return body if r.query.get("with_response") in ("1", "true") else None

    def _callback(self, rec: Interaction | None, kind: int, data: dict, files: dict, now: float):
        if rec is None or rec.dead:
            raise ApiError(10062)
        if rec.cb_type is None and now - rec.created > rec.deadline:
            self.s.deadlines.missed(rec)
            raise ApiError(10062)
        if rec.cb_type is not None:
            raise ApiError(40060)
        component = rec.type == 3 or (rec.type == 5 and rec.message is not None)
        bad = (
            kind not in (4, 5, 6, 7, 8, 9)
            or (kind in (6, 7) and not component)
            or (kind == 8) != (rec.type == 4)
            or (kind == 9 and rec.type == 5)
        )
        if bad:
            form = Form()
            form.add(
                "type",
                "BASE_TYPE_CHOICES",
                "Value must be one of the callback types valid for this interaction.",
            )
            form.check()
        inter: dict[str, Any] = {"id": str(rec.id), "type": rec.type}
        out: dict[str, Any] = {"interaction": inter}
        eph = rec.user if (data.get("flags") or 0) & EPHEMERAL else None
        if kind == 4:
            rec.original = self.create(
                data, files, rec.channel, self.s.bot, eph, rec, **self.source(rec)
            )
            rec.cb_type = 4
        elif kind == 5:
            rec.cb_type = rec.deferred = 5
            blank = {
                "content": "",
                "embeds": [],
                "components": [],
                "attachments": [],
                "flags": LOADING | (EPHEMERAL if eph else 0),
            }
            rec.original = self.create(
                {}, {}, rec.channel, self.s.bot, eph, rec, data=blank, **self.source(rec)
            )
            inter["response_message_loading"] = True
        elif kind in (6, 7):
            if rec.message.deleted:
                raise ApiError(10008)
            if kind == 7:
                self.edit(rec.message, data, files)
            rec.cb_type, rec.original = kind, rec.message
        elif kind == 8:
            choices = data.get("choices") or []
            form = Form()
            if len(choices) > 25:
                form.add("data.choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
            for i, c in enumerate(choices):
                form.length(f"data.choices.{i}.name", c.get("name"), 1, 100)
            form.check()
            rec.cb_type, rec.choices = 8, choices
        else:
            validate.modal(data, self.s.known_emojis(rec.channel.guild))
            rec.cb_type, rec.modal = 9, data
        if rec.original is not None:
            inter |= {
                "response_message_id": str(rec.original.id),
                "response_message_ephemeral": rec.original.ephemeral,
            }
            out["resource"] = {"type": kind}
            if kind in (4, 7):
                out["resource"]["message"] = rec.original.data
        return out

    def source(self, rec: Interaction) -> dict:
        """Keyword arguments of create() for a message made by an interaction token."""
        meta = {
            "id": str(rec.id),
            "type": rec.type,
            "user": rec.user.json(),
            "authorizing_integration_owners": {
                "0": str(rec.channel.guild.id if rec.channel.guild else 0)
            },
        }
        extra = {
            "application_id": str(self.s.app_id),
            "webhook_id": str(self.s.app_id),
            "interaction_metadata": meta,
        }
        if rec.type == 2:
            return {
                "type": 20,
                "extra": extra
                | {
                    "interaction": {
                        "id": str(rec.id),
                        "type": 2,
                        "name": rec.name,
                        "user": rec.user.json(),
                    }
                },
            }
        if rec.message is not None:
            meta["interacted_message_id"] = str(rec.message.id)
            extra["message_reference"] = {
                "type": 0,
                "message_id": str(rec.message.id),
                "channel_id": str(rec.channel.id),
            }
        return {"type": 19, "extra": extra}

    @route("POST /webhooks/#/*")
    def followup(self, r: Req, app: str, token: str):
        rec = self.interaction(token)
        if rec.deferred == 5 and rec.original and rec.original.loading and not rec.original.deleted:
            return self.edit(rec.original, r.json, r.files).data
        eph = rec.user if (r.json.get("flags") or 0) & EPHEMERAL else None
        kw = self.source(rec)
        if rec.original and not rec.original.deleted:
            kw["type"], kw["extra"] = (
                19,
                {k: v for k, v in kw["extra"].items() if k != "interaction"},
            )
            kw["extra"]["message_reference"] = {
                "type": 0,
                "message_id": str(rec.original.id),
                "channel_id": str(rec.channel.id),
            }
        return self.create(r.json, r.files, rec.channel, self.s.bot, eph, rec, **kw).data

    @route("GET /webhooks/#/*/messages/#", "GET /webhooks/#/*/messages/@original")
    def get_token_message(self, r: Req, app: str, token: str, mid: str = "@original"):
        return self.token_message(self.interaction(token), mid).data

    @route("PATCH /webhooks/#/*/messages/#", "PATCH /webhooks/#/*/messages/@original")
    def edit_token_message(self, r: Req, app: str, token: str, mid: str = "@original"):
        return self.edit(self.token_message(self.interaction(token), mid), r.json, r.files).data

    @route("DELETE /webhooks/#/*/messages/#", "DELETE /webhooks/#/*/messages/@original")
    def delete_token_message(self, r: Req, app: str, token: str, mid: str = "@original") -> None:
        self.delete(self.token_message(self.interaction(token), mid))


async def read(request: web.BaseRequest) -> Req:
    """The request, or an `ApiError` where it is no JSON or its client goes in the middle of it."""
    try:
        return await _read(request)
    except ConnectionResetError as e:
        raise ApiError(status=499, message="499: Client Closed Request") from e


async def _read(request: web.BaseRequest) -> Req:
    ctype, files, body = request.content_type, {}, None
    if ctype == "multipart/form-data":
        reader = await request.multipart()
        async for part in reader:
            blob = bytes(await part.read())
            if part.name == "payload_json":
                body = orjson.loads(blob)
            else:
                m = re.search(r"\d+", part.name or "")
                files[m.group() if m else str(len(files))] = (part.filename or "file", blob)
    elif request.can_read_body:
        blob = await request.read()
        if blob:
            try:
                body = orjson.loads(blob)
            except orjson.JSONDecodeError as e:
                raise ApiError(50109, 400, "The request body contains invalid JSON.") from e
    return Req(request.method, body, request.query, files)
