"""A table's journal replayed from its beginning: each line, and the table after it."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.tables import entries as e
from bot.tables.fold import apply, begin
from bot.tables.journal import JournalLine
from bot.tables.session import Session


@dataclass(frozen=True, slots=True)
class Scene:
    """One line, and the table after it. During a round, `session.state` stays as dealt."""

    line: JournalLine
    session: Session


def tell(lines: Iterable[JournalLine]) -> tuple[Scene, ...]:
    """Replay a table's lines, in order, beginning with Opened.

    Moves are not played. Their entries hold all a record needs, and a long match has thousands.
    """
    scenes: list[Scene] = []
    for line in lines:
        entry = line.entry
        if isinstance(entry, e.Opened):
            session = begin(entry, line.at)
        elif isinstance(entry, e.Moved | e.Rejected):
            session = scenes[-1].session
        else:
            session = apply(scenes[-1].session, entry, line.at)
        scenes.append(Scene(line, session))
    return tuple(scenes)
