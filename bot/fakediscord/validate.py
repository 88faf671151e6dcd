"""Discord's form limits and error shapes."""

from __future__ import annotations

import re
from typing import Any

MESSAGES = {
    10003: "Unknown Channel",
    10004: "Unknown Guild",
    10007: "Unknown Member",
    10008: "Unknown Message",
    10013: "Unknown User",
    10014: "Unknown Emoji",
    10015: "Unknown Webhook",
    10062: "Unknown interaction",
    10063: "Unknown application command",
    30003: "Maximum number of pins reached (250)",
    30008: "Maximum number of emojis reached",
    40005: "Request entity too large",
    40060: "Interaction has already been acknowledged.",
    50001: "Missing Access",
    50005: "Cannot edit a message authored by another user",
    50006: "Cannot send an empty message",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50027: "Invalid Webhook Token",
    50035: "Invalid Form Body",
    50083: "Thread is archived",
    160004: "A thread has already been created for this message",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
}
STATUS = {
    40060: 400,
    50006: 400,
    50035: 400,
    50027: 401,
    40005: 413,
    50083: 400,
    160004: 400,
    30003: 400,
    30008: 400,
    50001: 403,
    50005: 403,
    50007: 403,
    50013: 403,
}


class ApiError(Exception):
    def __init__(
        self,
        code: int = 0,
        status: int | None = None,
        message: str | None = None,
        errors: dict | None = None,
        headers: dict | None = None,
        body: Any = None,
    ) -> None:
        self.code, self.status = code, status or STATUS.get(code, 404)
        self.headers = headers
        self.body = (
            body
            if body is not None
            else {
                "message": message or MESSAGES.get(code, f"{self.status}: Error"),
                "code": code,
                **({"errors": errors} if errors else {}),
            }
        )
        super().__init__(f"{self.status} {self.body}")


class Form:
    """Collects field errors, then raises one 50035 shaped like Discord's."""

    def __init__(self) -> None:
        self.errors: dict = {}

    def add(self, path: str, code: str, message: str) -> None:
        node = self.errors
        for part in filter(None, path.split(".")):
            node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path: str, value: Any, low: int, high: int, what: str = "") -> None:
        if not isinstance(value, str):
            return self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
        if len(value) > high and not low:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")
        elif not low <= len(value) <= high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
        return None

    def check(self, code: int = 50035) -> None:
        if self.errors:
            raise ApiError(50035, errors=self.errors)


def utf16(s: str) -> int:
    return len(s)  # Discord counts code points for content limits


SELECTS = (3, 5, 6, 7, 8)
V2_TOP = (1, 9, 10, 12, 13, 14, 17)
IN_CONTAINER = (1, 9, 10, 12, 13, 14)


def emoji_ok(e: dict, known: Any) -> bool:
    if e.get("id"):
        return int(e["id"]) in known
    name = e.get("name") or ""
    return bool(name) and any(ord(ch) >= 0xA9 for ch in name)


