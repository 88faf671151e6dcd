"""What an installation may be made of: no library below the version that mends a known fault."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
MENDED = {
    "aiohttp": "3.14.5",
    "pillow": "13",
    "orjson": "3.11.6",
    "brotli": "1.2.1",
    "pydantic-settings": "2.14.2",
}
"""By library, the first version without the faults that docs/hosting.md lists."""


def needed() -> dict[str, Requirement]:
    """What an installation of one process or of several needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = project["optional-dependencies"]["groups"]
    return {one.name.lower(): one for one in map(Requirement, project["dependencies"] + groups)}


def pinned() -> dict[str, Version]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pairs = (line.split("==") for line in lines if not line.startswith("#"))
    return {name.lower(): Version(version) for name, version in pairs}


@pytest.mark.parametrize(("library", "mended"), MENDED.items())
def test_no_version_with_a_known_fault_will_do(library: str, mended: str) -> None:
    least = [Version(one.version) for one in needed()[library].specifier if one.operator == ">="]
    assert least
    assert least[0] >= Version(mended)
    assert f"{mended} |" in (ROOT / "docs" / "hosting.md").read_text()


def test_one_process_needs_no_client_of_valkey() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not [one for one in project["dependencies"] if one.startswith("redis")]
    assert project["optional-dependencies"]["groups"][0] in project["optional-dependencies"]["test"]


def test_the_tests_ran_with_versions_that_will_do() -> None:
    versions = pinned()
    others = {
        name: str(versions.get(name))
        for name, one in needed().items()
        if name != "uvloop" and not one.specifier.contains(versions[name])
    }
    assert others == {}
