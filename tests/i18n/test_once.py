"""Nothing is translated twice, and nothing that has no words is translated at all."""

import re
from collections import defaultdict

from bot.i18n import FALLBACK, catalogues
from tests.i18n.test_words import messages

TWICE = {
    "the name of the game, and what stands for a picture of its pile": {
        *("game.ligretto", "icon.pile"),
    },
    "places without a card: each has words of its own in plain text": {
        *("ligretto.gap", "ligretto.none", "ligretto.back", "dice.gap", "dice.hidden"),
    },
    "what a place is called in plain text: a card there, a die here": {
        *("ligretto.back.plainly", "dice.hidden.plainly"),
    },
    "plain text leaves out what fits, which its buttons say": {
        *("ligretto.row_fits.plainly", "ligretto.row_covered.plainly"),
        *("ligretto.below_fits.plainly", "ligretto.no_fits.plainly"),
    },
    "a card's letters and its name in plain text: shorter elsewhere": {
        *("ligretto.refused.no_fit", "ligretto.refused.no_fit.plainly"),
    },
    "each game has refusals of its own, also of a round": {
        *("ligretto.refused.not_dealt_in", "dice.refused.not_dealt_in"),
    },
    "a button, and the label of a list": {"button.rules", "options.rules"},
    "a button, and the title of its form": {
        *("button.options", "options.title"),
    },
    "a button, and the label of its list": {"button.handicap", "options.extra"},
    "a button, and what it did: other forms elsewhere": {"button.ready", "table.ready"},
    "two buttons: a round and an arena have other genders": {
        *("button.end_really", "button.stop_arena_really"),
    },
    "people and days: other words elsewhere": {"settings.ping_off", "settings.never"},
    "a value of a list, and the end of a sentence": {"settings.logs_ever", "privacy.logs_ever"},
    "all who played, and those here now: other words elsewhere": {"week.players", "arena.people"},
    "a button, and the title of what it opens": {"button.posts", "settings.posts_title"},
}
"""Keys with the same English words, and why they stay two."""


def test_no_message_is_there_twice_without_a_reason() -> None:
    alike = defaultdict[object, set[str]](set)
    for key, words in catalogues()[FALLBACK].words.items():
        alike[words].add(key)
    twice = [keys for keys in alike.values() if len(keys) > 1]
    allowed = list(TWICE.values())
    assert not [keys for keys in twice if not any(keys <= one for one in allowed)]
    assert not [keys for keys in allowed if not any(keys <= one for one in twice)], "no reason left"


def test_no_message_is_only_a_gap() -> None:
    """`bare` says a value alone. Where plain text has words of its own, pictures need none."""
    gap = re.compile(r"\{\w+\}")
    catalogue = {name: one.words for name, one in catalogues().items()}
    empty = [
        key
        for key in messages()
        if all(
            isinstance(words[key], str) and gap.fullmatch(str(words[key]))
            for words in catalogue.values()
        )
    ]
    assert not [key for key in empty if f"{key.removesuffix('.plainly')}.plainly" not in messages()]
