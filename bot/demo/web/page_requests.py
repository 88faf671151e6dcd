"""The requests a page may send. Anything else is refused before it reaches the stand-in."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

Id: TypeAlias = Annotated[str, Field(pattern=r"^[0-9]{1,20}$")]
CustomId: TypeAlias = Annotated[str, Field(min_length=1, max_length=100)]
MOST = 20_000
"""The most bytes in a frame from a page."""


class Numbered(BaseModel):
    """A request with the page's own number `n`, which the answer repeats."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    n: Annotated[int, Field(ge=0, lt=2**53)]


class Press(Numbered):
    do: Literal["press"]
    message: Id
    id: CustomId


class Choose(Numbered):
    do: Literal["choose"]
    message: Id
    id: CustomId
    values: Annotated[list[CustomId], Field(max_length=25)]


class Fill(Numbered):
    """Send in the form that was opened last: by field, what was chosen or ticked."""

    do: Literal["fill"]
    values: Annotated[dict[CustomId, list[CustomId]], Field(max_length=5)]


class Write(Numbered):
    do: Literal["write"]
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class Suggest(Numbered):
    """Ask for values of the option that a line ends with."""

    do: Literal["suggest"]
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class Apps(Numbered):
    """Choose a command in the menu of a person."""

    do: Literal["apps"]
    command: CustomId
    person: Id


class Dismiss(Numbered):
    do: Literal["dismiss"]
    message: Id


class Play(Numbered):
    """Start a match against two robots."""

    do: Literal["play"]
    game: Literal["ligretto", "dice"]


class Speak(Numbered):
    """Let the server and everybody in it use a language."""

    do: Literal["speak"]
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")]


class Restart(Numbered):
    do: Literal["restart"]


PageRequest: TypeAlias = (
    Press | Choose | Fill | Write | Suggest | Apps | Dismiss | Play | Speak | Restart
)
_requests: TypeAdapter[PageRequest] = TypeAdapter(Annotated[PageRequest, Field(discriminator="do")])


def parse(frame: str) -> PageRequest | None:
    """Parse a frame. Returns None if it is not a valid request."""
    try:
        return _requests.validate_json(frame)
    except ValidationError:
        return None
