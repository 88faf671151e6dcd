"""A person's bests in `/stats`: the fastest stop between people, and all of practice."""

from collections.abc import Iterator, Sequence

from bot.records.feat_models import PersonalBests
from bot.records.feats import Category
from bot.screen import Line, Look
from bot.tables.state.options import LEVEL
from bot.tables.views.lines import option_in_words, sentence
from bot.tables.views.results.story import seconds
from bot.text import Joined, Text, Value, change

ORDER = list(Category)


def practice_lines(bests: Sequence[PersonalBests]) -> tuple[Line, ...]:
    """Draw a line per variant and level of robots, and one for other practice."""
    found = [one for one in bests if one.category is not Category.RANKED]
    ordered = sorted(found, key=lambda one: (ORDER.index(one.category), one.variant != "standard"))
    return tuple(
        sentence("practice.line", (("what", _what(one)), ("told", _told(one))), Look.SMALL)
        for one in ordered
    )


def fastest_stop(bests: Sequence[PersonalBests]) -> int | None:
    """Return the fastest stop between people, in ms; None without one."""
    stops = (one.best.stop for one in bests if one.category is Category.RANKED)
    return min((ms for ms in stops if ms is not None), default=None)


def best_round(bests: Sequence[PersonalBests]) -> int | None:
    """Return the most points in a whole round between people; None without one."""
    found = (one.best.points for one in bests if one.category is Category.RANKED)
    return max((points for points in found if points is not None), default=None)


def _what(one: PersonalBests) -> Value:
    """Say against whom, and in which variant unless it is the standard one."""
    if one.category is Category.PRACTICE:
        against = Text("practice.other")
    else:
        against = option_in_words(LEVEL.key, one.category.value)
    if one.variant in ("", "standard"):
        return against
    return Joined((against, Text(f"variant.{one.variant}")))


def _told(one: PersonalBests) -> Joined:
    return Joined(tuple(_figures(one)), between=" · ")


def _figures(one: PersonalBests) -> Iterator[Text]:
    yield Text("practice.won", (("won", one.wins), ("of", one.matches)))
    if one.best.points is not None:
        yield Text("practice.best", (("points", change(one.best.points)),))
    if one.best.stop is not None:
        yield Text("practice.stop", (("time", seconds(one.best.stop)),))
