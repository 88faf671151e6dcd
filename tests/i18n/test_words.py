"""Every key that the code says has words, every word is said, and every gap is filled."""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message

from bot.daily.result import Quarter
from bot.daily.round import DailyRefusal
from bot.games import GAMES
from bot.games.dice import handicap
from bot.games.dice import rules as dice_rules
from bot.games.ligretto import rules
from bot.games.ligretto.model import Colour, deck
from bot.games.values import Reason, Refused, Seat
from bot.i18n import FALLBACK, FOLDER, Plain, catalogues, language, languages, read, say
from bot.ids import ChannelId, MessageId, UserId
from bot.records.badges.badges import Badge
from bot.records.feat_models import Feat
from bot.records.feats import variants
from bot.records.models import Order
from bot.records.periods import Period
from bot.screen import Block, Screen
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby as in_lobby
from bot.tables.decisions import votes
from bot.tables.decisions.decide import Decision
from bot.tables.decisions.option_lists import MORE, SWITCHES, lists_of
from bot.tables.decisions.rated_or_practice import Unranked
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses import router
from bot.tables.presses.press import Stale
from bot.tables.state import events as e
from bot.tables.state import options as choices
from bot.tables.state.evolve import apply
from bot.tables.state.session import Phase, Session
from bot.tables.views.results.standings import described, is_scored
from bot.text import BARE, SILENT, Icon, Joined, Name, Text, bare
from bot.ui.commands.rules import command as rulebook
from bot.ui.commands.settings_posts import SWITCH
from bot.ui.live_check.probes import ProbeKind
from bot.ui.people.everywhere import Why
from bot.ui.records.fairness import over, promised
from bot.ui.records.match_choices import no_match
from bot.ui.render.marks import SIGNS, Reader, Words
from bot.ui.toolkit.invitation import invite
from tests.games.ligretto import lesson
from tests.games.states import dice_state, ligretto_state, seat_cards
from tests.i18n import managed, rules_pages
from tests.ui.matches import (
    HOST,
    PEOPLE,
    accepted,
    after,
    after_moves,
    live,
    lobby,
    moments,
    round_over,
    screens,
    started,
    unpublished,
    user,
)
from tests.ui.records import rated, record_screens

BOT = Path(__file__).parents[2] / "bot"
KEY = re.compile(r"[a-z]+(\.[a-z0-9_]+)+")
FAMILY = re.compile(r"([a-z_]+|\{\})(\.([a-z_]+|\{\}))+")
NO_KEYS = {
    *("journal.interaction", "p.wins", "p.points", "r.shown", "bench.sqlite3"),
    *("moving.gif", "bot.watch", "page.html"),
    *("ligretto.sqlite3", "pyproject.toml", "settings.env", "ligretto.service", "constraints.txt"),
    *(
        "set.{}",
        "set.{}.{}",
        "release.{}",
        "{}.{}",
        "{}.d",
        "leave.yes",
        "leave.no",
        "end.yes",
        "end.no",
        "form.send",
        "stop.yes",
        "stop.no",
    ),
}
"""What looks like a key: columns, files, an option of a seat, words of lists and buttons."""
WHYS: tuple[type[StrEnum], ...] = (
    TableRefusal,
    router.PressRefusal,
    Stale,
    rules.MoveRefusal,
    dice_rules.MoveRefusal,
    handicap.ShareRefusal,
    DailyRefusal,
)
STRANGER = UserId(5)
COMMANDS = (
    *GAMES,
    *("rules", "learn", "daily", "help", "leaderboard", "records", "stats", "history", "replay"),
    *managed.COMMANDS,
)
"""Commands, those below them, and two options, each with a description of its own."""
KINDS = (*rules.REFILL.values, "expert")
"""The kinds of rules that a table of cards can have."""
OPTIONS_OF_COMMANDS = ("settings_zone", "moderate_match")
MENUS = ("menu_stats",)
OPTION_NAMES = (
    "game",
    "period",
    "order",
    "member",
    "match",
    "time_zone",
    "season",
    "minutes",
    "seats",
)


