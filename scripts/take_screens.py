"""Draws every distinct screen in every language as a phone shows it, on sheets of many screens.

`python -m scripts.take_screens OUT [--language de] [--width 320]` writes `de-320-01.png` and so on,
and `de.txt` with the keys of each numbered screen. The exit code is 1 if a box overflows, a row of
buttons needs two lines, or a list cuts one of its values; each is listed.
"""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Page, Route

from bot.art.drawing import render
from bot.art.faces import faces
from bot.demo.backend.words import translated, words
from bot.demo.web.page import STATIC
from bot.i18n import languages, say
from bot.screen import Form, Screen
from bot.text import Text
from bot.ui.render.components import layout
from bot.ui.render.forms import modal
from bot.ui.render.marks import Reader, Words
from tests.demo.browser import browser
from tests.i18n import shown
from tests.ui.limits import sent
from tests.ui.matches import TABLE
from tests.ui.test_faces import FACES

WIDTHS = (390, 320)
AT_ONCE = 20
"""Screens in one page: a browser takes no picture of a page higher than 16,384 px."""
TOGETHER = 10
"""Answers under each other, as one screen."""
SHEET = 1600
"""The height of a sheet, and about its width."""
BETWEEN = 10
BACK = (255, 255, 255)
LONGEST_NUMBER = 16
"""Digits from which on JavaScript rounds a number."""
LIMIT = re.compile(r"\b(999\d*|3599)\b")
"""Figures as long as can be, which nobody reaches."""
AUTHOR = {"id": "1", "name": "Ligretto", "bot": True}
HARNESS = (Path(__file__).parent / "screens.html").read_text("utf-8")
ORIGIN = "http://screens.test"
IDS = {face.rstrip(">").rpartition(":")[2]: name for name, face in FACES.items()}

Json = dict[str, Any]


def described(language: str) -> Iterator[tuple[str, Json]]:
    """Yield everything to look at in a language: the keys it says, and its message or form."""
    screens, plain = shown.shown(), shown.shown_plainly()
    for screen in screens:
        yield _keys(screen), _message(sent(layout(screen, TABLE, Reader(language, faces=FACES))))
    for screen in plain:
        reader = Reader(language, plain=True)
        yield f"plain: {_keys(screen)}", _message(sent(layout(screen, TABLE, reader)))
    for form in shown.forms():
        drawn = modal(form, TABLE, Reader(language, faces=FACES))
        yield _keys(form), {"form": drawn.to_dict()}
    texts = shown.answers((*screens, *shown.forms()))
    marks = Words(Reader(language, faces=FACES))
    for number in range(0, len(texts), TOGETHER):
        some = texts[number : number + TOGETHER]
        lines = [f"{say(one, language, marks)}\n-# {one.key}" for one in some]
        parts = [{"type": 10, "content": line} for line in lines]
        yield " ".join(one.key for one in some), _message(parts)


def _keys(thing: Screen | Form | Text) -> str:
    return " ".join(sorted(shown.keys(thing)))


def _message(parts: Sequence[Json]) -> Json:
    return {
        "author": AUTHOR,
        "at": 0,
        "content": "",
        "components": _with_pictures(parts),
        "private": False,
        "attachments": [],
    }


def _with_pictures(parts: Sequence[Json]) -> list[Json]:
    """Return components as a client gets them: ids in quotes, and pictures with an address."""
    got: list[Json] = json.loads(
        json.dumps(parts).replace("attachment://", "/attachments/"),
        parse_int=lambda digits: int(digits) if len(digits) < LONGEST_NUMBER else digits,
    )
    return got


# -- the browser -----------------------------------------------------------------------------


def _complain(error: object) -> None:
    sys.stderr.write(f"{error}\n")


