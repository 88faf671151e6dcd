"""A referee of match logs, written from the log format and the rules alone.

It knows nothing of the bot: deals are made anew from the seed, every move has to be legal, every
refusal illegal, and ends, scores, totals and winners have to be those of the rules.
"""

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

CARDS = [f"{colour}{number}" for colour in "RYGB" for number in range(1, 11)]
BAG = "RRRRRRYYYYYYGGGGGGBBBBBB"
MOST_ROUNDS = 30
READING_TIME = 400
DUEL_WITHIN = 1_000


class FoulError(Exception):
    """The log cannot be true."""


def demand(true: object, complaint: str) -> None:
    if not true:
        raise FoulError(complaint)


class Draws:
    """The numbers that the seed gives under one label."""

    def __init__(self, seed: bytes, *label: int | str) -> None:
        self.seed, self.prefix, self.k = seed, "".join(f"{part}/" for part in label), 0

    def below(self, m: int) -> int:
        while True:
            message = f"{self.prefix}{self.k}".encode("ascii")
            self.k += 1
            x = int.from_bytes(hmac.new(self.seed, message, hashlib.sha256).digest(), "big")
            if x < m * (2**256 // m):
                return x % m

    def shuffle(self, items: Sequence[str]) -> list[str]:
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


class Common:
    """The first scheme: all of a deal, and all of a move, runs through one stream."""

    def __init__(self, seed: bytes, round_: int, move: int) -> None:
        self.draws = Draws(seed, round_, move)

    def of(self, _p: int, _time: int, _die: int | None = None) -> Draws:
        return self.draws

    def share(self, sizes: Sequence[int]) -> list[list[str]]:
        bag = self.draws.shuffle(BAG)
        return [[bag.pop(0) for _ in range(size)] for size in sizes]


class Own:
    """The second scheme: each seat that there was at Start has streams of its own."""

    def __init__(self, seed: bytes, round_: int, started: Sequence[int | None]) -> None:
        self.seed, self.round, self.started = seed, round_, started

    def of(self, p: int, time: int, die: int | None = None) -> Draws:
        label = [self.round, self.started.index(p), time]
        return Draws(self.seed, *label, *([] if die is None else [die]))

    def share(self, sizes: Sequence[int]) -> list[list[str]]:
        """One by one to all who were there at Start; then fill up from what nobody keeps."""
        bag = Draws(self.seed, self.round, "bag").shuffle(BAG)
        holders: list[int | None] = []
        held = [0] * len(sizes)
        for place in range(len(bag)):
            p = self.started[place % len(self.started)]
            keeps = p is not None and held[p] < sizes[p]
            holders.append(p if keeps else None)
            if p is not None and keeps:
                held[p] += 1
        shares = [[bag[i] for i, who in enumerate(holders) if who == p] for p in range(len(sizes))]
        over = [die for die, who in zip(bag, holders, strict=True) if who is None]
        for share, size in zip(shares, sizes, strict=True):
            while len(share) < size:
                share.append(over.pop(0))
        return shares


def canonical(value: Any) -> str:
    """A JSON value in the one form in which it is hashed, as docs/format.md has it."""
    match value:
        case None | True | False:
            return {None: "null", True: "true", False: "false"}[value]
        case int():
            return str(value)
        case str():
            return '"' + "".join(map(escaped, value)) + '"'
        case list():
            return "[" + ",".join(map(canonical, value)) + "]"
        case dict():
            pairs = (f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value))
            return "{" + ",".join(pairs) + "}"
        case _:
            raise FoulError(f"no value of a log: {value!r}")


SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped(letter: str) -> str:
    return SHORT.get(letter) or (f"\\u{ord(letter):04x}" if letter < " " else letter)


def digest(events: Sequence[dict[str, Any]]) -> str:
    """SHA-256 of all lines, without the names and without itself."""
    hashed = hashlib.sha256()
    for event in events:
        kept = {key: value for key, value in event.items() if key not in ("names", "digest")}
        hashed.update(canonical(kept).encode("utf-8") + b"\n")
    return hashed.hexdigest()


