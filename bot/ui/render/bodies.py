"""Requests to Discord that show a message, as JSON joined from the view's own bytes."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
import orjson
from discord import ui

from bot.ui.render.components import Drawn

_UPDATE = b'{"type":%d,"data":' % discord.InteractionResponseType.message_update.value
_COMPONENTS_V2 = b',"flags":%d' % discord.MessageFlags(components_v2=True).value
_NOBODY = b',"allowed_mentions":' + orjson.dumps(discord.AllowedMentions.none().to_dict())


def callback_body(view: ui.LayoutView) -> bytes:
    """Return the answer to a press that edits the pressed message."""
    return _UPDATE + message_body(view) + b"}"


def message_body(
    view: ui.LayoutView,
    *,
    nonce: str | None = None,
    attachments: Sequence[Mapping[str, Any]] | None = None,
) -> bytes:
    """Return a new message that pings nobody, or an edit of one.

    `nonce`: posts with the same one make one message (PLATFORM 2). `attachments`: all files of the
    message from now on, as Discord's JSON; None keeps them. Raises TypeError, as orjson does, for
    text that is no Unicode, such as half of a surrogate pair.
    """
    body = b'{"components":' + components_json(view)
    if view.has_components_v2():
        body += _COMPONENTS_V2
    if nonce is not None:
        body += b',"nonce":' + orjson.dumps(nonce) + b',"enforce_nonce":true'
    if attachments is not None:
        body += b',"attachments":' + orjson.dumps(attachments)
    return body + _NOBODY + b"}"


def components_json(view: ui.LayoutView) -> bytes:
    """Return the JSON array of a view's components."""
    if isinstance(view, Drawn):
        return view.json
    return orjson.dumps(view.to_components())  # type: ignore[no-untyped-call]
