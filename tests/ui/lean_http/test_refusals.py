"""Refusals as discord.py's exceptions; proxies that need another client."""

import discord
import pytest

from bot.ui.connection.lean_http.proxies import proxy_of
from bot.ui.connection.lean_http.refusals import refusal
from bot.ui.connection.lean_http.replies import Headers, Reply
from bot.ui.connection.lean_http.requests import Requests

DISCORD = "https://discord.com/api/v10"


@pytest.mark.parametrize(
    ("status", "body", "kind", "code", "said"),
    [
        (400, b'{"code":50035,"message":"Bad"}', discord.HTTPException, 50035, "400 Bad Request"),
        (403, b'{"code":50001,"message":"No"}', discord.Forbidden, 50001, "403 Forbidden"),
        (404, b'{"code":10062,"message":"Gone"}', discord.NotFound, 10062, "404 Not Found"),
        (404, b"<html>", discord.NotFound, 0, "404 Not Found (error code: 0): <html>"),
        (429, b'["x"]', discord.HTTPException, 0, "429 Too Many Requests (error code: 0): ["),
        (101, b"", discord.HTTPException, 0, "101 Switching Protocols"),
        (302, b"", discord.HTTPException, 0, "302 Found"),
        (418, b"\xff", discord.HTTPException, 0, "418 I'm a Teapot"),
        (502, b"<html>", discord.DiscordServerError, 0, "502 Bad Gateway"),
        (524, b"", discord.DiscordServerError, 0, "524 "),
    ],
)
def test_refusal_is_discord_pys(
    status: int, body: bytes, kind: type[Exception], code: int, said: str
) -> None:
    error = refusal(Reply(status, Headers({b"retry-after": b"2"}), body))
    assert type(error) is kind
    assert (error.status, error.code) == (status, code)
    assert str(error).startswith(said)
    assert isinstance(error.text, str)
    assert error.response.headers["Retry-After"] == "2"


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        ({}, None),
        ({"HTTPS_PROXY": "http://proxy:3128"}, "http://proxy:3128"),
        ({"https_proxy": "http://proxy:3128"}, "http://proxy:3128"),
        ({"ALL_PROXY": "http://proxy:3128"}, "http://proxy:3128"),
        ({"HTTPS_PROXY": ""}, None),
        ({"HTTP_PROXY": "http://proxy:3128"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "example.org,discord.com"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "*"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "other.com"}, "http://proxy:3128"),
    ],
)
def test_proxy_of_the_environment_is_found(
    environment: dict[str, str], proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_of(DISCORD) == proxy


@pytest.mark.parametrize("bad", ["a\r\nX: y", "a\nb", "a\0", "a\x7f", "é"])
def test_header_with_a_control_character_is_none(bad: str) -> None:
    for number in range(4):
        values = ["h", "/p", "a", "t"]
        values[number] = bad
        with pytest.raises(ValueError, match="header"):
            Requests(*values)
