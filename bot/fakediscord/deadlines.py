"""Counting interactions that a connected bot did not answer in time."""

import time

from bot.fakediscord.model.interactions import Interaction


class Deadlines:
    """A count of interactions, each once: refused for its deadline, or left unanswered.

    Those whose connection breaks before the deadline count only if an answer is refused. A
    connection is any object by which the gateway tells one from another.
    """

    def __init__(self) -> None:
        self._late = 0
        self._awaited: dict[Interaction, object] = {}  # delivered, not answered, not yet counted

    def delivered(self, interaction: Interaction, connection: object) -> None:
        if not interaction.ok and not interaction.late:
            self._awaited[interaction] = connection

    def answered(self, interaction: Interaction) -> None:
        self._awaited.pop(interaction, None)

    def missed(self, interaction: Interaction) -> None:
        self._awaited.pop(interaction, None)
        if not interaction.late:
            interaction.late = True
            self._late += 1

    def disconnected(self, connection: object) -> None:
        self._count_overdue()
        self._awaited = {
            interaction: via for interaction, via in self._awaited.items() if via is not connection
        }

    @property
    def late(self) -> int:
        """Interactions that were not answered by their deadline."""
        self._count_overdue()
        return self._late

    def _count_overdue(self) -> None:
        now = time.perf_counter()
        for interaction in list(self._awaited):
            if now - interaction.created > interaction.deadline:
                self.missed(interaction)
