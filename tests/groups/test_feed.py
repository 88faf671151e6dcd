"""News that nobody can read hold up no others."""

import asyncio

import pytest

from bot.groups.people.feed import Feed, News
from bot.groups.valkey import Valkey
from tests.loopback.bots import clock_here
from tests.simulate.valkey import Valkey as Standin


async def test_entry_that_is_no_news_is_logged_and_left_behind(
    standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    link, heard = Valkey(standin.url, "1", clock_here()), list[News]()

    async def hear(news: News) -> None:
        heard.append(news)

    feed = Feed(link, 3, clock_here(), lambda: 0.0)
    feed.on("place", hear)
    running = asyncio.get_running_loop().create_task(feed.run())
    await asyncio.sleep(1.0)
    for entry in ({"a": "b"}, {"news": "{"}, {"news": "[]"}):
        await link.ask(lambda db, entry=entry: db.xadd(link.key("people"), entry))  # type: ignore[misc]
    await feed.tell("place", user=7)
    await asyncio.sleep(1.0)
    assert [news["user"] for news in heard] == [7]
    assert caplog.text.count("people: an entry is no news") == 3
    running.cancel()
    await link.close()
