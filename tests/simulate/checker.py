"""What must be true after an evening. It shares no code with the bot: it looks at the screens, at
the journal and the results in the file, at the log, and at what the process still holds.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.fakediscord import Message, Server
from tests.loopback.players import LEFT, Player
from tests.simulate import races, screens
from tests.simulate.ledger import Ledger
from tests.simulate.left import log_is_calm, nothing_is_left
from tests.simulate.lobbies import left_alone, made, was_posted
from tests.simulate.people import Group, is_seated
from tests.simulate.process import Log, Process
from tests.simulate.trouble import Trouble
from tests.simulate.witness import Press, Witness, answer_of

NOT_POSTED = "Something keeps deleting this table’s messages. /ligretto posts the table again."
FRESH_WITHIN = 10.0
"""Seconds after the last fault in which every screen must show the newest state."""
SLOWED = 90.0
"""The same where Discord has refused some, at the lowest pace. Nobody counts as absent yet."""
RETRY_AFTER = 5.0
"""Seconds of Retry-After that a fault may have given at most, and of pauses that grew by it."""
BY_LETTER = 3.0
"""Seconds in which a panel has come as a direct message, and the table's message has followed."""
DEADLINE = 3.2
LAST_START = 300.0
"""Seconds in which a process is back: one that Discord has refused before waits first."""
QUIET = 36 * 60.0
"""Seconds after which every table that nobody presses at is closed."""
LIFE_OF_A_TOKEN = 15 * 60.0
WRITTEN_BEHIND = 6.0
"""Seconds after a press in which a killed process may not have stored its token."""
NOW_AND_THEN = 150.0
"""Seconds between two looks of the one who is there while all others are away."""
GONE = (401, 403, 404)
"""Statuses after which a bot has to believe that it can't edit a panel any more."""
UNKNOWN_MESSAGE = 10008
_DROPPED = re.compile(r"overload: (\d+) presses dropped")


