"""Settings of a world. All of them may be changed while it runs."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.fakediscord.constants import NONCE_KNOWN_FOR


@dataclass(slots=True)
class Settings:
    """Times are in seconds, sizes in bytes.

    Round trips: `rtt` is added to every REST call, half before it and half after.
    Clocks: ids of interactions and the Date of answers run ahead by `clock_skew`.
    Memory: interactions older than the newest `keep_interactions` are forgotten; payloads are kept
    after the answer only with `keep_payloads`, which delivering an interaction again needs.
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
    most_emojis: int = 2000
    keep_interactions: int = 300_000
    keep_payloads: bool = False
    keep_calls: int = 50_000
    """REST calls that are remembered."""
    code_grant: bool = False
    endpoint: str | None = None

    # What Discord may or may not do, as far as anybody outside knows.
    kept_names: bool = False
    """An edit may show a file of before that it does not list with its name."""
    edits_show_files: bool = True
    """An edit may bring a picture and show it in a gallery."""
    webhook_calls: int | None = None
    """Calls with interactions' tokens that a channel takes in a minute. None: a token's own limit
    is the only one."""
    webhook_minutes: bool = False
    """Count them in minutes that each begin with a call, not over the last 60 s."""
    old_edits: int | None = 3
    """Edits that messages older than an hour take in 6 seconds, together in a channel."""
    nonce_life: float = NONCE_KNOWN_FOR
    """An enforced nonce finds its message for so long."""
    heartbeat: float = 0.04
    """Time until a heartbeat is acknowledged."""
