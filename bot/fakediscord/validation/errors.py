"""Refusals in the shapes that Discord gives them."""

from collections.abc import Mapping

from bot.fakediscord.types import Json

INVALID_FORM = 50035
MESSAGES: Mapping[int, str] = {
    10003: "Unknown Channel",
    10004: "Unknown Guild",
    10007: "Unknown Member",
    10008: "Unknown Message",
    10013: "Unknown User",
    10014: "Unknown Emoji",
    10015: "Unknown Webhook",
    10062: "Unknown interaction",
    10063: "Unknown application command",
    30003: "Maximum number of pins reached (250)",
    30008: "Maximum number of emojis reached",
    40005: "Request entity too large",
    40060: "Interaction has already been acknowledged.",
    50001: "Missing Access",
    50005: "Cannot edit a message authored by another user",
    50006: "Cannot send an empty message",
    50007: "Cannot send messages to this user",
    50008: "Cannot send messages in a non-text channel",
    50013: "Missing Permissions",
    50024: "Cannot execute action on this channel type",
    50027: "Invalid Webhook Token",
    50035: "Invalid Form Body",
    50083: "Thread is archived",
    160004: "A thread has already been created for this message",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
}
STATUS: Mapping[int, int] = {
    40060: 400,
    50006: 400,
    50008: 400,
    50024: 400,
    50035: 400,
    50027: 401,
    40005: 413,
    50083: 400,
    160004: 400,
    30003: 400,
    30008: 400,
    30046: 429,
    50001: 403,
    50005: 403,
    50007: 403,
    50013: 403,
}
"""HTTP statuses of codes that do not mean 404."""


class ApiError(Exception):
    """An answer other than the one asked for: HTTP `status`, `headers` and `body`.

    A body that is text instead of JSON stands for an answer of something in front of Discord.
    """

    def __init__(
        self,
        code: int = 0,
        status: int | None = None,
        message: str | None = None,
        *,
        errors: Json | None = None,
        headers: Mapping[str, str] | None = None,
        body: Json | str | None = None,
    ) -> None:
        self.code = code
        self.status = status or STATUS.get(code, 404)
        self.headers = headers or {}
        if body is None:
            body = {"message": message or MESSAGES.get(code, f"{self.status}: Error"), "code": code}
            if errors:
                body["errors"] = errors
        self.body: Json | str = body
        super().__init__(f"{self.status} {self.body}")


class Form:
    """The errors of a form's fields. `check` raises all of them as one `ApiError`."""

    def __init__(self) -> None:
        self.errors: Json = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Note an error. `path`: keys and indices joined by dots."""
        node = self.errors
        for part in filter(None, path.split(".")):
            node = node.setdefault(part, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def require(self, path: str) -> None:
        """Note that a field is missing."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def length(self, path: str, value: object, low: int, high: int) -> None:
        """Require a string of `low` to `high` characters."""
        if not isinstance(value, str):
            self.require(path)
        elif len(value) > high and not low:
            self.most(path, high)
        else:
            self.between(path, len(value), low, high)

    def most(self, path: str, high: int) -> None:
        """Note that there are more than `high`."""
        self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {high} or fewer in length.")

    def between(self, path: str, count: int, low: int, high: int) -> None:
        """Require `low` to `high` of something of which there are `count`."""
        if not low <= count <= high:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    def check(self) -> None:
        if self.errors:
            raise ApiError(INVALID_FORM, errors=self.errors)