class Components:
    def __init__(self, form: Form, v2: bool, known_emojis: Any, files: set[str]) -> None:
        self.f, self.v2, self.known, self.files = form, v2, known_emojis, files
        self.ids: dict[str, str] = {}
        self.count = self.text = 0
        self.num_ids: set[int] = set()

    def message(self, comps: list[dict]) -> None:
        if not self.v2 and len(comps) > 5:
            self.f.add("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
        for i, c in enumerate(comps):
            self.walk(c, f"components.{i}", V2_TOP if self.v2 else (1,))
        if self.v2 and self.count > 40:
            self.f.add(
                "components",
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                "The total number of components cannot exceed 40",
            )
        if self.v2 and self.text > 4000:
            self.f.add(
                "components",
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                "The total displayable text size of components exceeds the maximum size of 4000",
            )
        self.f.check()
        nxt = 1
        for c in self.all(comps):  # Discord fills in missing ids
            if not c.get("id"):
                while nxt in self.num_ids:
                    nxt += 1
                c["id"] = nxt
                self.num_ids.add(nxt)

    def all(self, comps: list[dict]):
        for c in comps:
            yield c
            yield from self.all(c.get("components") or [])
            for k in ("accessory", "component"):
                if c.get(k):
                    yield from self.all([c[k]])

    def walk(self, c: dict, p: str, allowed: tuple) -> None:
        f, t = self.f, c.get("type")
        self.count += 1
        if t not in allowed:
            return f.add(
                p + ".type",
                "UNION_TYPE_CHOICES",
                f'Value of field "type" must be one of {allowed}.',
            )
        if c.get("id"):
            if c["id"] in self.num_ids:
                f.add(p + ".id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            self.num_ids.add(c["id"])
        kids = c.get("components") or []
        if t == 1:
            if not 1 <= len(kids) <= 5:
                f.add(
                    p + ".components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length."
                )
            if len(kids) > 1 and any(k.get("type") in SELECTS for k in kids):
                f.add(
                    p,
                    "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                    "The specified component exceeds the maximum width",
                )
            for i, k in enumerate(kids):
                self.walk(k, f"{p}.components.{i}", (2, *SELECTS))
        elif t == 2:
            self.button(c, p)
        elif t in SELECTS:
            self.select(c, p)
        elif t == 9:
            if not 1 <= len(kids) <= 3:
                f.add(
                    p + ".components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 3 in length."
                )
            for i, k in enumerate(kids):
                self.walk(k, f"{p}.components.{i}", (10,))
            if not c.get("accessory"):
                f.add(p + ".accessory", "BASE_TYPE_REQUIRED", "This field is required")
            else:
                self.walk(c["accessory"], p + ".accessory", (2, 11))
        elif t == 10:
            f.length(p + ".content", c.get("content"), 1, 4000)
            self.text += len(c.get("content") or "")
        elif t == 11:
            self.media(c.get("media"), p + ".media")
        elif t == 12:
            if not 1 <= len(c.get("items") or []) <= 10:
                f.add(p + ".items", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 10 in length.")
            for i, k in enumerate(c.get("items") or []):
                self.media(k.get("media"), f"{p}.items.{i}.media")
        elif t == 13:
            self.media(c.get("file"), p + ".file")
        elif t == 17:
            if not kids:
                f.add(
                    p + ".components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 40 in length."
                )
            for i, k in enumerate(kids):
                self.walk(k, f"{p}.components.{i}", IN_CONTAINER)
        return None

    def media(self, m: dict | None, p: str) -> None:
        url = (m or {}).get("url") or ""
        if not url.startswith(("http://", "https://", "attachment://")):
            self.f.add(p + ".url", "BASE_TYPE_REQUIRED", "This field is required")
        elif url.startswith("attachment://") and url[13:] not in self.files:
            self.f.add(
                p + ".url", "MESSAGE_ATTACHMENT_NOT_FOUND", "The specified attachment was not found"
            )

    def cid(self, c: dict, p: str) -> None:
        self.f.length(p + ".custom_id", c.get("custom_id"), 1, 100)
        if c.get("custom_id") in self.ids:
            self.f.add(
                p + ".custom_id",
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self.ids[c.get("custom_id")] = p

    def emoji(self, c: dict, p: str) -> None:
        if c.get("emoji") and not emoji_ok(c["emoji"], self.known):
            self.f.add(
                p + ".emoji.id" if c["emoji"].get("id") else p + ".emoji.name",
                "COMPONENT_INVALID_EMOJI",
                "Invalid emoji",
            )

    def button(self, c: dict, p: str) -> None:
        style = c.get("style")
        if style not in (1, 2, 3, 4, 5, 6):
            self.f.add(
                p + ".style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}."
            )
        if style == 5:
            self.f.length(p + ".url", c.get("url"), 1, 512)
        elif style != 6:
            self.cid(c, p)
            if c.get("url"):
                self.f.add(
                    p + ".custom_id",
                    "COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        if c.get("label") is not None:
            self.f.length(p + ".label", c["label"], 0, 80)
        if not c.get("label") and not c.get("emoji") and style != 6:
            self.f.add(p, "BUTTON_COMPONENT_INVALID", "A button must have a label or emoji")
        self.emoji(c, p)

    def select(self, c: dict, p: str) -> None:
        f, opts = self.f, c.get("options") or []
        self.cid(c, p)
        if c.get("placeholder") is not None:
            f.length(p + ".placeholder", c["placeholder"], 0, 150)
        if c["type"] == 3:
            if not 1 <= len(opts) <= 25:
                f.add(p + ".options", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length.")
            seen = set()
            for i, o in enumerate(opts):
                q = f"{p}.options.{i}"
                f.length(q + ".label", o.get("label"), 1, 100)
                f.length(q + ".value", o.get("value"), 1, 100)
                if o.get("description") is not None:
                    f.length(q + ".description", o["description"], 0, 100)
                if o.get("value") in seen:
                    f.add(
                        q + ".value",
                        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                        "The specified option value is already used",
                    )
                seen.add(o.get("value"))
                self.emoji(o, q)
        low, high = c.get("min_values", 1), c.get("max_values", 1)
        if (
            not 0 <= low <= 25
            or not 1 <= high <= 25
            or low > high
            or (c["type"] == 3 and high > len(opts))
        ):
            f.add(p + ".max_values", "NUMBER_TYPE_MAX", "min_values / max_values out of range")


EMBED_LIMITS = (("title", 256), ("description", 4096))


def embeds(form: Form, items: list[dict], files: set[str]) -> None:
    if len(items) > 10:
        form.add("embeds", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    total = 0
    for i, e in enumerate(items):
        p = f"embeds.{i}"
        parts = [
            (p + ".title", e.get("title"), 256),
            (p + ".description", e.get("description"), 4096),
            (p + ".footer.text", (e.get("footer") or {}).get("text"), 2048),
            (p + ".author.name", (e.get("author") or {}).get("name"), 256),
        ]
        fields = e.get("fields") or []
        if len(fields) > 25:
            form.add(p + ".fields", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        for j, fl in enumerate(fields):
            for key, high in (("name", 256), ("value", 1024)):
                if not (fl.get(key) or "").strip():
                    form.add(
                        f"{p}.fields.{j}.{key}", "BASE_TYPE_REQUIRED", "This field is required"
                    )
                parts.append((f"{p}.fields.{j}.{key}", fl.get(key), high))
        for path, value, high in parts:
            if value is not None:
                form.length(path, value, 0, high)
                total += len(str(value).strip())
        for key in ("image", "thumbnail"):
            url = (e.get(key) or {}).get("url", "")
            if url.startswith("attachment://") and url[13:] not in files:
                form.add(
                    f"{p}.{key}.url",
                    "MESSAGE_ATTACHMENT_NOT_FOUND",
                    "The specified attachment was not found",
                )
    if total > 6000:
        form.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def modal(data: dict, known: Any) -> None:
    form = Form()
    form.length("data.custom_id", data.get("custom_id"), 1, 100)
    form.length("data.title", data.get("title"), 1, 45)
    comps = data.get("components") or []
    if not 1 <= len(comps) <= 5:
        form.add("data.components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    seen = set()
    for i, c in enumerate(comps):
        p = f"data.components.{i}"
        if c.get("type") == 18:
            form.length(p + ".label", c.get("label"), 1, 45)
            if c.get("description") is not None:
                form.length(p + ".description", c["description"], 0, 100)
            inner = [c.get("component") or {}]
        elif c.get("type") == 1:
            inner = c.get("components") or [{}]
        elif c.get("type") == 10:
            continue
        else:
            form.add(
                p + ".type",
                "UNION_TYPE_CHOICES",
                'Value of field "type" must be one of (1, 10, 18).',
            )
            continue
        for k in inner:
            form.length(p + ".custom_id", k.get("custom_id"), 1, 100)
            if k.get("custom_id") in seen:
                form.add(
                    p + ".custom_id",
                    "COMPONENT_CUSTOM_ID_DUPLICATED",
                    "Component custom id cannot be duplicated",
                )
            seen.add(k.get("custom_id"))
            if k.get("type") == 4:
                for key, high in (("placeholder", 100), ("value", 4000), ("label", 45)):
                    if k.get(key) is not None:
                        form.length(f"{p}.{key}", k[key], 0, high)
    form.check()


LOCALES = {
    "id",
    "da",
    "de",
    "en-GB",
    "en-US",
    "es-ES",
    "es-419",
    "fr",
    "hr",
    "it",
    "lt",
    "hu",
    "nl",
    "no",
    "pl",
    "pt-BR",
    "ro",
    "fi",
    "sv-SE",
    "vi",
    "tr",
    "cs",
    "el",
    "bg",
    "ru",
    "uk",
    "hi",
    "th",
    "zh-CN",
    "ja",
    "zh-TW",
    "ko",
}
NAME = re.compile(r"^[-_'\w\u0900-\u097F\u0E00-\u0E7F]{1,32}$")


def commands(items: list[dict]) -> None:
    form, names = Form(), set()

    def text(p: str, c: dict, is_name: bool) -> None:
        key = "name" if is_name else "description"
        pool = {"": c.get(key), **(c.get(key + "_localizations") or {})}
        for loc, v in pool.items():
            q = f"{p}.{key}" + (f"_localizations.{loc}" if loc else "")
            if loc and loc not in LOCALES:
                form.add(q, "BASE_TYPE_CHOICES", f"Unknown locale {loc}")
            form.length(q, v, 1, 32 if is_name else 100)
            if (
                is_name
                and c.get("type", 1) not in (2, 3)
                and isinstance(v, str)
                and (not NAME.match(v) or v != v.lower())
            ):
                form.add(q, "STRING_TYPE_REGEX", "String value did not match validation regex.")

    def options(p: str, opts: list[dict]) -> None:
        if len(opts) > 25:
            form.add(p, "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
        optional, seen = False, set()
        for i, o in enumerate(opts):
            q = f"{p}.{i}"
            text(q, {**o, "type": 1}, True)
            text(q, o, False)
            if o.get("name") in seen:
                form.add(
                    q,
                    "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                    "Option name already exists",
                )
            seen.add(o.get("name"))
            if o["type"] > 2:
                if o.get("required") and optional:
                    form.add(
                        q,
                        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                        "Required options must be placed before non-required options",
                    )
                optional |= not o.get("required")
            if len(o.get("choices") or []) > 25:
                form.add(q + ".choices", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
            for j, ch in enumerate(o.get("choices") or []):
                form.length(f"{q}.choices.{j}.name", ch.get("name"), 1, 100)
                for loc, v in (ch.get("name_localizations") or {}).items():
                    form.length(f"{q}.choices.{j}.name_localizations.{loc}", v, 1, 100)
            options(q + ".options", o.get("options") or [])

    if len([c for c in items if c.get("type", 1) == 1]) > 100:
        form.add(
            "", "APPLICATION_COMMANDS_MAX", "Maximum number of application commands reached (100)"
        )
    for i, c in enumerate(items):
        text(str(i), c, True)
        if c.get("type", 1) == 1:
            text(str(i), c, False)
        key = (c.get("type", 1), c.get("name"))
        if key in names:
            form.add(
                str(i),
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
        names.add(key)
        options(f"{i}.options", c.get("options") or [])
    form.check()
