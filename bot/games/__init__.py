"""The games on offer. A new game is a new folder and one more name here."""

from bot.games.kernel import AnyGame
from bot.games.ligretto import LIGRETTO

GAMES: dict[str, AnyGame] = {game.key: game for game in (LIGRETTO,)}
