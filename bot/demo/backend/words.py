"""The words of the page and of its server, in every language of the bot: `locale/*.json`.

A gap with a full stop or a slash is filled here: `{button.ready}` with the bot's own words for that
key, `{/dice}` with the command's name. All other gaps are left to whoever says the words.
"""

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bot.i18n import command, language, say
from bot.text import Text

FOLDER = Path(__file__).parents[1] / "locale"
BOTS = re.compile(r"\{(/?)([a-z_]+(?:\.[a-z_]+)*)\}")


@cache
def words(locale: str) -> Mapping[str, str]:
    """Return everything the page says in the language of a Discord locale, by key."""
    spoken = language(locale)
    read: dict[str, str] = json.loads((FOLDER / f"{spoken}.json").read_text("utf-8"))
    return {key: BOTS.sub(lambda gap: _bots(gap, spoken), said) for key, said in read.items()}


def _bots(gap: re.Match[str], spoken: str) -> str:
    """Return the bot's words for a gap, or the gap itself if the page fills it."""
    slash, key = gap.groups()
    if slash:
        return command(key, spoken)
    return say(Text(key), spoken) if "." in key else gap[0]


def said(key: str, locale: str, **values: object) -> str:
    """Return the words of a key with its gaps filled. Raises KeyError for an unknown key."""
    return words(locale)[key].format_map(values)


def translated(template: str, locale: str) -> str:
    """Fill in a page: `{{key}}` with words, `{{lang}}`, `{{words}}` with all of them as JSON."""
    known = words(locale)
    everything = json.dumps(known, ensure_ascii=False).replace("<", "\\u003c")
    special = {"lang": language(locale), "words": everything}

    def fill(gap: re.Match[str]) -> str:
        return special.get(gap[1]) or html.escape(known[gap[1]])

    return re.sub(r"\{\{(\w+)\}\}", fill, template)
