"""Screens with faces: what they look like, what Discord takes of them, and what if it does not."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.art.faces import faces
from bot.fakediscord import Server
from bot.games.ligretto.model import TOP, CentrePile, Colour
from bot.games.values import Seat
from bot.screen import Track
from bot.tables.decisions import decide
from bot.text import Icon
from bot.ui.render.lines import line
from bot.ui.render.marks import SIGNS, Reader, Words
from tests.games.states import ligretto_state
from tests.loopback.bots import PATIENCE, bot_here
from tests.loopback.players import Player
from tests.tables.views import panel, public
from tests.ui.limits import BUTTON, TEXT, drawn, fits
from tests.ui.matches import (
    HOST,
    PEOPLE,
    accepted,
    different,
    live,
    lobby,
    moments,
    round_over,
    started,
)

FACES = {
    name: f"<:{name}_0a1b2c:{1_300_000_000_000_000_000 + i}>" for i, name in enumerate(faces())
}
SEEING = Reader("en-US", faces=FACES)
PLAIN = Reader("en-US", plain=True)
HAS_EMOJI = {*"🔴🔶🟩🔷<", *"".join(SIGNS.values())}


@pytest.mark.parametrize(
    ("game", "players"),
    [("ligretto", 2), ("ligretto", 4), ("ligretto", 12), ("dice", 2), ("dice", 4)],
)
def test_every_screen_of_a_match_fits_with_faces(game: str, players: int) -> None:
    for screen in different(moments(lobby(PEOPLE[:players], game=game), every=40)):
        fits(screen, SEEING)


@pytest.mark.parametrize("players", [2, 4, 12])
def test_forty_eight_piles_fit_with_faces(players: int) -> None:
    session = live(lobby(PEOPLE[:players], variant="expert"))
    piles = tuple(
        CentrePile(colour, (Seat(0),) * min(number, TOP - 1))
        for colour in Colour
        for number in range(1, 13)
    )
    session = replace(session, state=replace(ligretto_state(session), centre=piles))
    for screen in (public(session, 0), panel(session, HOST, 0)):
        fits(screen, SEEING)
        lines = [
            one
            for part in drawn(screen, SEEING)
            if part["type"] == TEXT
            for one in part["content"].splitlines()
            if one.count("<:") >= 12
        ]
        assert len(lines) == (4 if players == 12 else 2)


def test_a_track_begins_with_its_colours_shape_and_a_number_keeps_its_place() -> None:
    def names(*icons: str) -> list[str]:
        said = line(Track("r", icons, 9), SEEING)
        return [one.partition("_")[0] for one in said.removeprefix("<:").split("><:")]

    assert names("dot") == ["r0"]
    assert names("r1") == ["r1"]
    assert names("dot", "r2") == ["r0", "r2"]
    assert names("r1", "dot", "r3") == ["r1", "dot", "r3"]
    assert names("rd1", "rd2", "gap", "dot") == ["rd1", "rd2", "r0", "dot"]


def test_a_button_has_its_face_and_letter_and_number() -> None:
    session = live(lobby(PEOPLE[:2]))
    parts = [p for p in drawn(panel(session, HOST, 0), SEEING) if p["type"] == BUTTON]
    cards = [part for part in parts if part["label"][0] in "RYGB"]
    assert len(cards) >= 3
    for part in cards:
        assert part["emoji"]["name"] == f"{part['label'].lower()}_0a1b2c"


def test_plain_text_has_no_pictures_and_a_line_for_each_thing() -> None:
    for session in moments(lobby(PEOPLE[:2], variant="expert"), every=10):
        for part in drawn(panel(session, HOST, 0), PLAIN):
            if part["type"] == BUTTON:
                assert part["label"]
                assert not part.get("emoji")
            elif part["type"] == TEXT:
                told = re.sub("<t:[0-9]+:R>", "", part["content"])  # a time, which is read out
                assert not set(told) & HAS_EMOJI, told
                assert " · " not in part["content"]


def test_letters_that_are_no_first_letters_are_told_before_the_first_round() -> None:
    """Once, on the screen before, so that none of a round is longer for it."""
    waiting = started(lobby(PEOPLE[:2]))

    def told(reader: Reader) -> list[str]:
        texts = (one.get("content", "") for one in drawn(panel(waiting, HOST, 0), reader))
        return [line for line in "\n".join(texts).splitlines() if " = " in line]

    assert told(Reader("de")) == ["-# Buchstaben: E = Gelb"]
    assert told(Reader("es", faces=FACES)) == ["-# Letras: M = Amarillo · Z = Azul"]
    assert told(Reader("de", letters="es")) == ["-# Buchstaben: M = Gelb · V = Grün · Z = Blau"]
    assert not any(told(Reader(one)) for one in ("en", "fr", "it"))
    assert not told(Reader("de", plain=True)), "words have no letters"
    between = round_over(lobby(PEOPLE[:2]))
    texts = (one.get("content", "") for one in drawn(panel(between, HOST, 0), Reader("de")))
    assert not any(" = " in one for one in texts)


def test_plain_text_says_in_words_who_is_awaited() -> None:
    session = started(lobby(PEOPLE[:3]))
    session = accepted(session, decide.ready(session, HOST))
    told = [part.get("content", "") for part in drawn(panel(session, HOST, 0), PLAIN)]
    assert "**You’re ready.** Waiting for Ben, Cem." in "\n".join(told).splitlines()


def test_a_plain_track_names_its_colour_and_numbers() -> None:
    assert line(Track("r", ("dot", "r2", "dot", "r4"), 9), PLAIN) == "Red: 2, 4"
    french = replace(PLAIN, locale="fr")
    assert line(Track("r", ("dot",), 9), french) == "Rouge\N{NO-BREAK SPACE}: aucun"
    assert line(Track("b", ("dot",), 9), PLAIN) == "Blue: none"
    assert Words(PLAIN).icon(Icon("r7")) == "Red 7"


def test_backs_full_piles_and_signs_are_told_without_faces() -> None:
    names = ("s3", "s12", "rfull", "stop", "agreed", "alarm", "duel", "waiting", "crown")
    without, plain = Words(Reader("en-US")), Words(PLAIN)
    told = [without.icon(Icon(name)) for name in names]
    assert told == ["③", "⑫", "🔴 R✓", "🛑", "🤝", "🚨", "⚡", "⏳", "👑"]
    assert [plain.icon(Icon(name)) for name in names] == ["3", "12", "Red ✓", *[""] * 6]
    assert Words(SEEING).icon(Icon("s3")) == FACES["s3"]
    assert Words(SEEING).icon(Icon("rfull")) == FACES["rfull"]


async def test_emojis_that_somebody_has_deleted_turn_into_words_and_come_back(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_here(server, tmp_path / "deleted.db", faces=True):
        await server.wait_for(lambda: len(server.emojis) == len(faces()), PATIENCE)
        await server.wait_for(lambda: server.statuses["POST /applications/#/emojis", 201], PATIENCE)
        anna = Player(server, server.user("anna"), server.all_channels[0])
        _ = await anna.open()
        for label in ("Add robot", "Start"):
            _ = await anna.press_public(label)
        _ = await anna.press("Ready")
        await anna.sees("Flip")
        assert "<:" in anna.panel.text
        for press, label in ((anna.press, "Flip"), (anna.press_public, "My cards")):
            server.emojis.clear()
            answer = await press(label)
            assert answer.ok, "refused, and answered in words in the same press"
            assert "<:" not in anna.panel.text
            await server.wait_for(lambda: len(server.emojis) == len(faces()), PATIENCE)
            await asyncio.sleep(1)
            assert (await anna.press("Flip")).ok
            assert "<:" in anna.panel.text
        server.emojis.clear()
        lesson = await server.slash(anna.user, anna.channel, "learn").wait()
        assert lesson.original is not None, "a lesson in words"
        assert "<:" not in lesson.original.text
