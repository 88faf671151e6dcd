"""The report that a manager reads when the test of Discord is over."""

from dataclasses import dataclass
from math import ceil
from typing import assert_never

from bot.screen import Line, Look
from bot.tables.views.lines import sentence
from bot.text import Text
from bot.ui.limits.errors import NO_ACCESS, NO_PERMISSION
from bot.ui.limits.headers import Scope
from bot.ui.live_check.attempt import LIMITED, NO_ANSWER
from bot.ui.live_check.edit_probe import WITHIN, Edits
from bot.ui.live_check.leftovers import Left
from bot.ui.live_check.probes import Probe, ProbeKind

NEEDED = {
    ProbeKind.POST: "send_messages",
    ProbeKind.EDIT: "attach_files",
    ProbeKind.POST_PICTURE: "attach_files",
    ProbeKind.THREAD: "create_public_threads",
    ProbeKind.DELETE: "view_channel",
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
        *(_probe(one) for one in report.probes if one.what is not ProbeKind.MOVING),
        *(_probe(one) for one in report.probes if one.what is ProbeKind.MOVING and not one.works),
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
    is_posted = any(one.what is ProbeKind.DELETE for one in report.probes)
    return (sentence("live.deleted"),) if is_posted else ()


def _edits(edits: Edits) -> tuple[Line, ...]:
    """Return how many edits a minute took, whose limit was met, and how long they took."""
    count = ("n", edits.taken)
    found = [sentence("live.edits", (count, ("seconds", round(WITHIN)))), *_ended(edits)]
    if edits.failed and not edits.is_ended:
        why = edits.problem if edits.problem != NO_ANSWER else Text("live.no_answer")
        found.append(sentence("live.failed", (("n", edits.failed), ("why", why))))
    if edits.told is not None:
        most, seconds = edits.told
        found.append(sentence("live.told", (("n", most), ("seconds", round(seconds)))))
    if edits.taken:
        times = (("median", _ms(edits.median)), ("most", _ms(edits.slowest)))
        found.append(sentence("live.times", times))
    return tuple(found)


def _ended(edits: Edits) -> tuple[Line, ...]:
    """Return whose limit the edits met, if any; nothing where none of them was answered well."""
    wait = ("wait", _s(edits.wait))
    match edits.scope:
        case Scope.CHANNEL:
            return (sentence("live.limit.channel", (wait,)),)
        case Scope.TOKEN:
            return (sentence("live.limit.token", (wait,)),)
        case None | Scope.EVERYWHERE if edits.is_ended:
            return (sentence("live.ended", (("why", edits.problem),)),)
        case None | Scope.EVERYWHERE if edits.refused:
            return (sentence("live.waits", (("n", edits.refused), wait)),)
        case None | Scope.EVERYWHERE:
            return (sentence("live.limit.none"),) if edits.taken else ()
        case _:
            assert_never(edits.scope)


def _probe(probe: Probe) -> Line:
    name = ("what", Text(f"live.what.{probe.what}"))
    if probe.works:
        return sentence("live.works", (name, ("ms", _ms(probe.seconds))))
    if probe.problem == LIMITED and not probe.wait:
        return sentence("live.limited.unsaid", (name,))
    if probe.problem == LIMITED:
        return sentence("live.limited", (name, ("wait", _s(probe.wait))))
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


def _s(seconds: float) -> int:
    """Return seconds that Discord asks to wait, in full: a wait is never 0 s."""
    return max(1, ceil(seconds))


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
