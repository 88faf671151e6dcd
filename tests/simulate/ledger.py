"""What must be true of the written record after an evening: the journal, results and ratings."""

import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import isclose
from operator import itemgetter
from typing import Any

from bot.verify.referee import Referee
from tests.simulate.loop import BEGINNING
from tests.simulate.process import Log
from tests.simulate.rating import Skill, agreed, follow
from tests.simulate.standing import is_uneven, standing
from tests.simulate.witness import Press, Witness

FOLLOW = "ratings follow from the results"
COUNTS = "a match counts as its journal says"
LONGEST_WAY = 2.0
"""Seconds from a press's arrival after which no group takes it any more."""
NOTE_LOST = "note not written"
"""What the log says of a refusal that a sick disk did not take: a game goes on without it."""


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as it was written, and the press that led to it. `at`: Unix ms; `lived`: ms."""

    seq: int
    kind: str
    body: Any
    interaction: int | None
    at: int
    lived: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """Reads the file and notes each broken promise with the witness. `way`: by which connection a
    press came, where a table's presses come by several.
    """

    witness: Witness
    log: Log
    way: Callable[[Press], object] = lambda _: None

    def check(self) -> int:
        """How many matches have a log. What is broken stands with the witness."""
        kept = self._kept()
        self._journal_is_whole(kept)
        self._accepted_is_kept(kept)
        self._shown_is_kept(kept)
        self._lives_are_true(kept)
        self._arrival_decides(kept)
        self._ratings_follow(kept)
        self._standings_follow(kept)
        return self._results_are_right()

    def broken(self, promise: str, told: str) -> None:
        self.witness.broken(promise, told)

    def _kept(self) -> dict[int, list[Line]]:
        """By table, in the order of writing."""
        tables: dict[int, list[Line]] = defaultdict(list)
        rows = self.witness.query(
            "SELECT table_id, seq, kind, body, interaction, at, lived FROM kept ORDER BY number"
        )
        for table, seq, kind, body, *rest in rows:
            tables[table].append(Line(seq, kind, json.loads(body), *rest))
        return tables

    # -- the journal ------------------------------------------------------------------------

    def _journal_is_whole(self, kept: dict[int, list[Line]]) -> None:
        """A table's entries follow each other, and no press counts twice."""
        seen: set[int] = set()
        missing = 0
        for table, lines in kept.items():
            numbers = [line.seq for line in lines]
            if any(first >= second for first, second in pairwise(numbers)):
                self.broken("the journal is in order", f"table {table}: {numbers}")
            missing += numbers[-1] - numbers[0] + 1 - len(numbers)
            for line in lines:
                if line.interaction in seen:
                    self.broken("a press counts once", f"{line.interaction}")
                if line.interaction is not None:
                    seen.add(line.interaction)

        lost = sum(one.text.startswith(NOTE_LOST) for one in self.log.lines)
        if missing > lost:
            self.broken(
                "the journal is in order", f"{missing} entries are missing, {lost} were lost"
            )

    def _accepted_is_kept(self, kept: dict[int, list[Line]]) -> None:
        """No kill takes an answered move away; a power cut may take those before it."""
        written = {line.interaction for lines in kept.values() for line in lines}
        for press in self.witness.presses:
            is_kept = press.record.id in written or self.witness.may_be_lost(press)
            if press.accepted and not is_kept:
                self.broken("an answered move stays in the journal", f"{press.record}")

    def _shown_is_kept(self, kept: dict[int, list[Line]]) -> None:
        """Nothing takes a result away that somebody was shown."""
        for shown in self.witness.results:
            lost = shown.lines.difference((line.seq, line.at) for line in kept[shown.table])
            if lost:
                self.broken("a result that was shown is kept", f"table {shown.table}: {lost}")

    def _lives_are_true(self, kept: dict[int, list[Line]]) -> None:
        """What is measured at a table never goes back, and is no longer than it can have been,
        whatever the machine's clock was set to.
        """
        evening = (self.witness.now() - BEGINNING) * 1000
        for table, lines in kept.items():
            lives = [line.lived for line in lines]
            if any(first > second for first, second in pairwise(lives)) or lives[-1] > evening:
                self.broken("no time comes from the wall clock", f"table {table}: {lives[-5:]}")

    def _arrival_decides(self, kept: dict[int, list[Line]]) -> None:
        """At each table presses were accepted in the order in which they arrived."""
        presses = {press.record.id: press for press in self.witness.presses}
        for table, lines in kept.items():
            arrived = [presses[i] for line in lines if (i := line.interaction) in presses if i]
            for way in {self.way(press): None for press in arrived}:
                orders = [press.order for press in arrived if self.way(press) == way]
                for first, second in pairwise(orders):
                    if first > second:
                        told = f"table {table}: press {first} before press {second}"
                        self.broken("arrival decides", told)
            if len({self.way(press) for press in arrived}) > 1:
                self._no_way_is_slow(table, arrived)

    def _no_way_is_slow(self, table: int, accepted: list[Press]) -> None:
        """A press that came a longer way was accepted before all that arrived much later."""
        for place, press in enumerate(accepted):
            later = accepted[place + 1 :]
            late = [one for one in later if (one.arrived or 0) + LONGEST_WAY < (press.arrived or 0)]
            for one in late:
                told = f"table {table}: press {press.order} before press {one.order}"
                self.broken("no way to a table takes long", told)

    # -- results and ratings ----------------------------------------------------------------

    def _results_are_right(self) -> int:
        """Each match that ended is stored once, as an independent referee counts it."""
        query = "SELECT table_id FROM kept WHERE kind = 'MatchEnded'"
        ended = [int(row[0]) for row in self.witness.query(query)]
        stored = [int(row[0]) for row in self.witness.query("SELECT table_id FROM matches")]
        for table in stored:
            if ended.count(table) != 1 or stored.count(table) != 1:
                self.broken("no match is counted twice", f"table {table}: {ended}, {stored}")
        logs = self.witness.query("SELECT match_id, log FROM logs")
        for match, packed in logs:
            seats = self.witness.query(
                "SELECT points, player IS NULL FROM seats WHERE match_id = ? ORDER BY seat", match
            )
            try:
                referee = Referee(zlib.decompress(packed).decode()).check()
            except Exception as error:
                self.broken("the referee agrees with every log", f"match {match}: {error!r}")
                continue
            self._seed_was_seen(match, referee)
            if referee.totals != [row[0] for row in seats]:
                self.broken("the referee agrees with every log", f"match {match}: {seats}")
            computers = [seat for seat, (_, computer) in enumerate(seats) if computer]
            if referee.start["computers"] != computers:
                self.broken("a log tells its computers", f"match {match}: {seats}")
            self._duels_are_right(match, referee)
        return len(logs)

    def _seed_was_seen(self, match: int, referee: Referee) -> None:
        """The ids that are in a seed are those of a message that everybody could see."""
        for one in (referee.start.get("public", ""), *referee.start.get("reposted", ())):
            if one not in self.witness.posted:
                self.broken("everyone saw what made the seed", f"match {match}: {one}")
        if "public" in referee.start and not referee.start.get("postings"):
            self.broken("everyone saw what made the seed", f"match {match}: nothing was posted")

    def _duels_are_right(self, match: int, referee: Referee) -> None:
        rounds = self.witness.query(
            "SELECT duels FROM rounds WHERE match_id = ? ORDER BY round", match
        )
        stored = [[tuple(duel) for duel in json.loads(one)] for (one,) in rounds]
        if stored != referee.duels:
            self.broken("the referee agrees with every duel", f"match {match}: {stored}")

    def _ratings_follow(self, kept: dict[int, list[Line]]) -> None:
        """Every rated round has moved its players' ratings once, as its points say."""
        rows = self.witness.query(
            "SELECT m.id, m.table_id, m.game, m.options,"
            " (SELECT count(*) FROM seats WHERE match_id = m.id),"
            " s.seat, s.player, s.mu, s.sigma FROM matches m JOIN seats s ON s.match_id = m.id"
            " WHERE s.player IS NOT NULL ORDER BY m.id, s.seat"
        )
        now: defaultdict[str, dict[int, Skill]] = defaultdict(dict)
        by_match = groupby(rows, key=itemgetter(0, 1, 2, 3, 4))
        for (match, table, game, options, size), group in by_match:
            seats = [one[5:] for one in group]
            lines = [(line.kind, line.body) for line in kept[table]]
            players = {seat: player for seat, player, *_ in seats}
            chosen = json.loads(options)
            length = 0 if is_uneven(chosen, size) else agreed(chosen)
            there = follow(game, players, length, lines, now[game])
            for _, player, *stored in seats:
                wanted = now[game][player] if player in there else (None, None)
                if not _alike(stored, wanted):
                    self.broken(FOLLOW, f"match {match}: player {player}: {stored}, not {wanted}")
        for player, game, *stored in self.witness.query(
            "SELECT player, game, mu, sigma FROM ratings"
        ):
            if not _alike(stored, now[game].get(player, ())):
                self.broken(FOLLOW, f"player {player}: {stored}")

    def _standings_follow(self, kept: dict[int, list[Line]]) -> None:
        """A match counts, is practice or is dropped, and has winners, as its journal says."""
        for match, table, game, options, stored in self.witness.query(
            "SELECT id, table_id, game, options, standing FROM matches"
        ):
            seats = self.witness.query(
                "SELECT player, rated, won, gone FROM seats WHERE match_id = ? ORDER BY seat", match
            )
            numbers = [line.seq for line in kept[table]]
            if numbers[-1] - numbers[0] + 1 > len(numbers):
                continue  # a refusal that was lost may have been the first press of a round
            people = [seat for seat, (player, *_) in enumerate(seats) if player is not None]
            lines = [(line.kind, line.body) for line in kept[table]]
            wanted = standing(game, json.loads(options), people, len(seats), lines)
            if stored != wanted:
                self.broken(COUNTS, f"match {match}: {stored}, not {wanted}")
            if {rated for _, rated, *_ in seats} != {wanted == "rated"}:
                self.broken(COUNTS, f"match {match}: {seats} on boards, {wanted}")
            if wanted == "rated" and any(won and gone for *_, won, gone in seats):
                stayed = [one for one in seats if not one[3]]
                if stayed:
                    self.broken(COUNTS, f"match {match}: a leaver has won: {seats}")


def _alike(found: Iterable[float | None], wanted: Iterable[float | None]) -> bool:
    found, wanted = list(found), list(wanted)
    return len(found) == len(wanted) and all(
        a == b if a is None or b is None else isclose(a, b)
        for a, b in zip(found, wanted, strict=True)
    )
