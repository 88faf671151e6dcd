"""The file of an export."""

import json

from bot.i18n import say
from bot.text import Text
from bot.ui.people.everywhere import Export
from bot.ui.people.parts import not_in_it


def export_text(found: Export, locale: str) -> bytes:
    """Return an export as JSON. That of a bot of several groups has a part for each.

    What is missing is named at its beginning.
    """
    about = say(Text("privacy.export_about"), locale)
    if not found.parts:
        return _json({"about": about, **found.own})
    lacks = [say(one, locale) for one in not_in_it(found.missing)]
    return _json(
        {
            "about": " ".join([about, *lacks]),
            "is_complete": not found.missing,
            "missing": [
                {"shards": part.shards, "servers": part.servers, "why": why.value}
                for part, why in found.missing.items()
            ],
            "groups": [{"shards": part.shards, **kept} for part, kept in found.parts.items()],
        }
    )


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode()
