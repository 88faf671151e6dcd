"""The demo from outside, without a browser: its options, its socket, its life."""

import asyncio
import re
import signal
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.verify.page import PAGE
from tests.demo.panel_buttons import card, flip, split
from tests.demo.support import Page, buttons, demo, having, parts, run, started, text
from tests.real import PATIENCE

MOST_TRIES = 10
SEAT = re.compile(r"<:(s[0-9]+|computer)_|[①-⑫] |🤖 ")
"""The beginning of a seat's line in a lobby, with our emojis or without."""


async def test_a_round_begins_and_a_reload_finds_the_panel() -> None:
    async with demo() as running, Page.of(running.url, "anna") as anna:
        assert [c["name"] for c in anna.state["commands"]][:1] == ["ligretto"]
        assert (await anna.ask(do="write", text="/ligretto"))["ok"]
        assert anna.table is not None
        async with Page.of(running.url, "ben") as ben:
            assert ben.table is not None
            assert not _private(ben)
            assert (await ben.press(ben.table, ":join"))["ok"]
            assert "You’re in" in text(await ben.until(lambda: ben.panel))
            await _begin(anna, ben)
            assert (await _lay_or_flip(anna))["ok"]
            await _refusal(anna)
            panel = ben.panel
        async with Page.of(running.url, "ben") as again:
            assert panel is not None
            assert again.panel is not None
            assert again.panel["id"] == panel["id"]
            assert [b for b in buttons(again.panel) if card(b)]
        async with Page.of(running.url, "clara") as clara:
            assert not _private(clara)


async def test_nonsense_is_refused_and_harms_nobody() -> None:
    async with demo("--seats", "2") as running, Page.of(running.url, "anna") as anna:
        panel = await anna.until(lambda: anna.panel)
        for frame in ("", "{", "[]", '{"n": 1}', '{"n": 1, "do": "fly"}', '{"n": "1", "do": 3}'):
            await anna.socket.send_str(frame)
        await anna.until(lambda: None in anna.answers)
        assert not (await anna.ask(do="press", message="12", id="x"))["ok"]
        assert not (await anna.ask(do="write", text="/fly"))["ok"]
        assert not (await anna.ask(do="write", text="/ligretto tables:9"))["ok"]
        assert (await anna.ask(do="write", text="*hello* /ligretto"))["ok"]
        await anna.until(lambda: anna.messages[-1]["content"] == "*hello* /ligretto")
        assert (await anna.ask(do="press", message=panel["id"], id="no such button"))["ok"]
        async with Page.of(running.url, "ben") as ben:
            answer = await ben.ask(do="press", message=panel["id"], id="x")
            assert answer["why"] == "This interaction failed"
            assert panel["id"] not in {m["id"] for m in ben.messages}
        assert (await anna.ask(do="dismiss", message=panel["id"]))["ok"]
        await anna.until(lambda: panel["id"] not in anna.state["order"])


async def test_all_that_discord_offers_can_be_chosen() -> None:
    """Values while somebody types, a person's menu, and a channel in a list of channels."""
    async with demo() as running, Page.of(running.url, "anna") as anna:
        offered = await anna.ask(do="suggest", text="/settings time_zone:berl")
        assert offered["choices"] == [{"name": "Europe/Berlin", "value": "Europe/Berlin"}]
        for text_ in ("/settings ", "/fly match:1", "/replay match:1", "hello"):
            assert not (await anna.ask(do="suggest", text=text_)).get("choices")
        options = {o["name"]: o for c in anna.state["commands"] for o in c["options"]}
        assert options["match"]["asks"]
        assert options["member"]["choices"] == ["Anna", "Ben", "Clara", "Dawid"]

        (app,) = anna.state["apps"]
        ben = next(one for one in anna.state["people"] if one["key"] == "ben")
        assert (await anna.ask(do="apps", command=app["real"], person=ben["id"]))["ok"]
        await anna.until(lambda: anna.panel and "Stats · Ben" in text(anna.panel))
        assert not (await anna.ask(do="apps", command="fly", person=ben["id"]))["ok"]
        assert not (await anna.ask(do="apps", command=app["real"], person="1"))["ok"]

        assert (await anna.ask(do="write", text="/settings"))["ok"]
        page = await anna.panel_with(":posts")
        assert (await anna.press(page, ":posts"))["ok"]
        (channels,) = await anna.until(lambda: [p for p in parts(anna.now(page)) if p["type"] == 8])
        chosen = {"do": "choose", "message": page["id"], "id": channels["custom_id"]}
        (here,) = anna.state["places"]
        assert (await anna.ask(**chosen, values=[here["id"]]))["ok"]
        kept = [{"id": here["id"], "type": "channel"}]
        now = [p.get("default_values") for p in parts(anna.now(page)) if p["type"] == 8]
        assert now == [kept]