def families() -> dict[str, set[str]]:
    """The keys that are put together while the bot runs, by the pattern that the code has."""
    colours = [colour.value for colour in Colour]
    return {
        "game.{}": {f"game.{game}" for game in GAMES},
        "command.{}": {f"command.{name}" for name in COMMANDS},
        "name.{}": {f"name.{name}" for name in COMMANDS if name not in OPTIONS_OF_COMMANDS}
        | {f"name.{name}" for name in MENUS},
        "option_name.{}": {f"option_name.{name}" for name in OPTION_NAMES},
        "{}.rules.leave": {f"{game}.rules.leave" for game in GAMES},
        "rules.win.{}": {"rules.win.arena", "rules.win.daily"},
        "ligretto.rules.{}": {f"ligretto.rules.{kind}" for kind in KINDS},
        "ligretto.rules.gap.{}": {f"ligretto.rules.gap.{kind}" for kind in KINDS},
        "help.{}": {f"help.{part}" for part in rulebook.HELP},
        "{}.left": {f"{game}.left" for game in GAMES},
        "{}.own_left": {f"{game}.own_left" for game in GAMES},
        "{}.mine": {f"{game}.mine" for game in GAMES},
        "{}.pace": {f"{game}.pace" for game in GAMES},
        "{}.hint": {f"{game}.hint" for game in GAMES},
        "{}.stop": {f"{game}.stop" for game in GAMES},
        "{}.stop_you": {f"{game}.stop_you" for game in GAMES},
        "daily.quarter.{}": {f"daily.quarter.{one.name.lower()}" for one in Quarter},
        "{}.of_yesterday": {f"{game}.of_yesterday" for game in GAMES},
        "letter.{}": {f"letter.{colour}" for colour in colours},
        "colour.{}": {f"colour.{colour}" for colour in colours},
        "{}.opening": {f"{game}.opening" for game in GAMES},
        "{}.plainly": {key for key in messages() if is_plain(key)},
        "icon.{}": {key for key in messages() if key.startswith("icon.")},
        "option.{}": {f"option.{key}" for key, value in options() if counted(value)},
        "option.{}.{}": {f"option.{k}.{value}" for k, value in options() if not counted(value)},
        "options.{}": {f"options.{key}" for key in fields_of_forms()},
        "level.{}": {f"level.{level}" for level in choices.LEVEL.values},
        "score.{}": {f"score.{reason}" for reason in Reason if not reason.is_stop},
        "live.what.{}": {f"live.what.{what}" for what in ProbeKind},
        "privacy.export_{}": {f"privacy.export_{why.value}" for why in (Why.AWAY, Why.LARGE)},
        "privacy.left_{}": {
            f"privacy.left_{why.value}" for why in (Why.AWAY, Why.PLAYING, Why.NEWER)
        },
        "period.{}": {f"period.{one}" for one in Period},
        "order.{}": {f"order.{one}" for one in Order},
        "settings.switch.{}": {f"settings.switch.{one}" for one in SWITCH},
        "unranked.{}": {f"unranked.{why}" for why in Unranked},
        "records.{}": {f"records.{feat}" for feat in Feat},
        "highlight.{}": {f"highlight.{feat}" for feat in Feat},
        "variant.{}": {f"variant.{one}" for game in GAMES for one in variants(game) if one},
        "badge.{}": {f"badge.{badge}" for badge in Badge},
        "badge.{}.why": {f"badge.{badge}.why" for badge in Badge},
        "permission.{}": {
            f"permission.{name}"
            for name in (
                "view_channel",
                "send_messages",
                "send_messages_in_threads",
                "create_public_threads",
                *managed.PERMISSIONS,
            )
        },
    }


def counted(value: str) -> bool:
    """A number is said with its option; none at all has words of its own."""
    return value.isdigit() and value != "0"


def options() -> Iterator[tuple[str, str]]:
    for game in GAMES.values():
        for option in (*choices.all_of(game), *game.seat_options):
            yield from ((option.key, value) for value in option.values)


def fields_of_forms() -> set[str]:
    """The fields of the host's options, in every game."""
    keys = {one.key for game in GAMES.values() for one in lists_of(game, {})}
    return keys - {option.key for option in SWITCHES} | {MORE}


