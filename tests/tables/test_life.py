"""Tables live through anything people, time and restarts can do to them, in any order."""

from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import HealthCheck, assume, settings
from hypothesis import Phase as Way
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.values import Refused, Seat
from bot.ids import ChannelId, MessageId, UserId
from bot.tables.decisions import decide as d
from bot.tables.presses.press import Press, Stale
from bot.tables.presses.replay_guard import REMEMBERED
from bot.tables.registry.outcome import Outcome
from bot.tables.running.table import Table
from bot.tables.state.actions import parse as action
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase, Session
from tests.tables.server import GUILDS, ServerTables, changed_by
from tests.tables.starting import publish

PEOPLE = [*map(UserId, range(1, 8))]
ATTENTIVE = Skill(pace=1, attention=0.9)

people = st.sampled_from(PEOPLE)
numbers = st.integers(0, 60)
plain_words = st.sampled_from(
    ("join", "leave", "start", "add", "remove", "options", "ready", "deal", "end", "rematch")
)
choices = st.builds(
    "set.{}={}".format,
    st.sampled_from(
        ("rounds", "target", "refill", "variant", "level", "place", "dice.0", "dice.9")
    ),
    st.sampled_from(("1", "2", "20", "25", "8", "hand", "expert", "hard", "thread", "x")),
)
releases = st.sampled_from(PEOPLE).map("release.{}".format)
cards = st.from_regex(r"[rygb](10|[1-9])(>[0-4]?)?", fullmatch=True)
dice = st.from_regex(r"[rygb][1-6]#[0-9]{1,2}|(roll|flip):[0-9]{1,3}", fullmatch=True)
anything = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
words = st.one_of(plain_words, plain_words, choices, releases, cards, dice, anything)