async def opened(chrome: Browser, language: str, width: int) -> Page:
    """Open an empty page of this width that draws messages as the demo does."""
    page = await chrome.new_page(viewport={"width": width, "height": 800})
    html = HARNESS.replace("{{lang}}", language).replace(
        "{{words}}", json.dumps(dict(words(language)), ensure_ascii=False).replace("<", "\\u003c")
    )

    async def serve(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            await route.fulfill(body=html, content_type="text/html; charset=utf-8")
        elif path == "/start":
            template = (STATIC / "page.html").read_text("utf-8").replace('src="page.js"', "")
            start = translated(template, language)
            await route.fulfill(body=start, content_type="text/html; charset=utf-8")
        elif path.startswith("/emojis/"):
            drawing = faces()[IDS[path.rpartition("/")[2]]]
            await route.fulfill(body=render(drawing), content_type="image/png")
        elif path.startswith("/attachments/"):
            await route.fulfill(body=_picture(), content_type="image/png")
        else:
            await route.fulfill(path=STATIC / path.removeprefix("/"))

    page.on("pageerror", _complain)
    await page.route("**/*", serve)
    await page.goto(f"{ORIGIN}/")
    await page.wait_for_function("() => Boolean(window.show)")
    return page


def _picture() -> bytes:
    """Return a grey picture in place of scores and rounds."""
    file = BytesIO()
    Image.new("RGB", (600, 300), (120, 130, 140)).save(file, "png")
    return file.getvalue()


async def pictured(
    page: Page, some: Sequence[Json], first: int
) -> tuple[list[Image.Image], list[str]]:
    """Draw these screens: a picture of each, and what is wrong with them."""
    rects, faults = await page.evaluate(
        "([some, first]) => window.show(some, first)", [some, first]
    )
    whole = Image.open(BytesIO(await page.screenshot(full_page=True))).convert("RGB")
    return [whole.crop(tuple(map(round, rect))) for rect in rects], faults


# -- sheets ----------------------------------------------------------------------------------


def sheets(pictures: Iterable[Image.Image], width: int) -> Iterator[Image.Image]:
    """Yield sheets of pictures in columns. Each stands in the first column with room for it."""
    columns = round(SHEET / (width + BETWEEN))
    size = columns * (width + BETWEEN) - BETWEEN, SHEET
    sheet, filled = Image.new("RGB", size, BACK), [0] * columns
    for one in pictures:
        column = next((n for n, y in enumerate(filled) if not y or y + one.height <= SHEET), None)
        if column is None:
            yield sheet
            sheet, filled, column = Image.new("RGB", size, BACK), [0] * columns, 0
        sheet.paste(one, (column * (width + BETWEEN), filled[column]))
        filled[column] += one.height + BETWEEN
    yield sheet


async def draw(chrome: Browser, out: Path, language: str, width: int) -> list[str]:
    """Write the sheets of a language in a width. Returns what is wrong with its screens."""
    everything = list(described(language))
    index = (f"{number} {said}\n" for number, (said, _) in enumerate(everything, 1))
    (out / f"{language}.txt").write_text("".join(index), "utf-8")
    page = await opened(chrome, language, width)
    pictures: list[Image.Image] = []
    faults: list[str] = []
    for start in range(0, len(everything), AT_ONCE):
        some = [message for _, message in everything[start : start + AT_ONCE]]
        drawn, wrong = await pictured(page, some, start + 1)
        pictures += drawn
        faults += wrong
    await page.goto(f"{ORIGIN}/start")
    start_page = Image.open(BytesIO(await page.screenshot())).convert("RGB")
    await page.close()
    for number, sheet in enumerate(sheets([start_page, *pictures], width), 1):
        sheet.save(out / f"{language}-{width}-{number:02}.png")
    alike: dict[str, str] = {}
    for fault in faults:
        if not LIMIT.search(fault):
            alike.setdefault(re.sub(r"\d+", "#", fault), fault)
    return [f"{language} {width} px: {fault}" for fault in alike.values()]


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", action="append", choices=sorted(languages()))
    parser.add_argument("--width", action="append", type=int, choices=WIDTHS)
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    found: list[str] = []
    async with browser() as chrome:
        for language in chosen.language or sorted(languages()):
            for width in chosen.width or WIDTHS:
                found += await draw(chrome, chosen.out, language, width)
    sys.stdout.write("".join(f"{one}\n" for one in found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
