"""An evening in several languages at one table, over real sockets."""

from pathlib import Path

from bot.fakediscord import Server
from tests.loopback.bots import PATIENCE, bot_process
from tests.loopback.players import Player, labels

WORDS = {
    "de": {"join": "Beitreten", "ready": "Bereit", "turn": "Wenden", "rules": "Regeln"},
    "fr": {"join": "Rejoindre", "ready": "C’est bon", "turn": "Révéler", "rules": "Règles"},
    "pl": {"join": "Join", "ready": "Ready", "turn": "Flip", "rules": "Rules"},
}
"""Nobody has translated Polish: its speakers read English."""


async def seated(server: Server, table: str, game: str = "ligretto") -> dict[str, Player]:
    """A server in the language `table`, and a started match of people with three others."""
    channel = server.all_channels[0]
    assert channel.guild is not None
    channel.guild.locale = table
    players = {one: Player(server, server.user(f"{one}-speaker", one), channel) for one in WORDS}
    host, *others = players.values()
    _ = await host.open(game)
    for player in others:
        _ = await player.press_public(WORDS[table]["join"])
    _ = await host.press_public({"de": "Start", "fr": "Démarrer"}[table])
    return players


async def test_a_german_table_with_a_french_and_a_polish_player(tmp_path: Path) -> None:
    """The table is German; everybody's panel is in his own words, with the table's letters."""
    async with Server() as server, bot_process(server, tmp_path / "many.db"):
        players = await seated(server, "de")
        german, french, polish = players["de"], players["fr"], players["pl"]
        await server.wait_for(lambda: "⏳" in german.public.text, PATIENCE)
        await french.sees("C’est bon")
        await server.wait_for(lambda: "Then press Ready" in polish.panel.text, PATIENCE)
        for one, player in players.items():
            _ = await player.press(WORDS[one]["ready"])
        for one, player in players.items():
            await player.sees(WORDS[one]["turn"])
        await server.wait_for(lambda: "`E " in german.public.text, PATIENCE)
        assert "Runde\xa01\xa0von\xa03" in german.public.text

        for player in players.values():
            assert "`R " in player.panel.text
            assert "`E " in player.panel.text, "yellow is the table's E, not J and not Y"
        seen = {label[0] for label in labels(french.panel) if label[1:].isdigit()}
        assert seen <= set("REGB")

        _ = await french.press("Révéler")
        assert "révélée" in french.panel.text
        closed = [item for item in french.panel.controls if (item.label or "")[1:].isdigit()]
        wrong = next(item for item in closed if (item.label or "")[1:] != "1")
        _ = await server.click(french.user, french.panel, wrong.custom_id).wait()
        assert "✖ " in french.panel.text
        assert f" {wrong.label}\N{NO-BREAK SPACE}: il faut d’abord" in french.panel.text


async def test_rules_are_read_in_ones_own_words(tmp_path: Path) -> None:
    """The button is on everybody's message, the answer for one person, with the table's letters."""
    async with Server() as server, bot_process(server, tmp_path / "rules.db"):
        players = await seated(server, "fr", "dice")
        german = players["de"]
        answer = await german.press_public("Règles")
        assert answer.original is not None
        text = answer.original.text
        assert text.startswith("## Würfel-Ligretto")
        assert "🔶 J gelb" in text
        turned = await server.click(german.user, answer.original, label="Wertung").wait()
        assert turned.ok
        rules = answer.original
        await server.wait_for(lambda: "Ligretto Stopp!" in rules.text, PATIENCE)
        assert len(server.panels(german.user, german.channel)) == 3, (
            "the lobby's panel, the hand below it, and the rules"
        )
        typed = await server.slash(german.user, german.channel, "rules").wait()
        assert typed.original is not None
        assert typed.original.text.startswith("## Würfel-Ligretto"), "what is played here"
        cards = await server.slash(
            german.user, german.channel, "rules", {"game": "ligretto"}
        ).wait()
        assert cards.original is not None
        assert cards.original.text.startswith("## Ligretto:")


async def test_a_french_table_of_dice(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "dice.db"):
        players = await seated(server, "fr", "dice")
        for one, player in players.items():
            _ = await player.press(WORDS[one]["ready"])
        german = players["de"]
        await server.wait_for(
            lambda: "manche\N{NO-BREAK SPACE}1 sur 9" in german.public.text, PATIENCE
        )
        await server.wait_for(
            lambda: any((label or "").startswith("Würfeln") for label in labels(german.panel)),
            PATIENCE,
        )
        await server.wait_for(lambda: "`J – · · · · ·`" in german.public.text, PATIENCE)


async def test_help_and_commands_answer_in_the_askers_language(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "help.db"):
        channel = server.all_channels[0]
        told = {one["name"]: one["name_localizations"] for one in server.commands.values()}
        assert told["dice"]["de"] == "würfel"
        assert told["rules"]["es-419"] == "reglas"
        for locale, name in (("es-419", "/dados"), ("nl", "/dobbelen"), ("it", "/dadi")):
            answer = await server.slash(server.user(locale, locale), channel, "help").wait()
            assert answer.original is not None
            assert name in answer.original.text