class AnyLife(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.life = ServerTables()
        self.last: tuple[Press, Table, int, str] | None = None

    def table(self, number: int) -> Table:
        tables = self.life.open_tables
        assume(tables)
        return tables[number % len(tables)]

    def in_phase(self, number: int, *phases: Phase) -> Table:
        tables = [one for one in self.life.open_tables if one.session.phase in phases]
        assume(tables)
        return tables[number % len(tables)]

    # -- people -----------------------------------------------------------------------------

    @initialize(
        games=st.lists(
            st.tuples(st.sampled_from(["ligretto", "dice"]), st.sampled_from([None, "expert"])),
            min_size=1,
            max_size=2,
        ),
        rounds=st.sampled_from(["1", "2", "3"]),
        computer=st.booleans(),
    )
    def an_evening_begins(
        self, games: list[tuple[str, str | None]], rounds: str, *, computer: bool
    ) -> None:
        """One or two tables of two or three people and perhaps a computer, in their first round."""
        for number, (game, variant) in enumerate(games):
            host, *friends = (UserId(3 * number + one) for one in range(1, 4 if number else 3))
            table = self.life.open(host, ChannelId(21 + number), game, variant).table
            assert table is not None
            for user in friends:
                self.press(user, table, 0, "join")
            for word in (f"set.rounds={rounds}", "add" if computer else "panel", "start"):
                self.press(host, table, 0, word)
            self.the_message_is_posted(number)
            self.get_ready(number, 3)
            self.count_down(number)

    @rule(
        user=people,
        channel=st.sampled_from(sorted(GUILDS)),
        game=st.sampled_from(["ligretto", "dice"]),
        variant=st.sampled_from([None, "expert"]),
    )
    def open(self, user: UserId, channel: ChannelId, game: str, variant: str | None) -> None:
        outcome = self.life.open(user, channel, game, variant)
        self.life.told(outcome.decision)

    @rule(number=numbers, friends=st.lists(people, min_size=1, max_size=4))
    def gather(self, number: int, friends: list[UserId]) -> None:
        """Friends join a lobby and its host starts."""
        table = self.in_phase(number, Phase.LOBBY)
        for user in friends:
            self.press(user, table, 0, "join")
        self.press(table.session.host, table, 0, "add" if number % 3 == 0 else "start")
        self.press(table.session.host, table, 0, "start")

    @rule(number=numbers)
    def the_message_is_posted(self, number: int) -> None:
        """Discord's answer comes whenever it likes; the match waits for it to be dealt."""
        table = self.in_phase(number, Phase.READY)
        self.life.run(publish(table, MessageId(1_500_000_000_000_000_000 + number)))

    @rule(number=numbers, count=st.integers(1, 4))
    def get_ready(self, number: int, count: int) -> None:
        table = self.in_phase(number, Phase.READY)
        for seat in table.session.awaited[:count]:
            user = table.session.chairs[seat].user
            assert user is not None
            self.press(user, table, table.session.round, "ready")

    @rule(number=numbers)
    def count_down(self, number: int) -> None:
        table = self.in_phase(number, Phase.COUNT)
        assert not isinstance(self.life.do(table, d.go_live), Refused)

    @rule(number=numbers, user=people, word=words, back=st.sampled_from([0, 0, 0, 1, -1]))
    def press_anything(self, number: int, user: UserId, word: str, back: int) -> None:
        table = self.table(number)
        self.press(user, table, max(0, table.session.round - back), word)

    @rule(number=numbers, which=numbers, user=people)
    def press_a_legal_move(self, number: int, which: int, user: UserId) -> None:
        table = self.in_phase(number, Phase.LIVE)
        session = table.session
        assume((seat := session.seat_of(user)) is not None and session.dealt_in(seat))
        assert seat is not None
        moves = list(session.game.moves(session.in_play, seat))
        assume(moves)
        self.press(user, table, session.round, str(moves[which % len(moves)]))

    @rule(
        number=numbers,
        presses=st.sampled_from([3, 30, 400, 2000]),
        seed=st.binary(min_size=32, max_size=32),
    )
    def play_on(self, number: int, presses: int, seed: bytes) -> None:
        """Everybody plays what he sees, computer players as well."""
        table = self.in_phase(number, Phase.LIVE)
        round_, luck = table.session.round, Chance(seed, 0, 0)
        for _ in range(presses):
            session = table.session
            if session.phase is not Phase.LIVE or session.round != round_:
                return
            seat = luck.pick([seat for seat in session.seats_in if session.dealt_in(seat)])
            self.life.clock._now += 0.3
            self.play(table, session, seat, luck)

    def play(self, table: Table, session: Session, seat: Seat, luck: Chance) -> None:
        move = session.game.choose(session.game.view(session.in_play, seat), ATTENTIVE, luck)
        user = session.chairs[seat].user
        if move is None:
            return
        if user is None:
            decision = self.life.get(lambda: table.move(seat, str(move), self.life.clock.now()))
            assert not isinstance(decision, Refused)
        else:
            self.press(user, table, session.round, str(move))

    @rule(number=numbers, presses=st.lists(st.tuples(people, words), min_size=2, max_size=6))
    def press_at_once(self, number: int, presses: list[tuple[UserId, str]]) -> None:
        table = self.table(number)
        round_ = table.session.round
        asked = [(self.life.press_of(user), table, round_, word) for user, word in presses]
        for outcome in self.life.at_once(asked):
            self.life.told(outcome.decision)

    @rule(first=people, second=people)
    def race_for_two_seats(self, first: UserId, second: UserId) -> None:
        """New lobbies, and two people who press Join at every table at the same instant."""
        for user, channel in zip(PEOPLE, sorted(GUILDS), strict=False):
            self.life.open(user, channel, "ligretto", None)
        asked = [
            (self.life.press_of(user), table, 0, "join")
            for user in (first, second)
            for table in self.life.open_tables
        ]
        for outcome in self.life.at_once(asked):
            self.life.told(outcome.decision)

    @precondition(lambda self: self.last is not None)
    @rule()
    def the_last_press_comes_again(self) -> None:
        assert self.last is not None
        press, table, round_, word = self.last
        before, again = table.session, replace(press, arrived=self.life.clock.now())
        outcome = self.life.press(again, table, round_, word)
        is_late = again.arrived - press.arrived > REMEMBERED
        assert outcome.refused == Refused(Stale.SEEN) or (
            is_late and outcome.refused == Refused(Stale.TOO_OLD)
        )
        assert table.session == before

    @rule(number=st.integers(90, 99), user=people, word=words)
    def press_where_no_table_is(self, number: int, user: UserId, word: str) -> None:
        press = self.life.press_of(user)
        outcome = self.life.get(
            lambda: self.life.tables.press(TableId(number * 1000), 0, action(word), press)
        )
        assert isinstance(outcome.decision, Refused)
        self.life.told(outcome.decision)

    # -- time, and the machine --------------------------------------------------------------

    @rule(seconds=st.sampled_from([0.4, 3.0, 31.0, 61.0, 200.0, 620.0, 2000.0]))
    def time_passes(self, seconds: float) -> None:
        self.life.pass_time(seconds)
        self.life.run(self.life.tables.tick())

    @rule()
    def the_process_ends_and_starts(self) -> None:
        self.life.restart()
        self.last = None

    @rule(number=numbers, seed=st.binary(min_size=32, max_size=32))
    def a_round_goes_on_after_a_restart(self, number: int, seed: bytes) -> None:
        self.in_phase(number, Phase.LIVE)
        self.the_process_ends_and_starts()
        self.get_ready(number, 4)
        self.count_down(number)
        self.play_on(number, 30, seed)

    @rule(number=numbers, thread=st.integers(1000, 10**6))
    def a_thread_is_made(self, number: int, thread: ChannelId) -> None:
        table = self.in_phase(number, Phase.LOBBY, Phase.READY, Phase.LIVE)
        assume(self.life.tables.index.at(thread) is None)
        parent = table.session.channel
        self.life.do(table, partial(d.move_to_channel, channel=thread, parent=parent))

    @rule(number=st.integers(0, 1000))
    def a_moderator_closes(self, number: int) -> None:
        assume(number < 200)
        self.life.run(self.life.tables.close(self.table(number), "table.closed.moderator"))

    # -- always -----------------------------------------------------------------------------

    def press(self, user: UserId, table: Table, round_: int, word: str) -> Outcome:
        before, press = table.session, self.life.press_of(user)
        outcome = self.life.press(press, table, round_, word)
        self.life.told(outcome.decision)
        if outcome.refused is not None:
            assert not changed_by(before, table.session), "a refused press changes nothing"
        elif before.seat_of(user) is None and word not in ("join", "rematch"):
            raise AssertionError(f"a stranger's {word} was taken")
        self.last = (press, table, round_, word)
        return outcome

    @invariant()
    def everybody_sits_once(self) -> None:
        self.life.everybody_sits_once()

    @invariant()
    def nothing_is_lost(self) -> None:
        self.life.nothing_is_lost()

    @invariant()
    def points_add_up(self) -> None:
        self.life.points_add_up()

    @invariant()
    def the_journal_tells_the_same(self) -> None:
        self.life.the_journal_tells_the_same()

    def teardown(self) -> None:
        self.life.close()


AnyLife.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=50,
    deadline=None,
    phases=(Way.explicit, Way.reuse, Way.generate),
    suppress_health_check=list(HealthCheck),
)
TestAnyLife: Any = AnyLife.TestCase


def test_a_press_that_comes_again_long_after_is_too_old() -> None:
    """What was pressed is forgotten by then, and the table as well."""
    life = ServerTables()
    table = life.open(UserId(1), ChannelId(21), "ligretto", None).table
    assert table is not None
    join = life.press_of(UserId(2))
    assert life.press(join, table, 0, "join").refused is None
    for _ in range(4):
        life.pass_time(REMEMBERED)
        life.run(life.tables.tick())
        life.open(UserId(3), ChannelId(22), "ligretto", None)
    assert life.tables.index.get(table.id) is None
    again = replace(join, arrived=life.clock.now())
    assert life.press(again, table, 0, "join").refused == Refused(Stale.TOO_OLD)
    life.close()