def faces() -> set[str]:
    """Cards and dice, said by the colour's letter and the number, and seats, by theirs."""
    return (
        {str(card) for card in deck()}
        | {f"s{seat}" for seat in range(1, 13)}
        | {f"{c}d{n}" for c in Colour for n in range(1, 7)}
        | set(Colour)
    )


def icons(said: Iterable[Text]) -> set[str]:
    return {part.name for text in said for part in inside(text) if isinstance(part, Icon)}


def constants() -> tuple[frozenset[str], frozenset[str]]:
    """The key-like constants of the code, and the patterns of its key-like f-strings."""
    keys, patterns = set(), set()
    for path in BOT.rglob("*.py"):
        if {"demo", "fakediscord"} & {*path.relative_to(BOT).parts}:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.JoinedStr):
                patterns.add("".join(map(_piece, node.values)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                keys.add(node.value)
    return (
        frozenset(filter(KEY.fullmatch, keys - NO_KEYS)),
        frozenset(filter(FAMILY.fullmatch, patterns - NO_KEYS)),
    )


def _piece(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else "{}"


def is_plain(key: str) -> bool:
    """Said instead of the key without it, in a panel of plain text."""
    return key.endswith(".plainly")


def messages(name: str = FALLBACK) -> dict[str, Message]:
    return {
        message.id if isinstance(message.id, str) else message.id[0]: message
        for message in read(name)
        if message.id
    }


# -- keys ----------------------------------------------------------------------------------


def test_every_key_in_the_code_has_words_and_every_word_has_a_key() -> None:
    keys, patterns = constants()
    assert patterns == set(families()), "every pattern of keys is known here"
    used = keys.union(*families().values())
    assert used == set(messages())


@pytest.mark.parametrize("why", [why for kind in WHYS for why in kind])
def test_every_refusal_has_words(why: StrEnum) -> None:
    assert messages()[why.value].string


@pytest.mark.parametrize("name", sorted(catalogues()))
def test_no_two_messages_share_a_key_by_accident(name: str) -> None:
    text = (FOLDER / f"{name}.po").read_text()
    ids = re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)
    assert len(ids) == len(set(ids))


# -- gaps ----------------------------------------------------------------------------------


def inside(thing: object) -> Iterator[Icon | Text | Name]:
    """Every text, icon and name in a screen or in a text, however deep."""
    if isinstance(thing, Icon | Text | Name):
        yield thing
    for part in parts(thing):
        if type(part) not in LEAVES:
            yield from inside(part)


LEAVES = (str, int, bool, type(None))


def parts(thing: object) -> Iterable[object]:
    """What a dataclass or tuple holds."""
    if isinstance(thing, tuple):
        return thing
    return [getattr(thing, name) for name in field_names(type(thing))]


FIELDS: dict[type, tuple[str, ...]] = {}


def field_names(kind: type) -> tuple[str, ...]:
    """Names of a dataclass's fields. Empty for any other type."""
    if kind not in FIELDS:
        FIELDS[kind] = tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
    return FIELDS[kind]


def texts(things: Iterable[object]) -> Iterator[Text]:
    return (part for thing in things for part in inside(thing) if isinstance(part, Text))


def crossroads() -> Iterator[Session]:
    """Tables at which there is something to refuse or to say."""
    one = lobby(PEOPLE[:1])
    yield live(lobby(PEOPLE[:1], 1))
    yield from (one, lobby(PEOPLE), accepted(one, d.close(one, "table.closed.idle")))
    for chosen in ({"refill": "hand"}, {"target": "25"}):
        yield from moments(lobby(PEOPLE[:2], 1, **chosen), every=5)
    for chosen in ({"variant": "expert"}, {"variant": "expert", "assist": "on", "level": "easy"}):
        yield from moments(lobby(PEOPLE[:2], 1, rounds="1", **chosen), every=5)
    yield from moments(lobby(PEOPLE[:2], game="dice", rounds="1", assist="on"), every=5)
    for level in choices.LEVEL.values:
        yield lobby(PEOPLE[:1], 1, panels="dm", place="thread", level=level)
    yield apply(
        lobby(PEOPLE[:2], place="thread"), e.ChannelChanged(ChannelId(99), ChannelId(88)), 0
    )
    yield from voted()
    yield from left_and_paused()
    yield from sitting_out()
    yield from dice()
    yield from strange()


def strange() -> Iterator[Session]:
    """Cards and boards that matches seldom come to."""
    yield from strange_cards()
    session = live(lobby(PEOPLE[:3], game="dice"))
    state = dice_state(session)
    full = replace(state.board[0], owners=(Seat(0),) * 6)
    yield replace(session, state=replace(state, board=(full, *state.board[1:])))


def dice() -> Iterator[Session]:
    """A match of Ligretto Dice with a handicap."""
    first = lobby(PEOPLE[:2], game="dice", rounds="2", extra="2")
    for value in ("child", "3"):
        first = accepted(first, in_lobby.set_seat_option(first, HOST, 1, "dice", value))
        yield first
    yield from moments(first, every=5)


def voted() -> Iterator[Session]:
    """One wants to end the round, then all do; one is to be released, and is back."""
    session = live(lobby(PEOPLE[:4]))
    session = accepted(session, votes.release(session, HOST, user(1), (user(1),)))
    yield session
    for person in (HOST, user(1), user(2)):
        session = accepted(session, votes.end_round(session, person, ()))
        yield session
    stopped = round_stopped(live(lobby(PEOPLE[:2], game="dice")))
    yield stopped
    yield accepted(stopped, d.leave(stopped, user(1)))


def round_stopped(session: Session) -> Session:
    for person in (HOST, user(1)):
        session = accepted(session, votes.end_round(session, person, ()))
    return session


def left_and_paused() -> Iterator[Session]:
    session = started(lobby(PEOPLE[:2]))
    yield accepted(session, d.leave(session, HOST))
    session = after_moves(live(lobby(PEOPLE[:3])), 9)
    yield (paused := accepted(session, d.pause(session)))
    yield accepted(paused, d.ready(paused, HOST))
    for person in (user(1), HOST):
        session = accepted(session, d.leave(session, person))
        yield session


def sitting_out() -> Iterator[Session]:
    """The second has not come back for the second round."""
    session = round_over(live(lobby(PEOPLE[:3])))
    for seat in (0, 2):
        session = accepted(session, d.ready(session, user(seat)))
    session = later(session)
    session = accepted(session, d.deal(session, HOST))
    yield session
    yield accepted(session, d.go_live(session))


def strange_cards() -> Iterator[Session]:
    """Somebody with nothing left but his row; and equal points at the end."""
    session = live(lobby(PEOPLE[:2], refill="hand", rounds="1"))
    own, other = seat_cards(session, 0), seat_cards(session, 1)
    poor = replace(own, hand=(), discard=(), ligretto=())
    yield replace(session, state=replace(ligretto_state(session), seats=(poor, other)))
    equal = e.RoundEnded(Reason.DEAD, None, (5, 5), (2, 2))
    for entry in (equal, e.MatchEnded(counts=True)):
        session = apply(session, entry, session.at)
    yield session


def later(session: Session) -> Session:
    """Half a minute later."""
    return after(session, d.START_AFTER)


PART = 7
"""Of the moves that a forged button could ask for, one in so many is tried at most tables."""


def presses(session: Session, part: slice) -> Iterator[Decision]:
    """What anybody could press now, sensible or not. `part`: of the moves that could be forged."""
    for person in (HOST, user(1), STRANGER):
        yield in_lobby.join(session, person, "Somebody")
        yield d.leave(session, person)
        yield in_lobby.start(session, person, b"")
        yield d.deal(session, person)
        yield d.deal(later(session), person)
        yield in_lobby.add_robot(session, person)
        yield in_lobby.remove_robot(session, person)
        yield in_lobby.options(session, person)
        yield in_lobby.set_option(session, person, "rounds", "99")
        for value in ("even", "22"):
            yield in_lobby.set_seat_option(session, person, 0, "dice", value)
        yield d.ready(session, person)
        yield d.panel(session, person)
        yield d.rematch(session, person)
        yield in_lobby.set_option(session, person, "place", "thread")
        yield d.move_to_channel(session, ChannelId(99), ChannelId(88))
        for absent in ((), (user(1),)):
            yield votes.end_round(session, person, absent)
            yield votes.release(session, person, user(1), absent)
    for decision in (d.go_live, d.pause, d.free_held_seats, d.keep_here):
        yield decision(session)
    if session.phase is not Phase.LIVE:
        yield d.move(session, d.Move(Seat(0), "r1"))
        return
    for seat in range(len(session.chairs)):
        for word in (f"{card}>" for card in deck()):
            if session.game.half(session.in_play, Seat(seat), word) is not None:
                yield d.half(session, Seat(seat), word)
        offered = map(str, session.game.moves(session.in_play, Seat(seat)))
        for move in (*offered, *[*notations(session.game.key)][part]):
            yield d.move(session, d.Move(Seat(seat), move))


def notations(game: str) -> Iterator[str]:
    """Moves that a forged button could ask for."""
    if game == "dice":
        yield from (f"{c}{n}#{die}" for c in "rygb" for n in range(1, 7) for die in (0, 1, 2, 5))
        yield from (f"roll:{number}" for number in range(40))
        return
    yield from (f"flip:{number}" for number in range(40))
    yield from map(str, deck())
    yield from (f"{card}>{column}" for card in deck() for column in (0, 4))


def said_in_matches() -> frozenset[Text]:
    """Everything that screens and presses say in some matches."""
    found: set[Text] = set()
    blocks = set[Block]()
    for number, session in enumerate(crossroads()):
        blocks.update(block for screen in screens(session) for block in screen.blocks)
        if is_scored(session):
            found.update(texts([described(session)]))
        for decision in presses(session, slice(number % PART, None, PART)):
            found.add(decision.text if isinstance(decision, Refused) else decision.said)
    everything = (one for session in strange() for one in presses(session, slice(None)))
    found.update(one.text if isinstance(one, Refused) else one.said for one in everything)
    found.update(texts(blocks))
    found.update(texts(record_screens(PEOPLE)), rated(), texts(managed.SCREENS))
    found.update(texts(fairness()))
    found.update(texts(rules_pages.every_page()))
    found.update(texts(lesson.every_screen()))
    found.update(texts([rulebook.help_screen()]))
    return frozenset(found)


def fairness() -> Iterator[Screen]:
    """What "Fair deal?" answers, from a lobby to the end, with a posted message or without."""
    yield promised(lobby(PEOPLE[:2]))
    first = unpublished(lobby(PEOPLE[:2]))
    for message in map(MessageId, (5, 6)):
        yield promised(
            accepted(first, in_lobby.publish(first, ChannelId(88), message, MessageId(5)))
        )
    start = {"commit": "ab" * 32, "promise": "cd" * 32, "public": "88/6", "postings": 2}
    match = {"seed": "ab" * 32, "secret": "cd" * 32, "digest": "ef" * 32}
    yield over("\n".join(map(json.dumps, (start, match))))


WHO = ("won", "lost")
ANNA, R5, WHERE = Name("Anna"), Icon("r5"), "<#88>"
ELSEWHERE: tuple[Text, ...] = (
    Text("dice.refused.too_few"),
    Text("dice.refused.not_dealt_in"),
    Text("option.rounds.full"),
    Text("table.refused.not_posted"),
    Text("table.slow"),
    Text("table.refused.stays_here"),
    Text("request.refused.no_table"),
    Text("request.refused.old_panel", (("button", Text("dice.mine")),)),
    Text("request.refused.that_round"),
    Text("request.refused.unknown"),
    Text("request.refused.older_button"),
    Text("request.refused.table_here", (("where", WHERE),)),
    Text("request.refused.seated_elsewhere", (("where", WHERE),)),
    Text("request.refused.most_tables", (("n", 50),)),
    Text("request.refused.older"),
    Text("request.refused.anothers"),
    Text("request.refused.too_often"),
    Text("answer.private"),
    Text("request.refused.many_tables"),
    Text("request.refused.no_server"),
    Text("request.refused.no_bot", (("link", invite(1)),)),
    Text("request.refused.no_permission", (("names", Joined((Text("permission.view_channel"),))),)),
    Text("request.refused.no_thread", (("names", Joined((Text("permission.view_channel"),))),)),
    Text("request.refused.threads_here"),
    Text("permission.create_public_threads"),
    Text("permission.attach_files"),
    *(Text(f"command.{name}") for name in COMMANDS),
    *(Text(f"name.{name}") for name in COMMANDS if name not in OPTIONS_OF_COMMANDS),
    *(Text(f"name.{name}") for name in MENUS),
    *(Text(f"option_name.{name}") for name in OPTION_NAMES),
    Text("command.rules.game"),
    *(Text(f"command.leaderboard.{option}") for option in ("game", "period", "order")),
    *(Text(f"command.stats.{option}") for option in ("member", "game")),
    Text("command.replay.match"),
    Text("command.history.match"),
    no_match("abc"),
    Text("choice.robots", (("n", 2),)),
    Text("choice.match", (("number", 1), ("day", "-"), ("game", "-"), ("names", "-"))),
    Text("replay.here", (("number", 1), ("game", Text("game.dice")))),
    Text("replay.no_log", (("number", 1),)),
    Text("replay.gone"),
    Text("replay.check", (("fair", Text("button.fair")),)),
    *map(Text, ("watch.busy", "watch.failed", "watch.nothing", "watch.too_often")),
    *map(Text, ("watch.not_shared", "daily.shared_already")),
    Text("watch.shared_already", (("round", 2), ("number", 1))),
    Text("records.nameless"),
    Text("panel.sent", (("where", WHERE),)),
    Text("panel.no_direct_message"),
    Text("request.refused.broken"),
    Text("request.refused.failed"),
    Text("permission.view_channel"),
    Text("permission.send_messages"),
    Text("permission.send_messages_in_threads"),
    Text("press.refused.too_many"),
    Text("press.refused.restarting"),
    Text("press.refused.seen"),
    Text("press.refused.too_old"),
    Text("table.refused.too_late", (("card", R5), ("who", ANNA), ("ms", 84))),
    *(Text(f"panel.duel_{who}", (("card", R5), ("name", ANNA), ("ms", 84))) for who in WHO),
    Text("table.duel", (("card", R5), ("winner", ANNA), ("loser", Name("Ben")), ("ms", 84))),
    *(Text(f"colour.{colour}") for colour in Colour),
    *(Text(f"piles.{kind}", (("colour", "Red"), ("tops", "7"))) for kind in ("there", "none")),
    Text("piles.full"),
    Text("track.empty"),
    Text("panel.done", (("icon", Icon("ready")), ("said", Text("ligretto.flip")))),
    Text("ligretto.last_row", (("card", R5),)),
    Text("panel.left_alone", (("what", "7"), ("you", "7"))),
    Text("leave.stayed"),
    Text("table.closed.empty"),
    Text("table.closed.expired"),
    Text("table.closed.forgotten"),
    Text("table.closed.unplayed"),
    Text("lobby.host_away", (("host", ANNA),)),
    Text("lobby.full"),
    *(Text(f"options.{key}") for key in ("length", "rules", "extra", "level", "more")),
    Text("table.queued"),
    Text("name.nobody"),
    Text("robot.name", (("number", 1),)),
    Text("table.ping", (("who", "<@1>"), ("where", WHERE))),
    Text("table.by_direct_message", (("where", WHERE),)),
    Text("table.refused.queued"),
    Text("table.refused.full_next"),
    Text("table.next_match", (("names", ANNA),)),
    Text("button.next_match"),
    Text("option.extra.0"),
    Text("option.refill.auto"),
    Text("option.target.off"),
    Text("panel.ready_all", (("icon", Icon("ready")),)),
    Text("table.now"),
    Text("table.anyone_starts", (("host", ANNA), ("when", Text("table.now")))),
    Text("panel.lobby_anyone", (("host", ANNA),)),
    Text("table.closed.broken"),
    Text("table.closed.version"),
    Text("table.closed.channel"),
    Text("table.closed.no_bot"),
    Text("lobby.held", (("name", ANNA),)),
    *(Text(f"letter.{colour}") for colour in Colour),
    Text("icon.pile"),
    Text("column.gap"),
    Text("column.back"),
    Text("piles.many", (("colour", "R"), ("tops", "1, 2, 3, 4, 5"))),
    Text("table.refused.nothing_there"),
    Text("panel.unplaced", (("place", 4), ("seats", 4))),
    Text("panel.round_unplaced", (("place", 4), ("seats", 4), ("round", 2))),
    Text("letters.are", (("letters", "E = Gelb"),)),
    Text("table.leaders", (("leaders", "7"),)),
    Text("table.leader", (("points", "7"), ("name", ANNA))),
    Text("language.name"),
    Text("score.dead"),
    Text("score.agreed", (("agreed", Icon("agreed")),)),
    Text("score.ended_by", (("hand", Icon("hand")), ("names", ANNA), ("n", 1))),
    Text("score.ended_you", (("hand", Icon("hand")),)),
    Text("table.dropped"),
    Text("table.dropped_by", (("how", Text("score.ended_you", (("hand", Icon("hand")),))),)),
    Text("table.ending_you"),
    Text("end.sure", (("points", "−14"),)),
    Text("end.sure_last", (("points", "−14"),)),
    Text("end.sure_dropped"),
    Text("end.kept"),
    Text("end.away", (("away", Icon("away")), ("names", ANNA), ("n", 1))),
    Text("leave.sure"),
    Text("leave.sure_ends"),
    Text("leave.sure_alone"),
    Text("table.has_left", (("flag", Icon("flag")), ("name", ANNA))),
    Text("table.was_away", (("flag", Icon("flag")), ("name", ANNA))),
    Text("table.gone", (("flag", Icon("flag")), ("name", ANNA), ("points", "7"))),
    Text("table.refused.away"),
    Text("table.refused.abandoned"),
    Text("table.refused.left"),
    Text("table.refused.start_first"),
    Text("dice.stop_you", (("stop", Icon("stop")),)),
    Text("ligretto.stop_you", (("stop", Icon("stop")),)),
    Text("score.draw", (("round", 2),)),
    Text("score.level", (("names", ANNA), ("to_go", "3"))),
    Text("praise.come_back", (("points", 7),)),
    Text("praise.stop", (("time", "0:52"),)),
    Text("praise.best", (("round", 2), ("points", "+7"))),
    Text("praise.near", (("round", 2), ("n", 3))),
    Text("panel.level", (("total", "7"), ("name", ANNA))),
    *managed.TEXTS,
)
"""What is said by refused requests, the commands and the marks, with the values they give."""


def test_every_text_is_said_with_the_values_it_needs() -> None:
    """All languages in one test: the matches that say them are played once."""
    said = {*said_in_matches(), *ELSEWHERE} - {SILENT}
    for locale in sorted(catalogues()):
        for text in said:
            words = say(text, locale, Words(Reader(locale)))
            assert words, (locale, text)
            assert "{" not in words, (locale, text)
            heard = say(text, locale, Words(Reader(locale, plain=True)))
            assert "{" not in heard, (locale, text)
        assert {text.key for text in said} - {BARE} == {
            k for k in messages(locale) if not is_plain(k)
        }
    given: dict[str, set[str]] = {}
    spoken = icons(said) - set(SIGNS) - faces()
    assert {f"icon.{name}" for name in spoken} == families()["icon.{}"]
    for text in said:
        given.setdefault(text.key, set()).update(gap for gap, _ in text.values)
    for key, message in messages().items():
        assert gaps(message) - set(COMMAND_GAPS) <= given[key.removesuffix(".plainly")], key


def gaps(message: Message) -> set[str]:
    """The gaps of a message, in all its forms."""
    forms = (message.string,) if isinstance(message.string, str) else message.string
    return {gap for form in forms for _, gap, _, _ in Formatter().parse(form) if gap is not None}


COMMAND_GAPS = {
    **{f"/{name}": name for name in COMMANDS},
    **{f"/moderate {act}": f"moderate {act}" for act in ("close", "void", "log")},
    "/settings time_zone": "settings time_zone",
    "/leaderboard season": "leaderboard season",
}
"""Gaps that `say` fills by itself with a command's name."""


def test_a_crown_means_most_points_and_nothing_else() -> None:
    """Neither the host nor whoever stopped a round has one: both may have the fewest points."""
    crowned = {key for key, message in messages().items() if "crown" in gaps(message)}
    assert crowned == {"end.won", "history.won"}


@pytest.mark.parametrize("name", sorted(set(catalogues()) - {FALLBACK}))
def test_a_translation_has_the_same_messages_and_gaps(name: str) -> None:
    there, here = messages(FALLBACK), messages(name)
    assert set(here) == set(there)
    for key, message in there.items():
        assert gaps(here[key]) == gaps(message), key
        assert isinstance(here[key].string, str) == isinstance(message.string, str), key
        assert here[key].string != "", key


# -- saying --------------------------------------------------------------------------------


def rounds(number: int, locale: str = "en-US") -> str:
    return say(Text("option.rounds", (("n", number),)), locale)


def test_one_is_not_many() -> None:
    assert [rounds(n) for n in (0, 1, 2, 20)] == ["0 rounds", "1 round", "2 rounds", "20 rounds"]


def test_more_than_one_winner_win() -> None:
    def won(n: int) -> str:
        values = (("crown", Icon("crown")), ("names", "A"), ("n", n))
        return say(Text("end.won", values), "en-US")

    assert (won(1), won(2)) == ("CROWN A wins!", "CROWN A win!")


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "en", "xx", "tlh-QO", "", "no"])
def test_where_there_is_no_language_it_is_english(locale: str) -> None:
    assert language(locale) == "en"
    assert rounds(2, locale) == "2 rounds"


