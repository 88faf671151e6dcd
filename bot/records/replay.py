"""A table's journal replayed from its beginning: each line, and the table after it."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.tables.state import events as e
from bot.tables.state.evolve import apply, begin
from bot.tables.state.journal import JournalLine
from bot.tables.state.session import Session


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A line of the journal, and the table after it.

    During a round, `session.state` stays as dealt.
    """

    line: JournalLine
    session: Session


def replay(lines: Iterable[JournalLine]) -> tuple[ReplayStep, ...]:
    """Replay a table's lines, in order, beginning with Opened.

    Moves are not played. Their entries hold all a record needs, and a long match has thousands.
    """
    steps: list[ReplayStep] = []
    for line in lines:
        entry = line.entry
        if isinstance(entry, e.Opened):
            session = begin(entry, line.at)
        elif isinstance(entry, e.Moved | e.Rejected):
            session = steps[-1].session
        else:
            session = apply(steps[-1].session, entry, line.at, lived=line.lived)
        steps.append(ReplayStep(line, session))
    return tuple(steps)
