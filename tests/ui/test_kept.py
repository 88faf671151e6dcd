"""Lines and buttons that are kept as JSON: each reader has their own, and nothing goes stale."""

from collections.abc import Iterator
from itertools import product

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n import catalogues
from bot.screen import Choice, Look, Row, Rule, Screen, Sentence, Style, Words
from bot.tables.state.session import Phase, Session
from bot.text import Icon, Joined, Name, Text, bare
from bot.ui.render import components, kept
from bot.ui.render.components import layout
from bot.ui.render.custom_ids import custom_id
from bot.ui.render.kept import kept_parts
from bot.ui.render.marks import Reader
from tests.i18n.test_languages import every_screen
from tests.tables.views import panel, public
from tests.ui.matches import HOST, PEOPLE, TABLE, after, after_moves, live, lobby
from tests.ui.objects import objects
from tests.ui.test_faces import FACES

OTHER_FACES = {name: face.replace("_0a1b2c:13", "_0a1b2c:14") for name, face in FACES.items()}
READERS = [
    reader
    for locale in sorted(catalogues())
    for reader in (Reader(locale), Reader(locale, "en", FACES), Reader(locale, plain=True))
]


def agrees(screen: Screen, reader: Reader) -> None:
    """Raises if what is kept and joined differs from what objects say, be it in a byte."""
    expected = objects(screen, str, reader)
    view = components.view(screen, str, reader)
    assert view.json == orjson.dumps(expected), (screen, reader)
    assert view.to_components() == expected


def blocks_one_by_one() -> Iterator[Screen]:
    """Each block of every screen once: a screen is only its blocks, one after the other."""
    every = dict.fromkeys(block for screen in every_screen() for block in screen.blocks)
    yield from (Screen((block,)) for block in every)


def test_every_screen_is_what_its_objects_say_to_every_reader() -> None:
    for screen, reader in product(blocks_one_by_one(), READERS):
        agrees(screen, reader)
    agrees(Screen(()), READERS[0])
    agrees(Screen((Row(()), Rule(), Words(()))), READERS[0])
    agrees(Screen(tuple(block for one in blocks_one_by_one() for block in one.blocks)), READERS[0])


ANY = st.text(st.characters(), max_size=12) | st.text('\ud83c\udfb2\udc00"\\\n\0木\x7f', max_size=6)
VALUES = st.builds(bare, st.one_of(ANY, st.builds(Name, ANY), st.just(Icon("r7"))))
JOINED = st.builds(bare, st.builds(Joined, st.tuples(ANY, VALUES)))
TEXTS = VALUES | JOINED
LINES = st.builds(Sentence, TEXTS, st.sampled_from(Look))
CHOICES = st.builds(
    Choice,
    TEXTS,
    ANY,
    st.sampled_from((None, "r7", "crown", "nothing")),
    st.sampled_from(Style),
    st.booleans(),
)
BLOCKS = st.builds(Words, st.lists(LINES, max_size=3).map(tuple)) | st.builds(
    Row, st.lists(CHOICES, max_size=3).map(tuple)
)
SCREENS = st.builds(Screen, st.lists(BLOCKS, max_size=3).map(tuple))


@given(SCREENS, st.sampled_from((READERS[0], READERS[1], READERS[2])))
def test_any_words_are_what_their_objects_say_or_refused_alike(
    screen: Screen, reader: Reader
) -> None:
    """Half of a surrogate pair is no Unicode: no JSON can have it, and nothing is sent."""
    try:
        orjson.dumps(objects(screen, str, reader))
    except TypeError:
        with pytest.raises(TypeError, match="surrogates"):
            components.view(screen, str, reader)
    else:
        agrees(screen, reader)


def test_custom_id_of_a_table_is_escaped() -> None:
    word = 'a"b\\c\n木'
    view = layout(Screen((Row((Choice(bare("x"), word),)),), 3), TABLE, READERS[0])
    (container,) = view.to_components()
    assert container["components"][0]["components"][0]["custom_id"] == custom_id(TABLE, 3, word)


@pytest.fixture
def made_anew(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every line and button that is not known by its identity."""
    anew: list[object] = []
    ordinary = kept._keep

    def noted(known: kept.Known, one: object, made: bytes) -> bytes:
        anew.append(one)
        return ordinary(known, one, made)

    monkeypatch.setattr(kept, "_keep", noted)
    return anew


def in_play() -> Iterator[Session]:
    """Rounds of both games in which somebody has played, after all that is told for a while."""
    for game, players in (("ligretto", 2), ("ligretto", 5), ("dice", 3)):
        for helps in ("on", "off"):
            session = live(lobby(PEOPLE[:players], game=game, assist=helps))
            session = after(after_moves(session, 12), 60_000)
            assert session.phase is Phase.LIVE
            yield session


def test_redraw_of_what_is_unchanged_makes_nothing_anew(made_anew: list[object]) -> None:
    for session, reader in product(in_play(), READERS[:3]):
        later = after(session, 250)
        for first, again in (
            (panel(session, HOST, 0), panel(later, HOST, 0)),
            (public(session, 0), public(later, 0)),
        ):
            sent = layout(first, TABLE, reader).json
            made_anew.clear()
            assert layout(again, TABLE, reader).json == sent
            assert made_anew == []


def test_lost_emojis_are_words_and_new_ones_are_shown() -> None:
    screen = panel(next(in_play()), HOST, 0)
    for _ in range(2):  # drawn, and kept
        for faces in (FACES, {}, OTHER_FACES):
            reader = Reader("de", "en", faces)
            view = layout(screen, TABLE, reader)
            ids = {face.rpartition(":")[2].rstrip(">") for face in faces.values()}
            others = {face.rpartition(":")[2].rstrip(">") for face in FACES.values()} - ids
            assert not [one for one in others if one.encode() in view.json]
            assert any(one.encode() in view.json for one in ids) == bool(faces)
            agrees(screen, reader)


def test_what_is_kept_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "KNOWN", most := 50)
    readers = [Reader("de", letters) for letters in ("de", "fr", "it")]
    for number in range(2 * most):
        words, sent = bare(str(number)), f'"{number}"'.encode()
        for reader in readers:
            assert kept_parts(reader).text([Sentence(words)]) == str(number).encode()
            assert sent in kept_parts(reader).buttons([Choice(words, "")], str)
            assert sum(map(known, readers)) <= most


def known(reader: Reader) -> int:
    """How many lines and buttons are kept for a reader."""
    parts = kept_parts(reader)
    return len(parts._lines) + len(parts._buttons)


def test_a_line_whose_place_in_memory_is_taken_again_is_not_mistaken() -> None:
    parts = kept_parts(Reader("it", "fr"))
    for number in range(50):
        said = parts.text([Sentence(Text("option.rounds", (("n", number),)))])
        assert said.startswith(str(number).encode())
