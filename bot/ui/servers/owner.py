"""The owner of the application, as Discord named them at the login."""

import discord


def owner_of(client: discord.Client) -> int | None:
    """Return the user id of the application's owner, of a team its owner's; None if not known.

    A team's application names a user that stands for the team, whom nobody can write to.
    """
    application = client.application
    if application is None:
        return None
    return application.owner.id if application.team is None else application.team.owner_id