def test_languages_are_named_in_their_own_words() -> None:
    assert set(languages()) == set(catalogues())
    assert languages()["en"] == "English"


def test_a_key_without_words_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError, match="nonsense"):
        say(Text("table.nonsense"), "en-US")


def test_a_gap_without_a_value_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        say(Text("table.are_ready"), "en-US")


def test_a_name_with_braces_is_only_a_name() -> None:
    names = Joined((Name("{n}"), Name("{0.__class__}"), Name("100%s")))
    said = say(bare(names), "en-US")
    assert said == "{n}, {0.__class__}, 100%s"


def test_values_are_said_in_the_same_language_and_marked_alike() -> None:
    text = Text("ligretto.laid", (("card", Icon("y7")),))
    assert say(text, "en-US", Words(Reader("en-US"))) == "Played 🔶 Y7"
    assert say(text, "en-US", Words(Reader("en-US", plain=True))) == "Played Yellow 7"
    assert say(text, "en-US") == "Played Y7"


def test_every_catalogue_is_well_formed() -> None:
    assert FALLBACK in catalogues()
    for name in catalogues():
        catalogue = read(name)
        assert str(catalogue.locale) == name
        assert not any(message.fuzzy for message in catalogue if message.id)
        assert all(message.string for message in catalogue if message.id)


class Counted(Plain):
    """Marks that note each icon they are asked for."""

    def __init__(self, *, plain_text: bool) -> None:
        self.plain_text = plain_text
        self.icons: list[str] = []

    def icon(self, icon: Icon) -> str:
        self.icons.append(icon.name)
        return icon.name


def test_only_the_values_that_a_text_asks_for_are_put_into_words() -> None:
    """Plain text names the newest play alone; elsewhere nobody reads that one's own words."""
    newest, before = (
        Text("table.laid", (("name", "Ben"), ("card", Icon(card)))) for card in ("g1", "r1")
    )
    plays = Joined((newest, before), between=" · ")
    said = Text("table.plays", (("plays", plays), ("newest", newest)))
    for plain, asked in ((False, ["g1", "r1"]), (True, ["g1"])):
        marks = Counted(plain_text=plain)
        say(said, "en", marks)
        assert marks.icons == asked
