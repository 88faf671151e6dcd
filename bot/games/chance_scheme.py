"""The schemes of chance that a match can have promised."""

from enum import IntEnum


class Scheme(IntEnum):
    """The way a match's deals and rolls follow from its seed (`docs/chance.md`)."""

    COMMON = 1
    """All seats of a deal draw from one stream; later draws depend on the table's moves."""
    OWN = 2
    """Each seat draws from streams of its own."""
