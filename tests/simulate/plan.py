"""What an evening is made of, and what it came to."""

from dataclasses import dataclass

from tests.simulate.witness import Event, Violation

SECONDS = 300.0
TABLES = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """What an evening is made of. `seconds` are simulated ones. `races`: many people at each table,
    who all press together. `http_client`: the bot's setting. `is_tls`: Discord is reached over
    TLS. `groups`: processes of one bot that play together; 0 for one process alone. `is_crowded`:
    they have so many tables that Discord's limit of a bot's calls is reached.
    """

    seed: int
    seconds: float = SECONDS
    tables: int = TABLES
    pace: float = 1.2
    trouble: float = 1.0
    races: bool = False
    http_client: str = "lean"
    is_tls: bool = False
    groups: int = 0
    is_crowded: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an evening came to. `trace` tells two runs of one seed apart when they differ."""

    plan: Plan
    violations: tuple[Violation, ...]
    events: tuple[Event, ...]
    trace: str
    presses: int
    accepted: int
    raced: int
    late: int
    watched: int
    shared: int
    faults: int
    kills: int
    matches: int
    calls: int
