"""The words that an arena's buttons send. Messages keep theirs, so none may change its meaning."""

from enum import StrEnum


class Action(StrEnum):
    """A request of an arena. LOOK: for one's panel; STOP asks the host whether they mean it."""

    JOIN = "join"
    NEXT = "ready"
    LEAVE = "leave"
    STOP = "stop"
    STOP_FOR_SURE = "stop.yes"
    GO_ON = "stop.no"
