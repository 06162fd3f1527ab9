"""What a real house is run by: the files agree with the code, and each part starts from their command line."""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from prometheus_client.metrics import MetricWrapperBase

from config import nodes
from kernel.environment import ROOT
from tests.world.copies import PATIENCE, Copy, own_folder
from web import metrics

DEPLOY = ROOT / "deploy"
COMPOSE: Any = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
OURS = {name: part for name, part in COMPOSE["services"].items() if "meterhouse:" in part["image"]}
RULES: Any = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())["groups"][0]["rules"]
START = [sys.executable, "-m", "config.run"]


def figures() -> set[str]:
    """Every name that Prometheus may be asked for."""
    known = set()
    for figure in vars(metrics).values():
        for family in figure.describe() if isinstance(figure, MetricWrapperBase) else ():
            known |= {family.name, f"{family.name}_total", f"{family.name}_bucket"}
    return known


def test_every_alert_has_its_page_and_every_figure_exists() -> None:
    pages = re.findall(r"^## (\w+)$", (ROOT / "docs/runbook.md").read_text(), re.MULTILINE)
    assert pages == [rule["alert"] for rule in RULES]
    for rule in RULES:
        assert rule["annotations"]["runbook"] == f"docs/runbook.md#{rule['alert'].lower()}"
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("page", "ticket")
    panels = json.loads((DEPLOY / "grafana/meterhouse.json").read_text())["panels"]
    asked = [rule["expr"] for rule in RULES] + [target["expr"] for panel in panels for target in panel["targets"]]
    named = {name for expression in asked for name in re.findall(r"meterhouse_\w+", expression)}
    assert named - figures() == set()
    assert figures() >= {"meterhouse_late_seconds", "meterhouse_ticks_total"}  # the set is not empty by mistake
    late = {name for expression in asked for name in re.findall(r'what="(\w+)"', expression)}
    assert late == {"loops", "games", "seals", "boards", "work", "clock"}


def test_the_containers_are_one_image_of_no_root_and_together_the_whole_house(monkeypatch: pytest.MonkeyPatch) -> None:
    run: set[str] = set()
    for name, part in OURS.items():
        assert part["image"] == OURS["web"]["image"], name
        assert (part["user"], part["read_only"], part["cap_drop"]) == ("10001:10001", True, ["ALL"]), name
        told = part["environment"]
        for variable in ("ONLY", "DATABASE_URL", "REDIS_URL", "WITNESS_URL"):
            monkeypatch.setenv(variable, told[variable])
        mine = nodes.share()
        run |= set(mine.programs) | ({"prepare"} if mine.prepares else set())
        assert ("DATABASE_OWNER_URL" in told) == mine.prepares, name  # nobody else has its password
        assert ("DATABASE_SEALER_URL" in told) == (mine.prepares or "sealer" in mine.programs), name
    assert run == {"prepare", "web", "streams", "worker", "sealer", "beat"}
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    assert 'ENTRYPOINT ["python", "-m", "config.run"]' in dockerfile
    assert dockerfile.index("USER 10001") < dockerfile.index("ENTRYPOINT")
    written = "".join(path.read_text() for path in DEPLOY.rglob("*") if path.is_file())
    wanted = set(re.findall(r"\$\{(\w+):\?", written))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE))
    assert wanted == given
    assert not re.findall(r"^\w*PASSWORD=.+$", (DEPLOY / "env.example").read_text(), re.MULTILINE)


def test_the_units_start_what_the_supervisor_is_and_the_proxy_sends_streams_to_streams() -> None:
    units = {path.name: path.read_text() for path in (DEPLOY / "systemd").iterdir()}
    for name in ("meterhouse.service", "meterhouse-prepare.service"):
        assert re.search(r"^ExecStart=.*/opt/meterhouse/\.venv/bin/python -m config\.run$", units[name], re.MULTILINE)
    for name, unit in units.items():
        if name.endswith(".service"):
            assert "User=meterhouse" in unit, name
            assert "NoNewPrivileges=true" in unit, name
    assert units["meterhouse-backup.service"].count("manage.py") == 2
    proxy = (DEPLOY / "Caddyfile").read_text()
    assert re.search(r"@streams path /signage/stream\n\s*reverse_proxy @streams \{\$STREAMS", proxy)
    assert "flush_interval -1" in proxy
    assert "/metrics" in proxy
    assert "request_buffers" in proxy
    assert proxy.count("{") == proxy.count("}")
    subprocess.run(["sh", "-n", DEPLOY / "roles.sh"], check=True)


@pytest.fixture
def somebody() -> Iterator[tuple[int, Path]]:
    """A user who is not root, and a folder of his."""
    user, data = os.geteuid() or pwd.getpwnam("nobody").pw_uid, own_folder()
    os.chown(data, user, -1)
    yield user, data
    shutil.rmtree(data, ignore_errors=True)


@pytest.mark.long
def test_every_part_starts_as_another_user_than_root(somebody: tuple[int, Path]) -> None:
    """The command line of image and units, with the embedded services: there is no container here."""
    user, data = somebody
    copy = Copy(data, METERHOUSE_DEMO="0", HOME=str(data), METERHOUSE_LOG="json")
    process = subprocess.Popen(
        START, cwd=ROOT, env=copy.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        user=user if not os.geteuid() else None, group=user if not os.geteuid() else None,
        extra_groups=[] if not os.geteuid() else None,
    )  # fmt: skip
    said: list[str] = []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if "Meterhouse is ready" in line:
                break
        assert "Meterhouse is ready" in said[-1], "".join(said)
        running = copy.processes()
        assert {each.uids().real for each in running} == {user}
        lines = [" ".join(each.cmdline()) for each in running]
        for part in ("config.web", "config.streams", "config.sealer", "celery -A config.celery --quiet worker", "beat"):
            assert any(part in line for line in lines), part
        assert copy.get("/healthz") == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        for each in copy.processes():
            each.kill()
        psutil.wait_procs(copy.processes(), PATIENCE)
