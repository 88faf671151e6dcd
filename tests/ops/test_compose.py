"""The compose files: confined alike, and groups that fit together."""

from typing import Any

import yaml

from bot.groups.layout import shards
from tests.forks import ROOT

CONFINED = {
    "restart", "read_only", "tmpfs", "cap_drop", "security_opt", "mem_limit", "stop_grace_period",
    "logging",
}  # fmt: skip


def services(name: str) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((ROOT / name).read_text())["services"]
    return read


def test_groups_have_each_shard_once_and_files_of_their_own() -> None:
    a, b = (services("deploy/compose.groups.yaml")[name] for name in "ab")
    count = int(a["environment"]["SHARD_COUNT"])
    owned = [*shards(a["environment"]["SHARD_IDS"]), *shards(b["environment"]["SHARD_IDS"])]
    assert owned == list(range(count))
    assert count == int(b["environment"]["SHARD_COUNT"])
    assert (a["volumes"], b["volumes"]) == (["a:/data"], ["b:/data"])


def test_groups_are_confined_as_one_process_is() -> None:
    alone = services("compose.yaml")["ligretto"]
    for name in "ab":
        group = services("deploy/compose.groups.yaml")[name]
        assert {key: group.get(key) for key in CONFINED} == {key: alone[key] for key in CONFINED}


def test_valkey_is_pinned_has_a_password_and_drops_nothing() -> None:
    valkey = services("deploy/compose.groups.yaml")["valkey"]
    name, version = valkey["image"].split(":")
    assert name == "valkey/valkey"
    assert len(version.split(".")) == 3
    started = valkey["command"][-1]
    assert '--requirepass "$$VALKEY_PASSWORD"' in started
    assert "--maxmemory-policy noeviction" in started
    assert "ports" not in valkey, "only the groups reach it"


def test_image_can_be_a_group() -> None:
    assert ".[groups]" in (ROOT / "Dockerfile").read_text()
