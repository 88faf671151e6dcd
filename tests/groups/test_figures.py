"""Prometheus reads which group a process is, and how it gets on with Valkey."""

import asyncio

from tests.groups.processes import Groups
from tests.ops.test_metrics import scraped
from tests.real import PATIENCE
from tests.valkey import free_port


async def test_figures_name_the_group_and_add_up(groups: Groups) -> None:
    ports = free_port(), free_port()
    for name, ids, port in zip("ab", ("0-1", "2-3"), ports, strict=True):
        bot = groups.process(name, ids, 4)
        bot.env["METRICS_PORT"] = str(port)
        await bot.run()
    one, two = [await scraped(port) for port in ports]
    assert one['ligretto_group_info{group="1",shard_count="4",shards="0-1"}'] == 1
    assert two['ligretto_group_info{group="2",shard_count="4",shards="2-3"}'] == 1
    for figures in (one, two):
        assert figures["ligretto_valkey_reachable"] == 1
        assert figures["ligretto_valkey_asks_total"] > 0
        assert figures["ligretto_valkey_seconds_total"] > 0
        assert figures["ligretto_valkey_failures_total"] == 0
    groups.valkey.kill()
    async with asyncio.timeout(PATIENCE):
        while (await scraped(ports[0]))["ligretto_valkey_reachable"]:  # noqa: ASYNC110 it is asked over a socket
            await asyncio.sleep(0.05)
    assert (await scraped(ports[0]))["ligretto_valkey_failures_total"] > 0
