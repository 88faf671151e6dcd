"""A Valkey with TLS and a password, and what is said if either is wrong. Neither is ever shown."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.fakediscord import Server as Discord
from bot.fakediscord.serving.certificates import Certificate
from tests import valkey
from tests.groups.processes import GroupProcess, Groups
from tests.groups.test_check import checked, lines
from tests.real import PATIENCE

PASSWORD = "s3cret-of-valkey"  # noqa: S105 a test's


@dataclass
class Secured:
    """Groups on a Valkey that speaks TLS at `port`, with this certificate's file."""

    groups: Groups
    port: int
    certificate: Path

    def url(self, password: str = PASSWORD, scheme: str = "valkeys", trusted: str = "") -> str:
        return f"{scheme}://:{password}@127.0.0.1:{self.port}{trusted}"

    @property
    def trusted(self) -> str:
        return f"?ssl_ca_certs={self.certificate}"

    def process(self, url: str) -> GroupProcess:
        database = self.certificate.parent / "bot.db"
        return GroupProcess(self.groups.discord, url, database, "0-3", 4)

    async def refusal(self, url: str) -> str:
        """What `check` says of this address."""
        database = self.certificate.parent / "bot.db"
        ended = await checked(self.groups, database, VALKEY_URL=url, SHARD_IDS="0-3")
        assert PASSWORD not in ended.said + ended.problem
        (line,) = lines(ended, "Valkey")
        return line.removeprefix("FIX Valkey: cannot be used: ")


@pytest.fixture
async def secured(tmp_path: Path) -> AsyncIterator[Secured]:
    valkey.needed()
    certificate, port = Certificate(), valkey.free_port()
    server = valkey.Server(
        tmp_path,
        *("--requirepass", PASSWORD, "--tls-port", str(port), "--tls-auth-clients", "no"),
        *("--tls-cert-file", str(certificate.file), "--tls-key-file", str(certificate._key)),
    )
    await server.start()
    async with Discord() as discord:
        discord.settings.most_emojis = 0
        discord.gateway.enforce_identify = False
        yield Secured(Groups(discord, server, tmp_path), port, certificate.file)
    server.kill()
    certificate.close()


async def test_group_plays_with_password_and_certificate(secured: Secured) -> None:
    url = secured.url(trusted=secured.trusted)
    bot = secured.process(url)
    bot.number = 1
    try:
        await bot.run()
        ended = await checked(secured.groups, bot.database, VALKEY_URL=url, SHARD_IDS="0-3")
        server, own = lines(ended, "Valkey", "this group")
        assert server.startswith("ok Valkey: ")
        assert server.endswith(" ms, TLS")
        assert own == "ok this group: number 1, held here and running"
        secured.groups.valkey.kill()
        async with asyncio.timeout(PATIENCE):
            while "Valkey cannot be reached" not in bot.output:  # noqa: ASYNC110 a log tells nobody
                await asyncio.sleep(0.05)
        assert await bot.stop() == 0
        assert PASSWORD not in bot.output + ended.said
    finally:
        if bot.is_running:
            await bot.kill()


@pytest.mark.parametrize("password", ["wrong", ""])
async def test_password_that_is_wrong_or_missing(secured: Secured, password: str) -> None:
    url = secured.url(password, trusted=secured.trusted)
    bot = secured.process(url if password else url.replace(":@", ""))
    code, said = await bot.refused()
    assert code == 2
    assert "VALKEY_URL" in said
    assert "password" in said
    assert PASSWORD not in bot.output
    if password:
        assert password not in said
        assert await secured.refusal(url) == "it rejects the user or password in VALKEY_URL"


async def test_certificate_that_is_not_trusted(secured: Secured) -> None:
    refusal = await secured.refusal(secured.url())
    assert refusal == (
        "its certificate is not trusted (self-signed certificate): add ?ssl_ca_certs=FILE to "
        "VALKEY_URL, or use the name it is made for"
    )
    bot = secured.process(secured.url())
    assert await bot.refused() == (2, f"VALKEY_URL: Valkey cannot be used: {refusal}")
    assert PASSWORD not in bot.output


async def test_port_that_speaks_tls_is_asked_without(secured: Secured) -> None:
    refusal = await secured.refusal(secured.url(scheme="valkey"))
    assert refusal == "it closes the connection: write valkeys:// in VALKEY_URL if it has TLS"


async def test_server_without_tls_is_asked_with_it(secured: Secured) -> None:
    """It waits for more of what it takes for a command, as one that is just being started."""
    url = secured.url().replace(f":{secured.port}", f":{secured.groups.valkey.port}")
    said = "no answer in time (a server without TLS gives none to valkeys://)"
    assert await secured.refusal(url) == said


async def test_user_that_may_do_too_little(secured: Secured) -> None:
    """A permission that is missing does not come by itself."""
    async with secured.groups.asked(PASSWORD) as db:
        await db.acl_setuser("small", enabled=True, passwords=["+s"], keys=["*"], commands=["+get"])
    url = f"valkey://small:s@127.0.0.1:{secured.groups.valkey.port}"
    code, said = await secured.process(url).refused()
    assert code == 2
    assert said.startswith("VALKEY_URL: Valkey cannot be used: its user in VALKEY_URL may not do ")


async def test_database_that_is_not_there(secured: Secured) -> None:
    url = f"valkey://:{PASSWORD}@127.0.0.1:{secured.groups.valkey.port}/99"
    said = "it has no database of the number in VALKEY_URL: leave the number out"
    bot = secured.process(url)
    assert await bot.refused() == (2, f"VALKEY_URL: Valkey cannot be used: {said}")


async def test_last_holder_is_refused_with_wrong_settings(secured: Secured) -> None:
    """Valkey has answered, so it isn't away: the group would play where no other group is."""
    server = f"127.0.0.1:{secured.groups.valkey.port}"
    bot = secured.process(f"valkey://:{PASSWORD}@{server}")
    bot.number = 1
    await bot.run()
    assert await bot.stop() == 0
    async with secured.groups.asked(PASSWORD) as db:
        await db.acl_setuser("small", enabled=True, passwords=["+s"], keys=["*"], commands=["+get"])
    for url, said in {
        f"valkey://:wrong@{server}": "it rejects the user or password in VALKEY_URL",
        f"valkey://nobody:{PASSWORD}@{server}": "it rejects the user or password in VALKEY_URL",
        f"valkey://{server}": "it asks for a password: write VALKEY_URL as ",
        f"valkey://small:s@{server}": "its user in VALKEY_URL may not do what the bot needs: ",
        f"valkey://:{PASSWORD}@{server}/99": "it has no database of the number in VALKEY_URL: ",
    }.items():
        code, told = await secured.process(url).refused()
        assert (code, told.startswith(f"VALKEY_URL: Valkey cannot be used: {said}")) == (2, True)
        refusal = await secured.refusal(url)
        assert refusal.startswith(said)


async def test_file_that_holds_no_certificate(secured: Secured, tmp_path: Path) -> None:
    (empty := tmp_path / "empty.pem").touch()
    bot = secured.process(secured.url(trusted=f"?ssl_ca_certs={empty}"))
    said = "the file of ssl_ca_certs in VALKEY_URL holds no certificate"
    assert await bot.refused() == (2, f"VALKEY_URL: Valkey cannot be used: {said}")
