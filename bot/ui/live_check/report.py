"""The report that a manager reads when the test of Discord is over."""

from dataclasses import dataclass
from typing import assert_never

from bot.screen import Line, Look
from bot.tables.views.lines import sentence
from bot.text import Text
from bot.ui.limits.errors import NO_ACCESS, NO_PERMISSION
from bot.ui.limits.headers import Scope
from bot.ui.live_check.attempt import LIMITED, NO_ANSWER
from bot.ui.live_check.edit_probe import WITHIN, Edits
from bot.ui.live_check.leftovers import Left
from bot.ui.live_check.probes import Probe, What

NEEDED = {
    What.POST: "send_messages",
    What.EDIT: "attach_files",
    What.POST_PICTURE: "attach_files",
    What.THREAD: "create_public_threads",
    What.DELETE: "view_channel",
}
"""The permission that a refused call most likely lacks."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a live check.

    `left`: what could not be deleted; `moves`: whether the picture moves, None if nobody has said.
    """

    probes: tuple[Probe, ...]
    edits: Edits
    left: Left
    moves: bool | None


def lines(report: Report) -> tuple[Line, ...]:
    """Return the report, one line per thing."""
    asked = {True: "live.moves", False: "live.still", None: "live.unsaid"}
    return (
        sentence("live.title", look=Look.HEAD),
        *_edits(report.edits),
        *(_probe(one) for one in report.probes if one.what is not What.MOVING),
        *(_probe(one) for one in report.probes if one.what is What.MOVING and not one.works),
        sentence(asked[report.moves]),
        *_left(report),
        sentence("live.kept", look=Look.SMALL),
    )


def _left(report: Report) -> tuple[Line, ...]:
    """Return the line on what is still in the channel; none where nothing was posted."""
    if report.left.kept:
        return (sentence("live.left"),)
    if report.left.is_archived:
        return (sentence("live.archived"),)
    is_posted = any(one.what is What.DELETE for one in report.probes)
    return (sentence("live.deleted"),) if is_posted else ()


def _edits(edits: Edits) -> tuple[Line, ...]:
    """Return how many edits a minute took, whose limit was met, and how long they took."""
    count = ("n", edits.taken)
    found = [sentence("live.edits", (count, ("seconds", round(WITHIN))))]
    match edits.scope:
        case Scope.CHANNEL:
            found.append(sentence("live.limit.channel", (("wait", round(edits.wait)),)))
        case Scope.TOKEN:
            found.append(sentence("live.limit.token", (("wait", round(edits.wait)),)))
        case None | Scope.EVERYWHERE if edits.problem:
            found.append(sentence("live.ended", (("why", edits.problem),)))
        case None | Scope.EVERYWHERE if edits.refused:
            waits = (("n", edits.refused), ("wait", round(edits.wait)))
            found.append(sentence("live.waits", waits))
        case None | Scope.EVERYWHERE:
            found.append(sentence("live.limit.none"))
        case _:
            assert_never(edits.scope)
    if edits.told is not None:
        most, seconds = edits.told
        found.append(sentence("live.told", (("n", most), ("seconds", round(seconds)))))
    if edits.taken:
        times = (("median", _ms(edits.median)), ("most", _ms(edits.slowest)))
        found.append(sentence("live.times", times))
    return tuple(found)


def _probe(probe: Probe) -> Line:
    name = ("what", Text(f"live.what.{probe.what}"))
    if probe.works:
        return sentence("live.works", (name, ("ms", _ms(probe.seconds))))
    if probe.problem == LIMITED:
        return sentence("live.limited", (name, ("wait", round(probe.wait))))
    if probe.problem == NO_ANSWER:
        return sentence("live.silent", (name,))
    why = ("why", probe.problem)
    if (lacks := lacking(probe)) is None:
        return sentence("live.refused", (name, why))
    permission = ("permission", Text(f"permission.{lacks}"))
    return sentence("live.lacking", (name, why, permission))


def lacking(probe: Probe) -> str | None:
    """Return the permission that the bot lacks for a call, by discord.py's name."""
    if probe.problem == f"403/{NO_ACCESS}":
        return "view_channel"
    return NEEDED.get(probe.what) if probe.problem == f"403/{NO_PERMISSION}" else None


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
