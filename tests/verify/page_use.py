"""What people do on the page that shows and checks logs."""

from pathlib import Path

from playwright.async_api import Browser, Page, ViewportSize

from bot.records.match_log import named
from tests.records.test_log import contested_match
from tests.verify.browser_page import DROP, opened
from tests.verify.damages import lines_of, text_of
from tests.verify.page_words import TABLE
from tests.verify.verdicts import verdict
from tests.verify.watched import Watched

CONTRAST = (Path(__file__).parents[1] / "demo" / "contrast.js").read_text()
NARROWEST = ViewportSize(width=320, height=640)
SLOWLY = """text => {
    const told = [], status = document.getElementById("result");
    const slow = new File([text], "slow.jsonl");
    slow.arrayBuffer = () => new Promise((r) => setTimeout(() => r(new ArrayBuffer(9)), 200));
    for (const file of [slow, new File([text], "fast.jsonl")]) {
        open([file]);
        told.push(status.textContent);
    }
    return told;
}"""
NAMES = ["Anna", "Ben", "Chiara", "Dirk", "Émile", "<b>Fenna</b>"]


def name(of: str) -> str:
    """A name as it stands in a sentence: set apart, so that it turns no word around."""
    return f"\u2068{of}\u2069"


async def is_used_by_drop_and_keyboard(chrome: Browser, text: str) -> None:
    page, wrong = await opened(chrome, locale="en-GB", color_scheme="dark")
    lines = lines_of(text)
    await page.evaluate(DROP, text)
    await says(page, f"✓ match.jsonl: all {len(lines)} lines fit.")
    for _ in range(3):  # language, file, then the first button
        await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.id") == "first"
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await shows(page, f"Line 3 of {len(lines)}")
    await page.keyboard.press("End")
    await shows(page, "The match ends.")
    await page.keyboard.press("PageUp")
    await shows(page, "Round 6 is dealt")
    await page.keyboard.press("Home")
    await page.get_by_role("button", name="Next refusal").focus()
    await shows_a_lost_race(page, text)
    await page.get_by_role("combobox", name="Round").select_option("Round 2")
    await shows(page, "Round 2 is dealt")
    assert not await page.evaluate(CONTRAST)
    await page.get_by_role("combobox", name="Language").select_option("Deutsch")
    await says(page, f"match.jsonl: Alle {len(lines)} Zeilen stimmen.")
    assert await page.locator("html").get_attribute("lang") == "de"
    assert not wrong
    await page.close()


async def shows_a_lost_race(page: Page, text: str) -> None:
    """Who was first, by how much, and the cards of the seat that was late."""
    lines = lines_of(text)
    race = next(i for i, one in enumerate(lines) if "rival" in one)
    for _ in range(sum(one["e"] == "reject" for one in lines[: race + 1])):
        await page.keyboard.press("Enter")
    told = lines[race]
    await shows(page, f"{name(NAMES[told['rival']])} was there {told['margin']} ms earlier")
    seat = page.get_by_role("region", name=NAMES[told["p"]])
    assert await seat.get_by_role("img").count() == cards_of(text, race, told["p"])
    await page.get_by_role("slider", name="Line").focus()
    await page.keyboard.press("ArrowLeft")
    await shows(page, f"Line {race} of {len(lines)}")


def cards_of(text: str, number: int, p: int) -> int:
    referee = Watched(text)
    referee.check()
    seat = referee.kept[number][0][p]
    row = sum(map(len, seat["row"]))
    return row + len(seat["ligretto"]) + len(seat["hand"]) + len(seat["discard"])


async def fits_a_narrow_phone(chrome: Browser, text: str) -> None:
    """A log that is chosen; its first line that doesn't fit is told, and shown as it stands."""
    page, wrong = await opened(chrome, locale="fr", viewport=NARROWEST, color_scheme="light")
    later = text.split("\n")
    later[40] = later[40].replace('"t":', '"t":9')
    broken = "\n".join(later)
    file = {"name": "match.jsonl", "mimeType": "text/plain", "buffer": broken.encode()}
    await page.get_by_label("Dépose ici").set_input_files(files=file)  # type: ignore[arg-type]
    line, *_ = verdict(broken.encode())
    await says(page, f"match.jsonl, ligne {line} : ")
    assert await page.locator("#bad").text_content() == broken.split("\n")[line - 1]
    await shows(page, f"Ligne {line - 1} sur")  # the last one that fits
    await says_until(page, line - 1)
    assert not await page.evaluate(CONTRAST)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert await page.evaluate(wide) == 0
    assert not wrong
    await page.close()


