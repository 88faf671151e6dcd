"""Settings of a world. All of them may be changed while it runs."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Settings:
    """Times are in seconds, sizes in bytes.

    Round trips: `rtt` is added to every REST call, half before it and half after.
    Clocks: ids of interactions and the Date of answers run ahead by `clock_skew`.
    Memory: interactions older than the newest `keep_interactions` are forgotten; payloads are kept
    after the answer only with `keep_payloads`, which delivering an interaction again needs.
    Pictures, where Discord's documentation is silent: with `kept_names` an edit may show a file of
    before that it does not list; with `edits_show_files` one may bring a file and show it.
    `code_grant` and `endpoint` are what an owner can set in the developer portal.
    """

    token: str | None = None
    """The only bot token that is accepted. None: any."""
    tls: bool = False
    rtt: float | Callable[[], float] = 0.0
    clock_skew: float = 0.0
    ack_deadline: float = 3.0
    """An interaction's first answer has to come within this."""
    token_life: float = 900.0
    """An interaction's token works for so long."""
    max_file: int = 10 * 2**20
    kept_names: bool = True
    edits_show_files: bool = True
    most_emojis: int = 2000
    keep_interactions: int = 300_000
    keep_payloads: bool = False
    keep_calls: int = 50_000
    """REST calls that are remembered."""
    code_grant: bool = False
    endpoint: str | None = None