def fits(card: str, tops: Sequence[str]) -> int | None:
    """The first pile this card may go on; one more than there are for a 1."""
    colour, number = card[0], int(card[1:])
    if number == 1:
        return len(tops)
    return next((i for i, top in enumerate(tops) if top == f"{colour}{number - 1}"), None)


class CardRound:
    """One round of the card game; in expert cards are laid on the row too."""

    def __init__(self, event: dict[str, Any], luck: Common | Own, *, expert: bool) -> None:
        self.expert = expert
        dealt = [(p, seat) for p, seat in enumerate(event["seats"]) if seat is not None]
        columns = {2: 5, 3: 4}.get(len(dealt), 3)
        for p, seat in dealt:
            deck = luck.of(p, 0).shuffle(CARDS)
            demand(seat["row"] == deck[:columns], "the row is not the seed's")
            demand(seat["ligretto"] == deck[columns : columns + 10], "the pile is not the seed's")
            demand(seat["hand"] == deck[columns + 10 :], "the hand is not the seed's")
        self.seats: list[dict[str, Any] | None] = [
            seat and {**seat, "row": [[card] for card in seat["row"]], "discard": []}
            for seat in event["seats"]
        ]
        self.times: Counter[int] = Counter()
        self.tops: list[str] = []
        self.taken: list[tuple[str, int]] = []
        self.laid: Counter[int] = Counter()
        self.stopper: int | None = None

    def why_not(self, p: int, move: list[Any], card: str | None) -> str | None:
        seat = self.seats[p]
        if seat is None:
            return "is not dealt in"
        match move:
            case ["flip"]:
                return None if seat["hand"] else "has no hand to flip"
            case ["recycle"] | ["recycle", _]:
                ready = seat["discard"] and not seat["hand"]
                return None if ready else "has nothing to recycle"
            case ["play", source, *pile]:
                shown = self.top(seat, source)
                if shown is None or card not in (None, shown):
                    return "does not show that card"
                target = fits(shown, self.tops)
                if target is None:
                    return "has a card that fits nowhere"
                if not pile or self._is_same(pile[0], target):
                    return None
                return "names another pile"
            case ["lay", "ligretto" | "discard" as source, column]:
                allowed = self.expert or source == "ligretto"
                shown = self.top(seat, source) if allowed else None
                if shown is None or card not in (None, shown):
                    return "does not show that card, or may not lay it"
                there = column < len(seat["row"])
                return None if there and self.takes(seat["row"][column], shown) else "has no place"
            case _:
                return "makes no move of this game"

    def why_refused(self, p: int, move: list[Any], card: str | None) -> str | None:
        """As `why_not`, for a refusal: its card may be open elsewhere by now."""
        seat = self.seats[p]
        if seat is None or card is None or move[0] not in ("play", "lay"):
            return self.why_not(p, move, card)
        open_ = [source for source in self.sources(seat) if self.top(seat, source) == card]
        reasons = [self.why_not(p, [move[0], source, *move[2:]], card) for source in open_]
        return None if None in reasons else (reasons or ["does not show that card"])[0]

    @staticmethod
    def sources(seat: dict[str, Any]) -> list[str]:
        return ["ligretto", "discard", *(f"row{i}" for i in range(len(seat["row"])))]

    def _is_same(self, pile: int | str, target: int) -> bool:
        if pile == "new" or target == len(self.tops):
            return pile == "new" and target == len(self.tops)
        return isinstance(pile, int) and self.tops[pile : pile + 1] == [self.tops[target]]

    def make(self, p: int, move: list[Any], luck: Common | Own) -> None:
        seat = self.seats[p]
        assert seat is not None
        match move:
            case ["flip"]:
                seat["discard"] += seat["hand"][:3]
                del seat["hand"][:3]
            case ["recycle", order]:
                self.times[p] += 1
                shuffled = luck.of(p, self.times[p]).shuffle(seat["discard"])
                demand(order == shuffled, "a shuffle is not the seed's")
                seat["hand"], seat["discard"] = list(order), []
            case ["play", source, *pile]:
                card = self.take(seat, source)
                target = fits(card, self.tops)
                assert target is not None
                index = target if not pile or pile[0] == "new" else pile[0]
                self.tops[index : index + 1] = [card]
                self.taken.append((card, p))
                self.laid[p] += 1
            case ["lay", source, column]:
                seat["row"][column].append(self.take(seat, source))
            case _:
                raise FoulError(f"no such move: {move}")
        if not seat["ligretto"]:
            self.stopper = p

    def missed(self, p: int, move: list[Any], card: str | None) -> str | None:
        """The card that this seat has open, and that fits nowhere."""
        seat = self.seats[p]
        if seat is None or move[0] != "play":
            return None
        shown = card or self.top(seat, move[1])
        is_open = shown in [self.top(seat, source) for source in self.sources(seat)]
        return shown if shown and is_open and fits(shown, self.tops) is None else None

    def takes(self, column: list[str], card: str) -> bool:
        """A gap takes any card; an expert's column a lower one of another colour."""
        if not column:
            return True
        covered = column[-1]
        return self.expert and covered[0] != card[0] and int(covered[1:]) > int(card[1:])

    def frees(self, seat: dict[str, Any]) -> bool:
        """Whether the Ligretto top can get into the row, over any chain of reserve cards."""
        reached = [column[-1:] for column in seat["row"]]
        reserve = seat["hand"] + seat["discard"] if self.expert else []
        for card in sorted(reserve, key=lambda card: -int(card[1:])):
            if any(self.takes(column, card) for column in reached):
                reached.append([card])
        return any(self.takes(column, seat["ligretto"][0]) for column in reached)

    @staticmethod
    def top(seat: dict[str, Any], source: str) -> str | None:
        if source == "ligretto":
            pile = seat["ligretto"][:1]
        elif source == "discard":
            pile = seat["discard"][-1:]
        else:
            pile = seat["row"][int(source[3:])][-1:] if source.startswith("row") else []
        return pile[0] if pile else None

    @staticmethod
    def take(seat: dict[str, Any], source: str) -> str:
        if source == "ligretto":
            return str(seat["ligretto"].pop(0))
        pile = seat["discard"] if source == "discard" else seat["row"][int(source[3:])]
        return str(pile.pop())

    def over(self, gone: set[int]) -> tuple[str, int | None] | None:
        if self.stopper is not None:
            return "ligretto", self.stopper
        for p, seat in enumerate(self.seats):
            if seat is None or p in gone:
                continue
            if seat["ligretto"] and self.frees(seat):
                return None
            reach = seat["hand"] + seat["discard"] + seat["ligretto"][:1]
            reach += [column[-1] for column in seat["row"] if column]
            if any(fits(card, self.tops) is not None for card in reach):
                return None
        return "dead", None

    def scores(self, _reason: str) -> list[int]:
        return [
            0 if seat is None else self.laid[p] - 2 * len(seat["ligretto"])
            for p, seat in enumerate(self.seats)
        ]


