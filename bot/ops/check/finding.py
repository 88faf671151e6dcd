"""Findings of a check: one line each."""

from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """The kind of a finding. `LATER`: the bot will do it by itself."""

    OK = "ok"
    LATER = "later"
    FIX = "FIX"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `said`: the state and, where something must be fixed, what to do."""

    mark: Mark
    subject: str
    said: str

    def __str__(self) -> str:
        return f"{self.mark:<6}{self.subject}: {self.said}"


def ok(subject: str, said: str) -> Finding:
    return Finding(Mark.OK, subject, said)


def later(subject: str, said: str) -> Finding:
    return Finding(Mark.LATER, subject, said)


def fix(subject: str, said: str) -> Finding:
    return Finding(Mark.FIX, subject, said)