async def test_only_pages_of_this_machine_get_in() -> None:
    async with demo() as running, aiohttp.ClientSession() as http:
        socket = f"{running.url}/socket?as=anna"
        for origin in ("https://example.org", "null", running.url.replace("127", "128")):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await http.ws_connect(socket, origin=origin)
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await http.ws_connect(f"{running.url}/socket?as=nobody", origin=running.url)
        for path, host, status in (
            ("/", "example.org", 403),
            ("/../world.py", "localhost", 404),
            ("/none.js", "localhost", 404),
            ("/emojis/1", "localhost", 404),
            ("/attachments/1/2/x.png", "localhost", 404),
            ("/page.css", "localhost:80", 200),
        ):
            async with http.get(running.url + path, headers={"Host": host}) as reply:
                assert (path, reply.status) == (path, status)
        async with http.get(running.url) as reply:
            assert "Ligretto demo" in await reply.text()
            assert 'href="verify#en"' in await reply.text()
            assert "default-src 'self'" in reply.headers["Content-Security-Policy"]
        async with http.get(running.url + "/verify") as reply:
            assert await reply.text() == PAGE.read_text("utf-8")
            assert reply.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
            assert reply.headers["X-Content-Type-Options"] == "nosniff"


async def test_after_a_restart_the_same_message_goes_on() -> None:
    async with demo("--seats", "3") as running, Page.of(running.url, "anna") as anna:
        await anna.until(lambda: anna.table and len(_seated(anna.table)) == 3)
        await _begin(anna)
        table = anna.table
        assert table is not None
        assert (await anna.ask(do="restart"))["ok"]
        await anna.until(lambda: not anna.state["online"])
        failed = await anna.press(table, ":panel")
        assert failed["why"] == "This interaction failed"
        await anna.until(lambda: anna.state["online"])
        resumed = "The bot restarted"
        await anna.until(lambda: resumed in text(anna.now(table)))
        assert anna.table is not None
        assert anna.table["id"] == table["id"]
        assert (await anna.press(anna.now(table), ":panel"))["ok"]
        await anna.press(await anna.panel_with(":ready"), ":ready")
        await _cards(anna)
        assert (await _lay_or_flip(anna))["ok"]


async def test_a_kept_database_brings_the_table_back(tmp_path: Path) -> None:
    file = tmp_path / "deeper" / "kept.sqlite3"
    async with demo("--keep", str(file), "--seats", "4") as running:
        async with Page.of(running.url, "anna") as anna:
            await anna.until(lambda: anna.table and len(_seated(anna.table)) == 4)
            posted = anna.table
        code, farewell = await running.end(signal.SIGTERM)
        assert code == 0
        assert str(file) in farewell
    async with (
        demo("--keep", str(file), "--seats", "2") as running,
        Page.of(running.url, "anna") as anna,
    ):
        table = await anna.until(lambda: anna.table)
        assert len(_seated(table)) == 4
        assert posted is not None
        assert table["id"] == posted["id"]
        await anna.until(lambda: anna.state["commands"])
        await anna.press(table, ":start")
        await anna.press(await anna.until(lambda: having(anna.table, ":panel")), ":panel")
        assert await anna.panel_with(":ready")


