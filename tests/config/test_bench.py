"""What ``make bench`` says of what it measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks.report import FILE, figure, figures
from benchmarks.rounds import gathered


def said(name: str, value: float, ratio: float) -> dict[str, object]:
    return {"name": name, "value": value, "unit": "ms", "ratio": ratio, "baseline": "itself"}


def test_a_figure_of_several_rounds_is_their_median_with_its_spread() -> None:
    (found,) = gathered([[said("a read", value, ratio)] for value, ratio in ((30, 3.0), (10, 1.0), (11, 1.25))])
    assert (found.value, found.ratio) == (11, 1.25)
    assert found.line([]).split() == ["a", "read", "11.00", "ms", "1.25×", "itself", "(1.00–3.00", "in", "3)"]


def test_what_belongs_to_a_figure_is_kept_apart_from_what_belongs_to_another() -> None:
    one = [said("sale", 1, 1), said("  CPU", 2, 2), said("  CPU", 3, 3), said("payment", 4, 4), said("  CPU", 5, 5)]
    found = gathered([one, one])
    assert [each.key for each in found] == ["sale", "sale: CPU", "sale: CPU 2", "payment", "payment: CPU"]
    assert [each.value for each in found] == [1, 2, 3, 4, 5]


def test_the_change_since_the_recorded_run_is_said() -> None:
    (found,) = gathered([[said("sale", 1, 1.5)]])
    assert "+50% to the last 1.00" in found.line([{"key": "sale", "ratio": 1.0}])
    assert "last" not in found.line([{"key": "payment", "ratio": 1.0}])


def test_what_one_round_writes_down_is_read_with_its_own_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FILE, str(tmp_path / "figures"))
    figure("sale", 1.0, "ms", 2.0, "itself")
    figures("payment", [3.0, 5.0, 4.0], "ms", [1.0, 2.0, 3.0], "itself")
    sale, payment = gathered([[json.loads(line) for line in (tmp_path / "figures").read_text().splitlines()]])
    assert (sale.values, payment.values, payment.value, payment.ratio) == ((1.0,), (3.0, 5.0, 4.0), 4.0, 2.0)


def test_what_is_recorded_anew_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "recorded.json"
    bench.write(path, "keno", {"cores": 2}, gathered([[said("sale", 1, 1)]]))
    bench.write(path, "signage", {"cores": 4}, gathered([[said("event", 2, 2)]]))
    bench.write(path, "keno", {"cores": 8}, gathered([[said("sale", 3, 3)]]))
    kept = bench.read(path)
    assert {name: (each["measured"], each["figures"][0]["value"]) for name, each in kept.items()} == {
        "keno": ({"cores": 8}, 3),
        "signage": ({"cores": 4}, 2),
    }


def test_every_benchmark_that_is_named_is_there() -> None:
    folder = Path(bench.__file__).parent
    assert [name for name in bench.FIGURES if not (folder / f"{name}.py").exists()] == []


def test_a_round_too_many_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = [0.0]

    def once(name: str, *, seconds: float) -> tuple[list[dict[str, object]], int]:
        passed[0] += 40
        return [said("sale", 1, 1)], 0

    monkeypatch.setattr("benchmarks.__main__.time.monotonic", lambda: passed[0])
    monkeypatch.setattr(bench, "once", once)
    rounds, code = bench.measured("keno", share=100, left=1_000)
    assert (len(rounds), code) == (2, 0)
