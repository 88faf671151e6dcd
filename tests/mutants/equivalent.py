"""Faults that no test can notice, or that none is meant to, each with its reason."""

from dataclasses import dataclass

from tests.mutants.faults import Fault


@dataclass(frozen=True, slots=True)
class Listed:
    """A fault by the words of its line, so that it is found wherever the line moves."""

    path: str
    function: str
    text: str
    change: str
    why: str

    def is_of(self, fault: Fault) -> bool:
        """The same place and the same change."""
        return (self.path, self.function, self.text, self.change) == (
            fault.path,
            fault.function,
            fault.text,
            fault.change,
        )


LISTED: tuple[Listed, ...] = ()
