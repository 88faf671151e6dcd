"""Links between the pages of the project: each leads to a file and a heading that exist."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.real import ROOT

FOLDERS = ("docs", "bot", "deploy")
FENCED = re.compile(r"```.*?```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)\s#]*)#?([^)\s]*)\)")


@cache
def text(page: Path) -> str:
    return FENCED.sub("", page.read_text("utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The headings of a page as GitHub links to them."""
    headings = re.findall(r"^#+ (.*)$", text(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings)


def dead(page: Path) -> Iterator[str]:
    """Yield the links of a page that lead nowhere."""
    for file, anchor in LINK.findall(text(page)):
        target = page.parent / file if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{page.relative_to(ROOT)}: {file}#{anchor}"


def test_every_link_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(one for top in FOLDERS for one in (ROOT / top).rglob("*.md"))]
    assert not [link for page in pages for link in dead(page)]
