"""The only use of discord.py's internals: the addresses at which it looks for Discord."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import discord
from discord import asset, gateway, http
from yarl import URL

PLACES: tuple[tuple[str, Any, str], ...] = (
    ("discord.http.Route.BASE", http.Route, "BASE"),
    (
        "discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY",
        gateway.DiscordWebSocket,
        "DEFAULT_GATEWAY",
    ),
    ("discord.asset.Asset.BASE", asset.Asset, "BASE"),
)


class UnfitError(Exception):
    """The installed discord.py lacks the expected addresses. The message names them."""


@contextmanager
def pointed_at(http_url: str, gateway_url: str) -> Iterator[None]:
    """Point discord.py at a server on this machine while the context lasts.

    Raises UnfitError for a version of discord.py without these addresses.
    """
    missing = [name for name, owner, attribute in PLACES if not hasattr(owner, attribute)]
    if missing:
        raise UnfitError(
            f"the demo doesn't support discord.py {discord.__version__}: it has no "
            f"{' and no '.join(missing)}; install a version that pyproject.toml allows"
        )
    values = (f"{http_url}/api/v10", URL(gateway_url), http_url)
    before = [getattr(owner, attribute) for _, owner, attribute in PLACES]
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: Sequence[object]) -> None:
    for (_, owner, attribute), value in zip(PLACES, values, strict=True):
        setattr(owner, attribute, value)
