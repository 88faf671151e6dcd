"""Two people against each other, in `/stats member:`."""

from bot.records.feat_models import Rivalry
from bot.screen import Line, Look
from bot.tables.views.lines import sentence
from bot.text import Name, Number, Text, Value, Values, margin


def rivalry_lines(name: Name, one: Rivalry) -> tuple[Line, ...]:
    """Draw the asking person beside another, in one game."""
    if not one.matches:
        return (sentence("rivals.unmet", (("name", name),), Look.SMALL),)
    title = sentence("rivals.met", (("name", name), ("n", one.matches)), Look.HEAD)
    own, other = one.own, one.other
    ahead = own.points - other.points
    lead = Number(ahead / one.matches, 1 if ahead % one.matches else 0, signed=True)
    of_duels: Values = (("own_ms", _mean(own.firsts_ms)), ("other_ms", _mean(other.firsts_ms)))
    return (
        title,
        sentence("rivals.ahead", _both(name, own.ahead, other.ahead)),
        sentence("rivals.points", (*_both(name, own.points, other.points), ("lead", lead))),
        sentence("rivals.duels", (*_both(name, own.firsts, other.firsts), *of_duels)),
    )


def _both(name: Name, own: int, other: int) -> Values:
    return (("own", Number(own)), ("name", name), ("other", Number(other)))


def _mean(ms: float | None) -> Value:
    return "" if ms is None else Text("stats.mean", (("ms", margin(ms)),))
