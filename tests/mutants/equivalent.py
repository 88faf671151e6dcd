"""Faults that no test can notice, or that none is meant to, each with its reason."""

from dataclasses import dataclass

from tests.mutants.faults import Fault


@dataclass(frozen=True, slots=True)
class Listed:
    """A fault by the words of its line, so that it is found wherever the line moves."""

    path: str
    function: str
    text: str
    change: str
    why: str

    def is_of(self, fault: Fault) -> bool:
        """The same place and the same change."""
        return (self.path, self.function, self.text, self.change) == (
            fault.path,
            fault.function,
            fault.text,
            fault.change,
        )


LISTED: tuple[Listed, ...] = (
    Listed(
        "bot/games/dice/__init__.py",
        "_own_dice",
        'share = Text("rules.of_players", (("n", counts[0]), ("players", len(counts))))',
        "0 becomes 1",
        "They are all the same, and nobody plays alone.",
    ),
    Listed(
        "bot/games/ligretto/rules.py",
        "_lay",
        "card, column = move.card, own.row[move.column : move.column + 1]",
        "1 becomes 2",
        "A slice of at most one column: only its first is read.",
    ),
    Listed(
        "bot/games/ligretto/rules.py",
        "_lay",
        "covered = Icon(str(column[0][-1]))",
        "0 becomes -1",
        "In a slice of one column the first is the last.",
    ),
    Listed(
        "bot/games/ligretto/rules.py",
        "_lay",
        "if not column or not takes(column[0], card, expert=state.expert):",
        "0 becomes -1",
        "In a slice of one column the first is the last.",
    ),
    Listed(
        "bot/tables/state/session.py",
        "Session",
        "counts: bool = False",
        "False becomes True",
        "The end of a match sets it, and nobody asks before.",
    ),
    Listed(
        "bot/tables/decisions/timeouts.py",
        "_idle",
        "return idle.get(user, 0.0) if user is not None else 0.0",
        "0.0 doubled",
        "A second is as little as none: only 90 of them are looked at.",
    ),
    Listed(
        "bot/tables/decisions/timeouts.py",
        "_idle",
        "return idle.get(user, 0.0) if user is not None else 0.0",
        "0.0 doubled (2)",
        "A second is as little as none: only 90 of them are looked at.",
    ),
    Listed(
        "bot/tables/presses/claims.py",
        "Claims._shown",
        "break  # delivered after the press: it can't have been seen",
        "break becomes continue",
        "Deliveries are in the order of their times: all later ones are passed over too.",
    ),
    Listed(
        "bot/tables/state/session.py",
        "Session.leaders",
        "best = max((self.totals[seat] for seat in seats), default=0)",
        "0 becomes 1",
        "Without seats nobody leads, whatever the best would be.",
    ),
    Listed(
        "bot/tables/presses/lost_races.py",
        "",
        "NOTED = 300",
        "300 becomes 301",
        "It bounds what a log keeps: one more does no harm.",
    ),
    Listed(
        "bot/tables/views/still_left.py",
        "",
        "KEPT = 4096",
        "4096 becomes 4097",
        "The size of a cache changes nothing that is shown.",
    ),
    Listed(
        "bot/tables/running/redraw.py",
        "Redraw.touch",
        "self._turn += 1",
        "1 becomes 2",
        "Turns are only told apart.",
    ),
    Listed(
        "bot/tables/running/robots.py",
        "",
        '"medium": Skill(pace=1.8, attention=0.7, foresight=0.15),',
        "0.15 doubled",
        "A level's strength is measured by duels (docs/levels.md), too long for the fast tests.",
    ),
)