DOES_NOT_FIT = "has a die that does not fit"


class DiceRound:
    """One round of the dice game."""

    def __init__(self, event: dict[str, Any], luck: Common | Own) -> None:
        shares = luck.share([len(colours or "") for colours in event["dice"]])
        self.times: Counter[int] = Counter()
        self.cups: list[list[str | None] | None] = []
        for colours, rolls, mine in zip(event["dice"], event["rolls"], shares, strict=True):
            if colours is None:
                demand(rolls is None, "rolls without dice")
                self.cups.append(None)
                continue
            demand(list(colours) == mine, "the dice are not the seed's")
            self.cups.append([f"{c}{n}" for c, n in zip(colours, rolls, strict=True)])
        for p, cup in enumerate(self.cups):
            for i, die in enumerate(cup or ()):
                rolled = 1 + luck.of(p, 0, i).below(6)
                demand(die == f"{str(die)[0]}{rolled}", "a roll is not the seed's")
        self.board: Counter[str] = Counter()
        self.taken: list[tuple[str, int]] = []
        self.finisher: int | None = None

    def missed(self, p: int, move: list[Any], card: str | None) -> str | None:
        """The die that this seat has, and that fits nowhere."""
        why = self.why_not(p, move, card)
        cup = self.cups[p]
        return cup[move[1]] if why == DOES_NOT_FIT and cup is not None else None

    def why_not(self, p: int, move: list[Any], card: str | None) -> str | None:
        cup = self.cups[p]
        if cup is None:
            return "is not dealt in"
        match move:
            case ["reroll"] | ["reroll", _]:
                return None if any(cup) else "has nothing to roll"
            case ["place", i]:
                die = cup[i] if i < len(cup) else None
                if die is None or card not in (None, die):
                    return "does not show that die"
                wanted = self.board[die[0]] + 1
                return None if int(die[1:]) == wanted else DOES_NOT_FIT
            case _:
                return "makes no move of this game"

    why_refused = why_not

    def make(self, p: int, move: list[Any], luck: Common | Own) -> None:
        cup = self.cups[p]
        assert cup is not None
        if move[0] == "place":
            self.board[str(cup[move[1]])[0]] += 1
            self.taken.append((str(cup[move[1]]), p))
            cup[move[1]] = None
        else:
            left = [i for i, die in enumerate(cup) if die is not None]
            self.times[p] += 1
            rolled = [1 + luck.of(p, self.times[p], i).below(6) for i in left]
            demand(move[1] == rolled, "a reroll is not the seed's")
            for i, number in zip(left, rolled, strict=True):
                cup[i] = f"{str(cup[i])[0]}{number}"
        if not any(cup):
            self.finisher = p

    def over(self, _gone: set[int]) -> tuple[str, int | None] | None:
        return None if self.finisher is None else ("dice", self.finisher)

    def scores(self, reason: str) -> list[int]:
        left = [sum(die is not None for die in cup or ()) for cup in self.cups]
        if reason == "abort":
            return [0] * len(left)
        return [sum(left) if p == self.finisher else -count for p, count in enumerate(left)]


