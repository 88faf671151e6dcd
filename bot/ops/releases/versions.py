"""Versions of releases, and what a server says of the newest."""

import json
import re
from typing import TypeAlias

LONGEST = 40
"""Characters of a version. Anything longer is none."""
_RELEASE = re.compile(r"v?(\d+(?:\.\d+)*)", re.ASCII | re.IGNORECASE)

_Key: TypeAlias = tuple[tuple[int, ...], bool]


class UnreadableError(ValueError):
    """The answer of a server that names no release."""


def newest_named(content: bytes) -> str:
    """Return the newest release that an answer in GitHub's format names: one object, or a list.

    Drafts and pre-releases are left out. Raises UnreadableError if none is left.
    """
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableError("the answer is not JSON") from None
    named = [_version(one) for one in (told if isinstance(told, list) else [told])]
    if not (releases := [one for one in named if one is not None]):
        raise UnreadableError("the answer names no release")
    return max(releases, key=_key)


def is_newer(release: str, own: str) -> bool:
    """Return whether a release is newer than a version. A pre-release is older than its release."""
    return _key(release) > _key(own)


def _version(told: object) -> str | None:
    if not isinstance(told, dict) or told.get("draft") or told.get("prerelease"):
        return None
    tag = told.get("tag_name")
    if not isinstance(tag, str) or len(tag) > LONGEST:
        return None
    found = _RELEASE.fullmatch(tag.strip())
    return None if found is None else found[1]


def _key(version: str) -> _Key:
    found = _RELEASE.match(version)
    numbers = [int(one) for one in found[1].split(".")] if found is not None else []
    while numbers and not numbers[-1]:
        numbers.pop()  # 1.0 is 1
    return tuple(numbers), found is not None and found[0] == version
