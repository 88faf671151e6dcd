"""Figures for Prometheus, served on this machine's own address unless another is set."""

import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version

from bot.groups.group import ALONE, Group
from bot.groups.layout import in_short
from bot.settings.home import NAME
from bot.settings.settings_file import ConfigError

GAUGES = {
    "tables": "open tables",
    "presses_in_work": "presses in progress",
    "connected": "1 while the bot is connected to Discord's gateway, else 0",
    "backup_age_seconds": "seconds since the newest backup was made; absent if there is none",
    "disk_free_bytes": "free bytes on the database's disk",
}
COUNTERS = {
    "presses": "presses handled",
    "press_seconds": "seconds from arrival to answer, over all presses",
    "presses_dropped": "presses dropped: too many, or too old to answer",
    "answers_late": "answers that Discord rejected as too late",
    "edits": "edits of messages and panels, answers excluded",
    "rate_limits": "429 responses from Discord",
    "commits": "database transactions",
    "commit_seconds": "seconds spent on database transactions",
}
"""Totals since the start, each as `ligretto_<name>_total`."""

GROUP_GAUGES = {
    "valkey_reachable": "1 while Valkey answers, else 0",
}
GROUP_COUNTERS = {
    "valkey_asks": "commands that Valkey has answered",
    "valkey_seconds": "seconds from a command to Valkey's answer, over all commands",
    "valkey_failures": "commands that Valkey has not answered",
}
"""Further figures of a process that is one group of several."""

Figures = Callable[[], Mapping[str, float]]


@contextmanager
def served(port: int | None, host: str, figures: Figures, group: Group = ALONE) -> Iterator[None]:
    """Answer Prometheus at this address within this block. Without a port, do nothing.

    Each process counts only what it does itself, so a sum over groups is the bot's. A thread of its
    own answers. Raises ConfigError when the port is taken.
    """
    if port is None:
        yield
        return
    from prometheus_client import (  # noqa: PLC0415 most bots serve none
        CollectorRegistry,
        Info,
        ProcessCollector,
        start_http_server,
    )
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily  # noqa: PLC0415
    from prometheus_client.registry import Collector  # noqa: PLC0415

    class Told(Collector):
        def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
            now = figures()
            for name, words in (GAUGES | GROUP_GAUGES).items():
                if name in now:
                    yield GaugeMetricFamily(f"ligretto_{name}", words, now[name])
            for name, words in (COUNTERS if group.is_alone else COUNTERS | GROUP_COUNTERS).items():
                yield CounterMetricFamily(f"ligretto_{name}", words, now[name])

    registry = CollectorRegistry()
    registry.register(Told())
    Info("ligretto_build", "the version that runs", registry=registry).info(
        {"version": version(NAME), "python": platform.python_version()}
    )
    if not group.is_alone:
        Info("ligretto_group", "the group that this process is", registry=registry).info(
            {
                "group": str(group.number),
                "shards": in_short(group.layout.ids),
                "shard_count": str(group.layout.count),
            }
        )
    ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise ConfigError(f"METRICS_PORT: {host} port {port}: {error.strerror}") from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
