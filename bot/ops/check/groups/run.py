"""The check of everything that the groups of a bot share. It leaves nothing behind."""

from bot.clock import SystemClock
from bot.groups.away import ValkeyAwayError
from bot.groups.failures import in_words
from bot.groups.lease.leases import Leases
from bot.groups.valkey import Valkey
from bot.ops.check.finding import Finding, fix
from bot.ops.check.groups import records
from bot.ops.check.groups.between import between
from bot.ops.check.groups.own_group import own_group, start_of
from bot.ops.check.groups.server import server
from bot.settings.config import Config

TLS = "rediss://"


async def groups(config: Config) -> tuple[Finding, ...]:
    """Return findings about Valkey, all groups, and this one. The settings name a Valkey."""
    assert config.valkey_url is not None
    url, token = config.valkey_url.get_secret_value(), config.discord_token.get_secret_value()
    valkey = Valkey(url, token.partition(".")[0], SystemClock())
    start = start_of(config.database_path, Leases(valkey, config.layout))
    try:
        about = await server(valkey, is_tls=url.startswith(TLS))
        members = await records.members(valkey)
        now = await records.time_of(valkey)
        own = await own_group(start, members)
    except ValkeyAwayError as away:
        said = f"cannot be used: {in_words(away.__cause__ or away)}"
        return (fix("Valkey", said), await own_group(start, ()))
    finally:
        await valkey.close()
    known = await start.file.own()
    number = known.number if known is not None else 0
    return (*about, own, *between(members, config.layout, now, number))
