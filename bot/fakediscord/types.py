"""Aliases for payloads."""

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"""One object of a payload."""
