"""Pages for hosts name every setting, and every table that holds something about a person."""

import re
import sqlite3
import tomllib

from bot.settings.config import Config
from tests.real import ROOT

HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")
PRIVACY = (ROOT / "docs" / "privacy.md").read_text("utf-8")
EXAMPLE = (ROOT / ".env.example").read_text("utf-8")
OF_PEOPLE = {"user", "player", "moderator", "name", "by_seat", "mark", "body", "log"}
"""Columns that are about a person, or hold a text that can be."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
REPOSITORY = re.compile(
    r"(?:https?://|git@|ssh://|git\+)[^\s<>()`\"']*(?:ligretto|\.git\b)[^\s<>()`\"']*"
    r"|https?://(?:www\.)?(?:git(?:hub|lab)\.com|codeberg\.org|bitbucket\.org)/[^\s<>()`\"']+",
    re.IGNORECASE,
)
"""An address that looks like a repository of this project: by its name, or by its host."""
OF_OTHERS = ("https://github.com/Rapptz/discord.py",)
"""Repositories of others that we name."""


def table(page: str, heading: str) -> str:
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_every_setting_is_explained() -> None:
    names = {name.upper() for name in Config.model_fields}
    rows = re.findall(r"^\| `([A-Z_]+)` \|", table(HOSTING, "Settings"), re.MULTILINE)
    assert sorted(rows) == sorted(names)
    examples = re.findall(r"^(?:# )?([A-Z_]+)=", EXAMPLE, re.MULTILINE)
    assert sorted(examples) == sorted(names)


def test_defaults_of_settings_are_true() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| `([^`]*)` \|", HOSTING, re.MULTILINE)
    assert len(rows) > 3
    for name, said in rows:
        default = Config.model_fields[name.lower()].default
        assert said == ("off" if default is False else str(default)), name


def test_every_table_about_people_is_named() -> None:
    with sqlite3.connect(":memory:") as database:
        for script in sorted((ROOT / "migrations").iterdir()):
            database.executescript(script.read_text("utf-8"))
        names = [row[0] for row in database.execute("SELECT name FROM pragma_table_list")]
        personal = {
            name
            for name in names
            if not name.startswith("sqlite_")
            and OF_PEOPLE & {row[1] for row in database.execute(f"PRAGMA table_info({name})")}
        }
    named = set(re.findall(r"`(\w+)`", table(PRIVACY, "What is stored")))
    assert personal - named == set()
    assert len(personal) > 15


def test_the_projects_address_stands_in_one_place() -> None:
    """Empty until its owner fills it in. No page, message or unit has another."""
    (address,) = PROJECT["urls"].values()
    pages = [
        *ROOT.glob("*.md"),
        *(ROOT / name for name in (".env.example", "compose.yaml", "Dockerfile", "Procfile")),
        *(ROOT / "docs").rglob("*.md"),
        *(one for one in (ROOT / "deploy").iterdir() if one.is_file()),
        *(ROOT / "bot").rglob("*.py"),
        *(ROOT / "bot").rglob("*.po"),
        *(ROOT / "bot").rglob("*.html"),
    ]
    others = {
        f"{page.relative_to(ROOT)}: {found}"
        for page in pages
        for found in REPOSITORY.findall(page.read_text("utf-8"))
        if not (address and found.startswith(address)) and not found.startswith(OF_OTHERS)
    }
    assert others == set()


def test_a_clone_is_made_from_the_address_alone() -> None:
    (address,) = PROJECT["urls"].values()
    lines = [
        line
        for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        for line in page.read_text("utf-8").splitlines()
        if "git clone" in line
    ]
    assert lines
    assert all(re.search(rf"git clone ({re.escape(address or 'ADDRESS')})\s", one) for one in lines)
    assert address or "ADDRESS stands for the address you cloned from" in HOSTING
