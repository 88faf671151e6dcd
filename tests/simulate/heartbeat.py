"""discord.py's heartbeat without its thread."""

import asyncio
import logging
from typing import Any

from discord import gateway

log = logging.getLogger("discord.gateway")
_Original = gateway.KeepAliveHandler


class Heartbeat(_Original):
    """Beats and gives up as discord.py's own does, as a task of the loop."""

    def start(self) -> None:
        self._beating = asyncio.get_running_loop().create_task(self._beat(), name="heartbeat")

    def stop(self) -> None:
        super().stop()
        beating: asyncio.Task[None] | None = getattr(self, "_beating", None)
        if beating is not None and beating is not asyncio.current_task():
            beating.cancel()

    async def _beat(self) -> None:
        loop, interval = asyncio.get_running_loop(), self.interval or 0.0
        while not self._stop_ev.is_set():
            await asyncio.sleep(interval)
            if self._last_recv + self.heartbeat_timeout < loop.time():
                log.warning("Shard ID %s has stopped responding to the gateway.", self.shard_id)
                await self._give_up()
                return
            try:
                await self.ws.send_heartbeat(self._payload())
            except Exception:
                self._stop_ev.set()
            else:
                self._last_send = loop.time()

    async def _give_up(self) -> None:
        try:
            await self.ws.close(4000)
        except Exception:
            log.exception("An error occurred while stopping the gateway. Ignoring.")
        self._stop_ev.set()

    def _payload(self) -> Any:
        return self.get_payload()