@dataclass
class Checker:
    """Asks what is promised, one question after the other, and notes each broken promise."""

    server: Server
    bot: Process
    witness: Witness
    trouble: Trouble
    groups: list[Group]
    log: Log
    of_group: bool = False

    async def check(self) -> int:
        """How many matches were stored. What is broken stands with the witness."""
        await self._bot_is_back()
        await self._shown_afterwards()
        await asyncio.gather(*map(self._look_away, self.groups))
        await self._shown_afterwards()
        self._presses_are_answered()
        races.Told(self.witness, self.trouble).check()
        for group in self.groups:
            await self._goes_home(group)
            await self._opens_again(group)
        matches = self._ledger().check()
        if not self.of_group:  # an hour between groups is dear, and this is asked of one process
            await asyncio.sleep(QUIET)
            for group in self.groups:
                await self._opens_again(group)
        await asyncio.sleep(QUIET)
        nothing_is_left(self.witness, self.log, self.bot.number, of_group=self.of_group)
        if (error := await self.bot.stop()) is not None:
            self.broken("a stop ends with exit code 0", repr(error))
        log_is_calm(self.witness, self.log)
        return matches

    def _ledger(self) -> Ledger:
        return Ledger(self.witness, self.log)

    def broken(self, promise: str, told: str) -> None:
        self.witness.broken(promise, told)

    async def _bot_is_back(self) -> None:
        if not self.bot.is_running:
            self.witness.note("the process starts for the last time")
            self.bot.start()
        try:
            await self.server.wait_for(lambda: self.server.gateway.ready, LAST_START)
        except TimeoutError:
            self.broken("the bot connects once all is well", "no session")

    # -- screens ----------------------------------------------------------------------------

    async def _shown_afterwards(self) -> None:
        await asyncio.sleep(RETRY_AFTER + (SLOWED if self.trouble.slowed else FRESH_WITHIN))
        for group in self.groups:
            self._ended_is_shown(group)
            await self._shows_newest(group)
            await self._press_lost_lobbies(group)
            for lobby in left_alone(group, self.witness, self.trouble):
                self.broken("a lobby has one message", f"{lobby} beside {group.public}")

    async def _press_lost_lobbies(self, group: Group) -> None:
        """Somebody presses each lobby that was posted without the bot hearing of it, as when it was
        killed meanwhile: a press tells the bot its id, and it goes.
        """
        for lobby in [*left_alone(group, self.witness, self.trouble)]:
            join = screens.pressable(lobby, "Join")
            if join is not None and was_posted(lobby, group.channel, self.server):
                asked = self.server.click(group.players[0].user, lobby, join.custom_id, stale=True)
                _ = await self.witness.pressed(asked).record.wait()
                await asyncio.sleep(FRESH_WITHIN)

    async def _look_away(self, group: Group) -> None:
        """For longer than a token lives only one of the players is there, and then leaves. Of the
        others' panels half take the next edit each time, and say nothing.
        """
        there = next((one for one in group.players if self._is_live(group, one)), None)
        if there is None:
            return
        for _ in range(int(LIFE_OF_A_TOKEN / NOW_AND_THEN) + 2):
            await group.plays_on(there)
            hang = self.trouble.hang([group.panel(one) for one in group.players])
            await asyncio.sleep(NOW_AND_THEN)
            for fault in hang:
                self.server.faults.remove(fault)
        await group.leaves(there)

    def _ended_is_shown(self, group: Group) -> None:
        """The panels of a match that is over offer another one, and no move."""
        public = group.public
        if public is None or not screens.pressable(public, screens.ENDED):
            return
        for player in group.players:
            panel = group.panel(player)
            if panel is None or not self._is_live(group, player) or panel.text.startswith(LEFT):
                continue  # whoever left is told of the match where they ask
            same = screens.table(panel) == screens.table(public)
            if same and not screens.pressable(panel, screens.ENDED):
                self.broken("a panel shows the newest state", f"{player.user.name}: {panel.text}")

    async def _shows_newest(self, group: Group) -> None:
        """Panels look as a panel does that is asked for now; the table's message agrees."""
        if (public := await self._posted_again(group)) is None or not screens.pressable(
            public, *screens.MINE
        ):
            return
        for player in group.players:
            old, public = group.panel(player), group.public
            if public is None or old is None or not self._is_live(group, player):
                continue
            before, item = screens.Look.of(old), screens.pressable(public, *screens.MINE)
            if item is None:
                return
            answer = self.server.click(player.user, public, item.custom_id, stale=True)
            _ = await self.witness.pressed(answer).record.wait()
            fresh = group.panel(player)
            if fresh is None or fresh is old:
                await asyncio.sleep(BY_LETTER)
                fresh = group.panel(player)
            if fresh is not None and screens.table(fresh) != screens.table(old):
                continue  # the old one's table was lost with the power
            elsewhere = screens.table(old) != screens.table(public)
            if elsewhere or (fresh is old and not self._is_stored(int(screens.table(old)))):
                # It closed just before a kill, and its direct messages still stand there; or it
                # plays on in its thread, and here another table was opened.
                continue
            if fresh is None:
                self.broken("My cards gives a panel", f"{player.user.name}: {answer}")
                continue
            if found := _is_pushed(public) and before.differences(screens.Look.of(fresh)):
                self.broken("a panel shows the newest state", f"{player.user.name}: {found}")
            if screens.centre(fresh) and screens.centre(public) != screens.centre(fresh):
                self.broken(
                    "the table's message shows the newest state",
                    f"{screens.centre(public)} instead of {screens.centre(fresh)}",
                )

    def _is_stored(self, table: int) -> bool:
        """Whether a table is open, by the file."""
        return bool(self.witness.query("SELECT 1 FROM journal WHERE table_id = ? LIMIT 1", table))

    async def _posted_again(self, group: Group) -> Message | None:
        """The table's message. Where panels say that it isn't posted any more, somebody does first
        what they say.
        """
        for player in group.players:
            panel = group.panel(player)
            if panel is not None and NOT_POSTED in panel.text and self._is_live(group, player):
                asked = self.server.slash(player.user, group.channel, group.game)
                _ = await self.witness.pressed(asked).record.wait()
                await asyncio.sleep(FRESH_WITHIN)
                break
        return group.public

    def _is_live(self, group: Group, player: Player) -> bool:
        """Whether the bot can still edit the panel: one that sleeps says so, and one of which the
        bot can't know, or that it has left for a newer one, wakes at a press.
        """
        panel = group.panel(player)
        if panel is None or "timed out" in panel.text or not panel.controls:
            return False
        since = max(self._made_unknown(panel), default=0.0)
        word = f"lg1:{screens.table(panel)}:"
        pressed = (
            press.at
            for press in self.witness.presses
            if press.record.message is panel
            and press.answer is not None
            and press.record.name.startswith(word)
        )
        return since == 0.0 or max(pressed, default=0.0) > since

    def _made_unknown(self, panel: Message) -> Iterator[float]:
        """When the bot was told that the token was dead, or not told that the panel was made, or
        lost the note of it: with the power, or with a process whose disk took no note, or that
        ended before it could hear that Discord has the panel. Or when it
        wanted to delete the panel, since there was a newer one, and Discord has refused. Or when it
        was killed before it had stored the newest token, and the one before was too old.
        """
        born = made(panel)
        if born <= self.witness.power_cut:
            yield self.witness.power_cut
        yield from self.trouble.notes_lost(born)
        for at, method, path, status, _ in self.server.calls:
            if str(panel.id) not in path:
                continue
            is_told = method == "PATCH" and status in GONE and self._is_early(panel, at)
            if method == "DELETE" or is_told:
                yield at
        for press in self.witness.presses:
            if press.record.original is not panel:
                continue
            if self._is_spoiled(press):
                yield press.at
            yield from self.trouble.ended_before_hearing(press)
        for at in self.trouble.ends:
            stored = self._pressed(panel, at - WRITTEN_BEHIND)
            if self._pressed(panel, at) > stored and stored + LIFE_OF_A_TOKEN < at + LAST_START:
                yield at

    def _pressed(self, panel: Message, until: float) -> float:
        """When the panel got the newest token that it had then."""
        pressed = [p.at for p in self.witness.presses if p.record.message is panel]
        return max((at for at in pressed if at <= until), default=made(panel))

    def _is_early(self, panel: Message, at: float) -> bool:
        """Whether the panel's token lived at this time: one that dies is put to sleep before."""
        return at < self._pressed(panel, at) + LIFE_OF_A_TOKEN

    def _is_spoiled(self, press: Press) -> bool:
        """Whether a call that answers this press was spoiled."""
        faults = self.trouble.faults
        return any(press.record.token in call for fault in faults for call in fault.spoiled)

    # -- presses and the journal -------------------------------------------------------------

    def _presses_are_answered(self) -> None:
        """Every press was answered, or there is a reason why not."""
        silent = [press for press in self.witness.presses if press.answer is None]
        unexplained = [press for press in silent if not self._excuse(press)]
        dropped = sum(
            int(found[1]) for one in self.log.lines if (found := _DROPPED.search(one.text))
        )
        for press in unexplained[dropped:]:
            self.broken("every press is answered", f"{press.at:.3f} {press.record}")

    def _excuse(self, press: Press) -> str:
        for began, ended, why in self.trouble.windows:
            if began - DEADLINE <= press.at <= ended:
                return why
        message = press.record.message
        if press.record.error == UNKNOWN_MESSAGE and message is not None and message.deleted:
            return "its panel was left for a newer one and deleted meanwhile"
        return "its answer was spoiled" if self._is_spoiled(press) else ""

    # -- going home, and coming back -----------------------------------------------------------

    async def _goes_home(self, group: Group) -> None:
        try:
            async with asyncio.timeout(60.0):
                await group.go_home()
        except TimeoutError:
            self.broken("everyone can leave", f"{group.channel}: {group.public}")

    async def _opens_again(self, group: Group) -> None:
        """Everybody can open or join a table again."""
        host, *others = group.players
        opened = self.server.slash(host.user, group.channel, group.game)
        answer = await self.witness.pressed(opened).record.wait()
        await asyncio.sleep(FRESH_WITHIN)
        public = group.public
        if answer_of(answer) is None or public is None or not screens.pressable(public, "Join"):
            told = answer.original.text if answer.original is not None else ""
            self.broken("everyone can open a table again", f"{answer}: {told}, {public}")
            return
        for player in others:
            item = screens.pressable(public, "Join")
            if item is None:
                break
            joined = self.server.click(player.user, public, item.custom_id, stale=True)
            _ = await self.witness.pressed(joined).record.wait()
        await asyncio.sleep(FRESH_WITHIN)
        for player in group.players:
            if (public := group.public) is None or not is_seated(player, public):
                self.broken("everyone can join a table again", f"{player.user.name}: {public}")
        await self._goes_home(group)


def _is_pushed(public: Message) -> bool:
    """Whether what happens at this table now is pushed in every channel. While people get ready the
    table's message may do for it.
    """
    return not any(screens.pressable(public, label) for label in ("Ready", "Next round"))
