"""`setup --system`: the bot as a service of this machine, or in the folder of an image."""

from pathlib import Path

from bot.cli.exits import CLEAN
from bot.cli.setup_steps import accepted_token, finish, save, say
from bot.ops.setup.service import Service, ServiceError
from bot.settings.config import Config
from bot.settings.home import roots_command
from bot.settings.settings_file import ConfigError, written


def set_up(root: Path, *, wait: bool) -> int:
    """Set the service up, and start it if `root` is the running system. Return the exit code.

    Raises ConfigError for what must be fixed first.
    """
    service = Service(root.absolute())
    try:
        service.refuse()
        token, bot = accepted_token(service.settings)
        made = [*_said(service)]
        own = {name: value for name, value in written(service.settings).items() if value}
        values = {"DISCORD_TOKEN": token, **service.values}
        is_new = save(service.settings, {**values, **_kept(own, values)})

        def begin(_: Config | None = None) -> None:
            for line in service.start(is_changed=is_new or bool(made)):
                say(f"ran {line}")

        if service.is_running_system:
            words = "check|backup|restore|export"
            say(f"Manage it: {roots_command()} {words}, and journalctl -u ligretto")
            return finish(token, bot, begin, wait=wait)
        begin()
    except ServiceError as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{error.filename} cannot be changed: {error.strerror}") from None
    say(f"The service starts with the system in {root}.")
    return CLEAN


def _said(service: Service) -> list[str]:
    made = []
    for line in service.prepare():
        say(line)
        made.append(line)
    return made


def _kept(own: dict[str, str], values: dict[str, str]) -> dict[str, str]:
    """Return the absolute paths that the file has already: an owner has chosen them."""
    return {
        name: own[name]
        for name in values
        if name != "DISCORD_TOKEN" and Path(own.get(name, "")).is_absolute()
    }
