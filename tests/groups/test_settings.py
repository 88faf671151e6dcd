"""The settings of a bot of several processes, and what is said of wrong ones."""

import pytest

from bot.groups.layout import WHOLE, Layout
from bot.settings.config import Config, read
from bot.settings.settings_file import ConfigError

NEEDED = {"DISCORD_TOKEN": "a.b.c"}
GROUPS = {"SHARD_COUNT": "8", "SHARD_IDS": "0-1, 4", "VALKEY_URL": "valkey://127.0.0.1:6379"}


def config(monkeypatch: pytest.MonkeyPatch, **settings: str) -> Config:
    for name in GROUPS:
        monkeypatch.delenv(name, raising=False)
    for name, value in {**NEEDED, **settings}.items():
        monkeypatch.setenv(name, value)
    return read(Config)


def test_without_them_one_process_is_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    assert config(monkeypatch).layout == WHOLE


def test_a_group_has_its_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    assert config(monkeypatch, **GROUPS).layout == Layout(8, (0, 1, 4))


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("valkey://h:1", "redis://h:1"),
        ("valkeys://:secret@h:1/2", "rediss://:secret@h:1/2"),
        ("redis://h", "redis://h"),
        ("unix:///run/valkey.sock", "unix:///run/valkey.sock"),
    ],
)
def test_an_address_is_one_that_the_client_knows(
    monkeypatch: pytest.MonkeyPatch, written: str, read_as: str
) -> None:
    url = config(monkeypatch, **GROUPS | {"VALKEY_URL": written}).valkey_url
    assert url is not None
    assert url.get_secret_value() == read_as
    assert "secret" not in repr(url)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"SHARD_IDS": "0-8"}, "SHARD_IDS: shards are numbered from 0 to 7, one less than"),
        ({"SHARD_IDS": "all"}, "SHARD_IDS: must be numbers and ranges of shards, such as 0-3"),
        ({"SHARD_IDS": "0-3,2"}, "SHARD_IDS: shard 2 is named twice"),
        ({"SHARD_IDS": ""}, "SHARD_COUNT, SHARD_IDS and VALKEY_URL belong together: set all three"),
        ({"SHARD_COUNT": "0"}, "SHARD_COUNT: must be the number of the bot's shards, from 1 to"),
        ({"SHARD_COUNT": "x"}, "SHARD_COUNT: must be the number of the bot's shards, from 1 to"),
        ({"VALKEY_URL": "valkey://h:1/x"}, "VALKEY_URL: x is no number of a database: leave it"),
        ({"VALKEY_URL": "valkey://h:1?db=x"}, "VALKEY_URL: x is no number of a database: leave it"),
        (
            {"VALKEY_URL": "valkeys://h:1?ssl_ca_certs=/nowhere.pem"},
            "VALKEY_URL: the file of ssl_ca_certs cannot be read: No such file or directory",
        ),
        ({"VALKEY_URL": "h:1"}, "VALKEY_URL: must be an address such as valkey://127.0.0.1:6379"),
        (
            {"VALKEY_URL": "valkeys://h:1?ssl_ca_cert=/x"},
            "VALKEY_URL: ssl_ca_cert is no option of the address; did you mean ssl_ca_certs?",
        ),
        (
            {"VALKEY_URL": "valkey://h:1?ssl_ca_certs=/x"},
            "VALKEY_URL: ssl_ca_certs needs TLS: write valkeys:// with an s",
        ),
        ({"VALKEY_URL": "valkey://h:1?zzz=1"}, "VALKEY_URL: zzz is no option of the address: it"),
    ],
)
def test_a_wrong_one_is_named(
    monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], said: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        config(monkeypatch, **GROUPS | changed)
    assert said in str(refused.value)


def test_a_password_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError) as refused:
        config(monkeypatch, **GROUPS | {"VALKEY_URL": "http://:hunter2@h:1"})
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("sign", "/?#")
def test_a_password_that_ends_the_address_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, sign: str
) -> None:
    """Of two signs in a password, the first makes an address of what is before the second."""
    for word in ("hunter2", "hunter2=1", "db=hunter2"):
        with pytest.raises(ConfigError) as refused:
            config(monkeypatch, **GROUPS | {"VALKEY_URL": f"valkey://:p@s{sign}{word}@h:1"})
        said = str(refused.value)
        assert "write / as %2F, # as %23, ? as %3F, @ as %40 and % as %25" in said
        assert "hunter2" not in said