def _seated(start: dict[str, Any]) -> None:
    """What the start says of its seats."""
    computers = start.get("computers", [])
    demand(sorted({*computers}) == computers, "computers: not once each, in order")
    demand(all(0 <= seat < start["players"] for seat in computers), "computers: no such seat")
    levels = ("easy", "medium", "hard", "master")
    demand("level" not in start or (computers and start["level"] in levels), "level: of nobody")
    demand(start.get("handicap", True) is True, "handicap: true, or not there")
    demand("handicap" not in start or start["game"] == "dice", "a handicap of cards")


class Referee:
    """Reads a whole log of a finished match; `check` raises FoulError."""

    def __init__(self, text: str) -> None:
        self.events = [json.loads(line) for line in text.split("\n") if line]
        start, match = self.events[0], self.events[-1]
        demand(start["e"] == "start" and start["format"] == "ligretto-log/1", "no start")
        demand(match["e"] == "match", "no end")
        self.start, self.seed = start, bytes.fromhex(match["seed"])
        demand(hashlib.sha256(self.seed).hexdigest() == start["commit"], "commit: another seed")
        self._chance(start, match)
        self._started(start)
        _seated(start)
        if "digest" in match:
            demand(digest(self.events) == match["digest"], "digest: a line was changed")
        self.totals = [0] * start["players"]
        self.gone: set[int] = set()
        self.round: CardRound | DiceRound | None = None
        self.deals = self.counted = self.moves = 0
        self.seen: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.duels: list[list[tuple[int, int, int]]] = []
        self.contested = self.dealt_at = 0
        self.due: tuple[Any, ...] | None = None
        self.has_races = "public" in start
        """Refusals of matches that began before that say of no race."""

    def check(self) -> "Referee":
        t = 0
        for event in self.events[1:]:
            demand(event.get("t", t) >= t, "time goes back")
            t = event.get("t", t)
            due, self.due = self.due, None
            done = event["e"], event.get("p"), t, event.get("m")
            demand(due is None or done == due, "a row that does not refill by itself")
            self.seen[event["e"]] += 1
            getattr(self, f"_{event['e']}")(event)
        return self

    @staticmethod
    def _chance(start: dict[str, Any], match: dict[str, Any]) -> None:
        """The seed has to be made of what was promised and of what everybody could see. Logs
        from before that have neither.
        """
        keys = [("promise", start), ("public", start), ("secret", match)]
        demand(len({key in line for key, line in keys}) == 1, "half of a promise")
        if "promise" not in start:
            return
        secret, public = bytes.fromhex(match["secret"]), start["public"]
        demand(len(secret) == 32, "a secret of 32 bytes")
        demand(hashlib.sha256(secret).hexdigest() == start["promise"], "promise: another secret")
        posted = [public, *start.get("reposted", ())]
        ids = "[0-9]+/[0-9]+/[1-9][0-9]*" if "arena" in start else "[0-9]+/[0-9]+"
        demand(all(re.fullmatch(ids, one) for one in posted), "no two ids")
        demand(len(set(posted)) == len(posted), "a message that was posted twice")
        known = len(posted) - start.get("lobby", False)
        demand(start.get("postings", known) >= known, "a message that nobody began to post")
        mixed = hmac.new(secret, public.encode("ascii"), hashlib.sha256).hexdigest()
        demand(mixed == match["seed"], "seed: not of this secret and this message")

    @staticmethod
    def _started(start: dict[str, Any]) -> None:
        """By which scheme chance goes, and from which seats at Start those of the log are."""
        scheme = start.get("chance", 1)
        demand(scheme in (1, 2), "chance: no such scheme")
        demand((scheme == 2) == ("started" in start), "started: it belongs to the second scheme")
        stayed = [p for p in start.get("started", range(start["players"])) if p is not None]
        demand(stayed == [*range(start["players"])], "started: not every seat once, in order")

    def _deal(self, event: dict[str, Any]) -> None:
        demand(self.round is None, "a deal in mid-round")
        demand(not self._is_complete(), "a deal after the last round")
        self.dealt_at = event["t"]
        self.deals, self.moves = self.deals + 1, 0
        self.duels.append([])
        if self.start["game"] == "cards":
            expert = self.start.get("rules", {}).get("expert", False)
            self.round = CardRound(event, self._luck(), expert=expert)
        else:
            self.round = DiceRound(event, self._luck())
            self._shares(event)
        dealt = event["seats"] if self.start["game"] == "cards" else event["dice"]
        if self.start["game"] == "dice" and "public" in self.start:
            uneven = len({len(dice) for dice in dealt if dice is not None}) > 1
            demand(not uneven or self.start.get("handicap"), "dice that nobody said were uneven")
        demand(len(dealt) == self.start["players"], "a deal for other seats")
        demand(all(dealt[p] is None for p in self.gone), "a leaver is dealt in")

    def _luck(self) -> Common | Own:
        """Of a deal, or of a move."""
        if self.start.get("chance", 1) == 1:
            return Common(self.seed, self.deals, self.moves)
        return Own(self.seed, self.deals, self.start["started"])

    def _shares(self, event: dict[str, Any]) -> None:
        """How many dice each gets, where the log tells what the host chose."""
        if "shares" not in self.start:
            return
        shares, extra = self.start["shares"], self.start["extra"]
        demand(len(shares) == self.start["players"], "shares: not one for each seat")
        dealt = [share for share, dice in zip(shares, event["dice"], strict=True) if dice]
        named = sum(share for share in dealt if isinstance(share, int))
        evens, children = dealt.count("even"), dealt.count("child")
        child = (len(BAG) - named - extra * evens) // max(1, evens + children)
        sizes = {"child": child, "even": child + extra}
        for share, dice in zip(shares, event["dice"], strict=True):
            demand(dice is None or len(dice) == sizes.get(share, share), "shares: another number")

    def _move(self, event: dict[str, Any]) -> None:
        p = event["p"]
        demand(self.round is not None and p not in self.gone, f"{p} cannot move")
        assert self.round is not None
        demand(self.round.over(self.gone) is None, "a move after the end")
        why = self.round.why_not(p, event["m"], event.get("card"))
        demand(why is None, f"{event}: {p} {why}")
        demand(event["m"][0] != "play" or len(event["m"]) == 3, f"{event}: on which pile")
        self.moves += 1
        self.round.make(p, event["m"], self._luck())
        self._refills(event)

    def _refills(self, event: dict[str, Any]) -> None:
        """Where rows refill by themselves, the next line is that of the card that fills the gap."""
        if self.start.get("refill") != "auto" or event["m"][0] != "play":
            return
        assert isinstance(self.round, CardRound)
        seat = self.round.seats[event["p"]]
        if seat and len(seat["ligretto"]) > 1 and [] in seat["row"]:
            move = ["lay", "ligretto", seat["row"].index([])]
            self.due = "move", event["p"], event["t"], move

    def _reject(self, event: dict[str, Any]) -> None:
        demand(self.round is not None and event["p"] not in self.gone, "a refusal between rounds")
        assert self.round is not None
        why = self.round.why_refused(event["p"], event["m"], event.get("card"))
        demand(why is not None, f"{event} was legal")
        demand(event["m"][0] != "play" or len(event["m"]) == 2, f"{event}: it has no pile")
        self._race(event)

    def _race(self, event: dict[str, Any]) -> None:
        """Whether a refusal was a lost race, and one that counts."""
        assert self.round is not None
        if not self.has_races:
            return
        p = event["p"]
        place = self.round.missed(p, event["m"], event.get("card"))
        takers = [seat for taken, seat in self.round.taken if taken == place and seat != p]
        demand(event.get("rival") == (takers[-1] if takers else None), f"{event}: {takers} had it")
        if not takers:
            demand(not {"rival", "margin", "shown"} & set(event), f"{event}: nobody had it")
            return
        margin, shown = event["margin"], event["shown"]
        demand(margin >= 0 and (shown is None or 0 <= shown <= margin), f"{event}: its times")
        if shown is None or shown < READING_TIME:
            self.contested += 1
            if margin <= DUEL_WITHIN:
                self.duels[-1].append((takers[-1], p, margin))

    def _leave(self, event: dict[str, Any]) -> None:
        demand(event["p"] not in self.gone, "left twice")
        self.gone.add(event["p"])

    def _end(self, event: dict[str, Any]) -> None:
        demand(self.round is not None, "an end without a round")
        assert self.round is not None
        reason = event["reason"]
        self.reasons[reason] += 1
        if reason != "abort":
            demand(self.round.over(self.gone) == (reason, event.get("by")), "another end")
        demand(
            self.round.scores(reason) == event["scores"], f"{event}: {self.round.scores(reason)}"
        )
        self.totals = [a + b for a, b in zip(self.totals, event["scores"], strict=True)]
        lasted = event.get("lasted", 0)
        demand(0 <= lasted <= event["t"] - self.dealt_at, "lasted: longer than since the deal")
        counts = not (reason == "abort" and self.start["game"] == "dice")
        self.counted += counts
        if not counts:
            self.duels.pop()
        self.round = None

    def _match(self, event: dict[str, Any]) -> None:
        demand(self.round is None, "the match ends in mid-round")
        demand(event["totals"] == self.totals, "totals")
        demand(set(event["left"]) == self.gone, "leavers")
        stay = [p for p in range(len(self.totals)) if p not in self.gone]
        among = stay or range(len(self.totals))
        best = max(self.totals[p] for p in among)
        demand(event["winners"] == [p for p in among if self.totals[p] == best], "winners")
        if len(stay) > 1:
            demand(event["aborted"] != self._is_complete(), "aborted")

    def _is_complete(self) -> bool:
        if "rounds" in self.start:
            return self.counted >= int(self.start["rounds"])
        return max(self.totals) >= self.start["target"] or self.counted >= MOST_ROUNDS
