"""Figures for Prometheus, served on this machine's own address only."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from bot.settings.config import ConfigError
from bot.settings.home import install

HERE = "127.0.0.1"
GAUGES = {
    "tables": "open tables",
    "presses_in_work": "presses in progress",
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

Figures = Callable[[], Mapping[str, float]]


@contextmanager
def served(port: int | None, figures: Figures) -> Iterator[None]:
    """Answer Prometheus within this block, from a thread; without a port, do nothing.

    Raises ConfigError when the library is missing or the port is taken.
    """
    if port is None:
        yield
        return
    try:
        from prometheus_client import (  # noqa: PLC0415 an extra: most bots do without
            CollectorRegistry,
            ProcessCollector,
            start_http_server,
        )
        from prometheus_client.core import (  # noqa: PLC0415
            CounterMetricFamily,
            GaugeMetricFamily,
        )
        from prometheus_client.registry import Collector  # noqa: PLC0415
    except ModuleNotFoundError:
        raise ConfigError(f"METRICS_PORT needs a package: {install('metrics')}") from None

    class Told(Collector):
        def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
            now = figures()
            for name, words in GAUGES.items():
                yield GaugeMetricFamily(f"ligretto_{name}", words, now[name])
            for name, words in COUNTERS.items():
                yield CounterMetricFamily(f"ligretto_{name}", words, now[name])

    registry = CollectorRegistry()
    registry.register(Told())
    ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, HERE, registry)
    except OSError as error:
        raise ConfigError(f"METRICS_PORT: {error.strerror}") from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
