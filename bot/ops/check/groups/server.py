"""Valkey itself: whether it answers and takes writes, how fast, and whether it keeps them."""

import time
from collections.abc import Mapping
from typing import Any

from bot.groups.valkey import Valkey
from bot.ops.check.finding import Finding, fix, ok

ASKED = 5
"""Round trips that are measured. The fastest is shown: the others waited for something else."""
OLDEST = 7
"""The first major version that the bot's commands work with, of Valkey and of Redis."""
KEEPS = "noeviction"


async def server(valkey: Valkey, *, is_tls: bool) -> tuple[Finding, ...]:
    """Return findings about the server. Raises ValkeyAwayError, also if it is full.

    A key is written, which is gone again after a millisecond.
    """
    told: Mapping[str, Any] = await valkey.ask(lambda db: db.info())
    times = [await _round_trip(valkey) for _ in range(ASKED)]
    _ = await valkey.ask(lambda db: db.set(valkey.key("written"), b"", px=1))
    name, version = _version(told)
    said = f"{name} {version}, {min(times) * 1000:.1f} ms, {'TLS' if is_tls else 'no TLS'}"
    return (
        fix("Valkey", f"{said}: the bot needs Valkey, or Redis {OLDEST} or newer")
        if int(version.partition(".")[0]) < OLDEST
        else ok("Valkey", said),
        *_memory(told),
    )


def _version(told: Mapping[str, Any]) -> tuple[str, str]:
    if "valkey_version" in told:
        return "Valkey", str(told["valkey_version"])
    return "Redis", str(told.get("redis_version", "0"))


def _memory(told: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Return a finding if the server may drop keys: leases and switches of people are among them.

    A managed server may hide its settings; `INFO` has this one.
    """
    policy = told.get("maxmemory_policy", KEEPS)
    if policy == KEEPS:
        return ()
    said = f"maxmemory-policy is {policy}, so a full Valkey drops leases"
    return (fix("Valkey", f"{said}: set it to {KEEPS}"),)


async def _round_trip(valkey: Valkey) -> float:
    began = time.monotonic()
    _ = await valkey.ask(lambda db: db.ping())
    return time.monotonic() - began
