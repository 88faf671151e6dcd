"""The words about parts of the bot that could not do what was asked."""

from collections.abc import Mapping

from bot.screen import Line
from bot.tables.views.lines import sentence
from bot.text import Joined, Text
from bot.ui.people.everywhere import Part, Why


def not_in_it(missing: Mapping[Part, Why]) -> tuple[Text, ...]:
    """Return what an export lacks, by the reason."""
    return tuple(
        Text(f"privacy.export.{why.value}", (("groups", groups),))
        for why, groups in _by_reason(missing).items()
    )


def not_deleted(left: Mapping[Part, Why]) -> tuple[Line, ...]:
    """Return where somebody's data isn't deleted yet, by the reason."""
    return tuple(
        sentence(f"privacy.left.{why.value}", (("groups", groups),))
        for why, groups in _by_reason(left).items()
    )


def _by_reason(parts: Mapping[Part, Why]) -> dict[Why, Joined]:
    found: dict[Why, tuple[Text, ...]] = {}
    for part, why in parts.items():
        found[why] = (*found.get(why, ()), _named(part))
    return {why: Joined(named) for why, named in found.items()}


def _named(part: Part) -> Text:
    if part.servers is None:
        return Text("privacy.shards", (("shards", part.shards),))
    values = (("shards", part.shards), ("n", part.servers))
    return Text("privacy.shards_of_servers", values)