async def test_ctrl_c_ends_it_with_a_farewell() -> None:
    async with demo(fresh=True) as running:
        for person in ("anna", "ben", "clara", "dawid"):
            assert f"{running.url}/?as={person}" in running.greeting
        async with Page.of(running.url, "anna"):
            code, farewell = await running.end(signal.SIGINT)
    assert (code, farewell) == (0, "\nGoodbye. Nothing was kept.\n")


@pytest.mark.parametrize("seconds", [0, 0.05, 0.15])
async def test_a_stop_while_the_bot_is_starting_is_clean(seconds: float) -> None:
    running = await started()
    await asyncio.sleep(seconds)
    code, farewell = await running.end()
    assert (code, farewell) == (0, "\nGoodbye. Nothing was kept.\n")


async def test_what_cannot_be_is_said(tmp_path: Path) -> None:
    file = str(tmp_path / "kept.sqlite3")
    (strange := tmp_path / "strange.sqlite3").write_text("no database " * 100)
    async with demo("--keep", file) as running:
        port = running.url.rpartition(":")[2]
        for options, words in (
            (("demo", "--port", port), "--port 0"),
            (("demo", "--port", "0", "--keep", file), "another process"),
            (("demo", "--port", "0", "--keep", str(strange)), "not a database"),
            (("demo", "--keep", str(tmp_path)), "a folder"),
            (("demo", "--seats", "1"), "2 to 12"),
            (("demo", "--port", "nine"), "65535"),
        ):
            code, _, errors = await _ended(*options)
            assert code == 2
            assert words in errors
            assert "Traceback" not in errors
    code, out, _ = await _ended("demo", "--help")
    assert code == 0
    assert "--no-browser" in out


# -- what they share -----------------------------------------------------------------------------


async def _ended(*options: str) -> tuple[int | None, str, str]:
    process = await run(*options)
    out, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, out.decode(), errors.decode()


async def _begin(host: Page, *others: Page) -> None:
    """From the lobby to the first cards."""
    table = host.table
    assert table is not None
    assert (await host.press(table, ":start"))["ok"]
    for page in (host, *others):
        panel = await page.panel_with(":ready")
        assert (await page.press(panel, ":ready"))["ok"]
    for page in (host, *others):
        await _cards(page)


async def _cards(page: Page) -> None:
    """Until the round is live."""
    await page.until(lambda: page.panel and flip(buttons(page.panel)))


async def _lay_or_flip(page: Page) -> dict[str, Any]:
    panel = page.panel
    assert panel is not None
    pressable = buttons(panel)
    fit, _ = split(text(panel), pressable)
    one = fit[0] if fit else flip(pressable)
    assert one is not None
    return await page.ask(do="press", message=panel["id"], id=one.id)


async def _refusal(page: Page) -> None:
    """A card that does not fit is answered, in words, on the panel.

    Which card that is may have changed since the panel was drawn: one that fits is laid instead.
    """
    panel = page.panel
    assert panel is not None
    for _ in range(MOST_TRIES):
        before = text(page.now(panel))
        _, misfit = split(before, buttons(page.now(panel)))
        if not misfit:
            return
        assert (await page.ask(do="press", message=panel["id"], id=misfit[0].id))["ok"]
        await page.until(lambda: text(page.now(panel)) != before)  # noqa: B023 asked here and now
        if "needs" in text(page.now(panel)):
            return
    raise AssertionError("no card was refused")


def _private(page: Page) -> list[dict[str, Any]]:
    return [message for message in page.messages if message["private"]]


def _seated(table: dict[str, Any]) -> list[str]:
    lines = "\n".join(part["content"] for part in parts(table) if part["type"] == 10).splitlines()
    return [line for line in lines if SEAT.match(line)]
