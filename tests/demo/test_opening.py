"""The page's own button plays what a person would, and the members' list shows who is there."""

import json

import aiohttp
from yarl import URL

from tests.demo.support import Page, demo, having, text


async def test_one_press_starts_a_match_against_two_robots() -> None:
    async with demo("--language", "de") as running, Page.of(running.url, "anna") as anna:
        assert _group(anna, "at_table") == []
        assert _group(anna, "away") == ["Ben", "Clara", "Dawid"]
        assert (await anna.ask(do="play", game="dice"))["ok"]
        await anna.press(await anna.panel_with(":ready"), ":ready")
        await anna.until(lambda: anna.panel and having(anna.panel, ":roll:0"))
        seated = await anna.until(lambda: _group(anna, "at_table"))
        assert len(seated) == 3
        assert seated[0] == "Anna"
        assert anna.messages[0]["used"]["name"] == "würfel"
        async with Page.of(running.url, "ben") as ben:
            assert "Ben" in await anna.until(lambda: _group(anna, "here"))
            assert (await ben.ask(do="play", game="ligretto"))["ok"]
            refused = await ben.until(lambda: ben.panel)
            assert "Tisch" in text(refused)
            assert (await ben.ask(do="write", text="/nichts"))["why"].startswith("Den Befehl")


async def test_ones_own_lobby_is_filled_and_started() -> None:
    async with demo("--seats", "2") as running, Page.of(running.url, "anna") as anna:
        await anna.until(lambda: len(_group(anna, "at_table")) == 2)
        answer = await anna.ask(do="play", game="ligretto")
        assert answer["ok"], answer
        assert await anna.panel_with(":ready")
        await anna.until(lambda: len(_group(anna, "at_table")) == 3)
        await anna.ask(do="write", text="/privacy")
        await anna.press(await anna.panel_with(":export"), ":export")
        exported = await anna.until(lambda: anna.messages[-1]["attachments"])
        url = URL(exported[0]["url"])
        async with aiohttp.ClientSession() as http, http.get(f"{running.url}{url.path}") as reply:
            kept = json.loads(await reply.read())
        assert (exported[0]["name"][-5:], len(str(kept)) > 2) == (".json", True)
        assert (await anna.ask(do="speak", language="fr"))["ok"]
        await anna.until(lambda: anna.state["language"] == "fr")


def _group(page: Page, group: str) -> list[str]:
    """The names in a group of the list of members, without the bot."""
    members = page.state.get("members", ())
    return [one["name"] for one in members if one["group"] == group and not one.get("bot")]
