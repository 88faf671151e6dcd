"""Permissions, by the names that discord.py gives them."""

from collections.abc import Mapping

BITS: Mapping[str, int] = {
    "administrator": 1 << 3,
    "manage_channels": 1 << 4,
    "manage_guild": 1 << 5,
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
    "pin_messages": 1 << 51,
}
EVERYTHING = (1 << 52) - 1


def permissions(*names: str) -> int:
    """Return the bits of these permissions."""
    return sum(BITS[name] for name in names)


ADMINISTRATOR = permissions("administrator")
EVERYONE = permissions(
    "add_reactions",
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "use_external_emojis",
    "use_application_commands",
    "create_public_threads",
    "send_messages_in_threads",
)
"""Permissions of every member of a new guild."""