async def is_told_of_each_file(chrome: Browser, text: str) -> None:
    """The verdict names the file that it is of: a dropped one, or one that is chosen again."""
    page, wrong = await opened(chrome, locale="de")
    chooser = page.get_by_label("Zieh ein Protokoll")
    await page.evaluate(DROP, text)
    await says(page, "✓ match.jsonl: Alle")
    for file_name, content in (("a.jsonl", text), ("a.jsonl", text[:-9]), ("leer.txt", "")):
        async with page.expect_file_chooser() as chosen:
            await chooser.click()
        assert not await chooser.evaluate("one => one.value"), "or the same file is no change"
        file = {"name": file_name, "mimeType": "text/plain", "buffer": content.encode()}
        await (await chosen.value).set_files(file)  # type: ignore[arg-type]
        line, why, _ = verdict(content.encode())
        words = TABLE["de"]["faults"][why] if line else ""
        await says(
            page, f"✗ {file_name}, Zeile {line}: {words}" if line else f"✓ {file_name}: Alle"
        )
    assert await page.locator("#watch").is_hidden()
    assert await page.locator("#bad").is_hidden()
    await page.evaluate(DROP, text)
    await says(page, "✓ match.jsonl: Alle")
    assert not await chooser.evaluate("one => one.value"), "no other file's name stands beside it"
    await tells_what_it_does_not_check(page, text)
    assert not wrong
    await page.close()


async def tells_what_it_does_not_check(page: Page, text: str) -> None:
    """Further files, a file that another one overtook, and what is no file."""
    await page.evaluate(DROP, [text, text])
    await page.get_by_text("Nur die erste von 2 Dateien wurde geprüft.").wait_for()
    await is_read_in_order(page, text)
    await page.evaluate(DROP, [])
    await says(page, "Das ist keine Datei.")
    assert await page.locator("#watch").is_hidden()


async def is_read_in_order(page: Page, text: str) -> None:
    """A file that is read slowly gives no verdict once another has been opened."""
    told = await page.evaluate(SLOWLY, text)
    assert told == ["slow.jsonl wird geprüft …", "fast.jsonl wird geprüft …"]
    await says(page, "✓ fast.jsonl: Alle")
    await page.evaluate("() => new Promise(resolve => setTimeout(resolve, 300))")
    await says(page, "✓ fast.jsonl: Alle")


async def shows_cards_as_the_bot_does(chrome: Browser) -> None:
    """The letters are those of the language, and the open card of each pile is marked."""
    page, wrong = await opened(chrome, locale="it")
    text = text_of(await contested_match())
    long, turned = 60 * "A", "\u202eanna"
    await page.evaluate(DROP, named(text, [long, turned, "  ", *NAMES[3:]]))
    await says(page, "✓ match.jsonl: tutte")
    await page.get_by_role("button", name="Avanti").click()
    deal = lines_of(text)[1]["seats"][0]
    region = page.get_by_role("region", name=40 * "A" + "…")
    faces = await region.get_by_role("img").all_inner_texts()
    italian = str.maketrans("YG", "GV")
    given = [*deal["row"], *deal["ligretto"], *deal["hand"]]
    assert faces == [one.translate(italian) for one in given]
    tops = await region.get_by_role("img", name="scoperta").all_inner_texts()
    assert tops == [one.translate(italian) for one in [*deal["row"], deal["ligretto"][0]]]
    await page.get_by_role("button", name="Prossimo rifiuto").click()
    refused = next(one for one in lines_of(text) if one["e"] == "reject")
    if "card" in refused:
        await shows(page, f": {refused['card'].translate(italian)} (")
    assert name(turned) in await page.locator("#seats").inner_text()
    assert name("Posto 3") in await page.locator("#seats").inner_text(), "a blank is no name"
    assert not wrong
    await page.close()


async def tells_what_seats_do(chrome: Browser, handed_out: dict[str, str]) -> None:
    """Without names, seats are numbered from 1; a daily and an arena say what to compare."""
    page, wrong = await opened(chrome, locale="en-GB")
    for kind, text in handed_out.items():
        start, *_, end, _match = lines_of(text)
        await page.evaluate(DROP, text)
        await says(page, "✓ match.jsonl: all")
        facts = await page.locator("#facts").inner_text()
        assert start["public"] in facts
        if kind == "arena":
            assert "“Fingerprint” on the arena’s message" in facts
            assert "A table of an arena" in await page.locator("#warnings").inner_text()
            continue
        assert start["promise"] in facts
        assert "fingerprint" not in facts, "nothing shows a daily's"
        assert "the robots’ moves are checked too" in await page.locator("#warnings").inner_text()
        await page.get_by_role("button", name="Last line").click()
        totals = enumerate(end["scores"])
        points = [f"{name(f'Seat {p + 1}')}: {one}".replace("-", "−") for p, one in totals]
        await shows(page, f"Totals: {', '.join(points)}")
    assert not wrong
    await page.close()


async def says_until(page: Page, line: int) -> None:
    words = TABLE["fr"]["until"].format(n=line)
    await page.get_by_text(words).wait_for()


async def says(page: Page, words: str) -> None:
    await page.get_by_role("status").filter(has_text=words).wait_for()


async def shows(page: Page, words: str) -> None:
    await page.locator("#event").filter(has_text=words).wait_for()
