"""Interactions that a process doesn't hear while another may have taken its group over."""

import logging
from collections.abc import Callable, MutableMapping
from typing import Any

import discord

from bot.ui.connection.fast_path import Payload
from bot.ui.presses.handed_over import CREATED

log = logging.getLogger(__name__)


def fence(client: discord.Client, is_sure: Callable[[], bool]) -> None:
    """Hear no interaction while `is_sure` is false, from now on.

    Discord tells whoever pressed that nobody answered. That is the truth: what would be played here
    is lost if another process has the group.
    """
    state: Any = client._connection  # noqa: SLF001 discord.py has no hook
    parsers: MutableMapping[str, Callable[[Payload], None]] = state.parsers
    read = parsers[CREATED]

    def heard(payload: Payload) -> None:
        if is_sure():
            read(payload)
        else:
            log.warning("a press is not heard: the lease has run out, and is not renewed yet")

    parsers[CREATED] = heard
