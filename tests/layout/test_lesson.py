"""The guided first hand on a phone: no line wraps, and no button moves up or down."""

import pytest

from bot.games.ligretto import lesson_screens
from bot.i18n import catalogues
from bot.tables.views.plain_words import in_plain_words
from bot.ui.render.marks import Reader
from tests.games.ligretto import lesson
from tests.layout.geometry import NARROW, PHONE, placed, row_widths, too_long
from tests.ui.limits import drawn, fits
from tests.ui.test_faces import FACES

END = lesson_screens.end()
SCREENS = lesson.every_screen()


@pytest.mark.parametrize("locale", sorted(catalogues()))
def test_no_button_of_the_lesson_moves(locale: str) -> None:
    reader = Reader(locale, faces=FACES)
    rows = set()
    for screen in SCREENS:
        if screen == END:
            continue
        fits(screen, reader)
        parts = drawn(screen, reader)
        assert not too_long(parts, NARROW), too_long(parts, NARROW)
        rows.add(tuple(sorted({(one.row, one.y) for one in placed(parts, PHONE)})))
    assert len(rows) == 1


@pytest.mark.parametrize("locale", sorted(catalogues()))
def test_the_points_of_a_lesson_are_a_line_each(locale: str) -> None:
    wrapped = too_long(drawn(END, Reader(locale, faces=FACES)), NARROW)
    assert not [line for line in wrapped if "🥇" in line or "🥈" in line]


@pytest.mark.parametrize("locale", sorted(catalogues()))
def test_every_screen_of_the_lesson_fits(locale: str) -> None:
    faces, letters = Reader(locale, faces=FACES), Reader(locale)
    for screen in SCREENS:
        for reader in (faces, letters):
            fits(screen, reader)
            for width, labels in row_widths(drawn(screen, reader)):
                assert width <= PHONE, labels
        fits(in_plain_words(screen), Reader(locale, plain=True))
