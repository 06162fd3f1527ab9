"""Published draws, honest and forged, against our check and one of its own."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance.proof import entry_leaf, holds
from chance.two_party import How
from draws.acts import MasterPromised
from kernel import unique_signatures
from ledger.acts import OccasionSealed
from promotions import verify as checker
from promotions.acts.draws import DrawBegun, ScrutineerSigned
from promotions.acts.prizes import PrizeLost
from promotions.rules.draw import Loss
from promotions.verify import check
from tests.promotions.published_draws import keys, published
from tests.world.promotion_draws import failed, oracle_faults


@given(
    people=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30),
    prizes=st.integers(1, 4),
    alternates=st.integers(0, 3),
    one=st.booleans(),
    lost=st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=4),
    barred=st.sets(st.integers(1, 30), max_size=4),
    attempt=st.integers(1, 2),
    overseen=st.booleans(),
)
def test_the_check_and_the_oracle_agree_with_every_honest_draw(
    people: Any, prizes: int, alternates: int, one: bool, lost: Any, barred: Any, attempt: int, overseen: bool
) -> None:
    losses: tuple[Loss, ...] = ()
    how: dict[str, Any] = {
        "prizes": prizes,
        "alternates": alternates,
        "one": one,
        "attempt": attempt,
        "overseen": overseen,
    }
    how["barred"] = tuple(sorted(each for each in barred if each <= len(people)))
    for which, redraw in lost:  # each loss hits somebody who holds a prize by then
        made, _ = published(people, **how, losses=losses)
        holding = [line["place"] for line in made["drawn"] if line["outcome"] == "winner"]
        if holding:
            losses = (*losses, Loss(holding[which % len(holding)], redraw))
    made, noted = published(people, **how, losses=losses)
    assert failed(made, noted) == []
    assert oracle_faults(made, noted) == []


PEOPLE = [f"p{n % 9}" for n in range(40)]


def test_an_entry_added_after_the_seal_is_caught() -> None:
    _, noted = published(PEOPLE)
    made, _ = published([*PEOPLE, "insider"])
    assert set(failed(made, noted)) == {"published ticket root", "published count", "list"}
    assert {"root", "count", "list"} <= set(oracle_faults(made, noted))
    # Put in secretly, behind an unchanged root and count, the list does not fit and neither does the entry.
    honest, noted = published(PEOPLE)
    honest["drawn"][0]["leaf"] = entry_leaf("insider").hex()
    honest["drawn"][0]["text"] = "insider"
    assert failed(honest, noted) == ["entries"]
    assert oracle_faults(honest, noted) == [f"entry {honest['drawn'][0]['entry']}"]


def test_a_swapped_master_is_caught() -> None:
    _, noted = published(PEOPLE)
    made, _ = published(PEOPLE, master=bytes(32))
    assert failed(made, noted) == ["published commitment"]
    assert oracle_faults(made, noted) == ["commitment"]
    made["proof"]["commitment"] = noted["commitment"]  # the old commitment with the new master
    assert failed(made, noted) == ["commitment"]
    assert oracle_faults(made, noted) == ["commitment"]


def test_an_answer_of_somebody_else_is_caught() -> None:
    """Another signature, another question, or dice that are called the witness's."""
    made, noted = published(PEOPLE)
    other, _ = published([*PEOPLE[1:], PEOPLE[0]])
    for part in ("said", "question"):
        forged = copy.deepcopy(made)
        forged["proof"][part] = other["proof"][part]
        assert "witness" in failed(forged, noted) or "question" in failed(forged, noted)
        assert {"witness", "root"} & set(oracle_faults(forged, noted))
    thrown, noted = published(PEOPLE, how=How.DICE)
    assert (failed(thrown, noted), oracle_faults(thrown, noted)) == ([], [])
    thrown["proof"]["how"] = "witness"
    assert "witness" in failed(thrown, noted)
    assert "witness" in oracle_faults(thrown, noted)


def test_a_void_attempt_left_out_or_told_otherwise_is_caught() -> None:
    honest, noted = published(PEOPLE, attempt=3)
    assert (failed(honest, noted), oracle_faults(honest, noted)) == ([], [])
    silent = copy.deepcopy(honest)
    silent["void"].pop(0)
    assert failed(silent, noted) == ["void attempts"]
    assert oracle_faults(silent, noted) == ["void"]
    lying = copy.deepcopy(honest)
    lying["void"][0]["proof"]["numbers"].reverse()
    assert failed(lying, noted) == ["void attempts"]
    assert oracle_faults(lying, noted) == ["void 1"]
    foreign = copy.deepcopy(honest)
    foreign["void"] = published([*PEOPLE, "x"], attempt=3)[0]["void"]  # drawn from another list
    assert failed(foreign, noted) == ["void attempts"]
    assert oracle_faults(foreign, noted) == ["void 1", "void 2"]


def test_somebody_barred_afterwards_is_caught() -> None:
    """Barring is not in the proof of the order: it is held against the log, written before the witness was asked."""
    made, noted = published(PEOPLE)
    winner = made["drawn"][0]["entry"]
    barred, _ = published(PEOPLE, barred=(winner,))
    assert failed(barred, noted) == []
    begun = DrawBegun(
        promotion="SPRING", draw=1, attempt=1, list_=1, version=1, prizes=2, alternates=2, one_prize_a_person=True,
        barred=(),
    )  # fmt: skip
    promised = checker.Promised(noted["commitment"], noted["root"], noted["count"], begun=begun, losses=())
    assert [step.name for step in check(barred, promised=promised) if not step.ok] == ["log"]
    assert holds(check(made, promised=promised))
    # Nor is a loss that the log does not know.
    invented, _ = published(PEOPLE, losses=(Loss(1, True),))
    assert failed(invented, noted) == []
    assert [step.name for step in check(invented, promised=promised) if not step.ok] == ["log"]


def test_a_replaced_winner_is_caught() -> None:
    honest, noted = published(PEOPLE)
    first, second = (line for line in honest["drawn"] if line["outcome"] == "winner")
    swapped = copy.deepcopy(honest)
    swapped["drawn"][first["place"] - 1]["prize"], swapped["drawn"][second["place"] - 1]["prize"] = 2, 1
    assert failed(swapped, noted) == ["winners"]
    assert oracle_faults(swapped, noted) == ["winners"]
    friend = copy.deepcopy(honest)
    undrawn = min(set(range(1, 41)) - set(honest["proof"]["numbers"]))
    friend["drawn"][0]["entry"] = undrawn
    assert "entries" in failed(friend, noted)
    assert "drawn" in oracle_faults(friend, noted)
    friend["proof"]["numbers"][0] = undrawn
    assert "numbers" in failed(friend, noted)
    assert "numbers" in oracle_faults(friend, noted)


def test_a_loss_that_is_hidden_or_made_up_is_caught() -> None:
    made, noted = published(PEOPLE, losses=(Loss(1, True),))
    made["losses"] = []
    assert failed(made, noted) == ["winners"]
    assert oracle_faults(made, noted) == ["winners"]


@pytest.mark.clause("nsw-promo-2025:17.2", "nsw-promo-2019:15.2")
def test_a_loss_nobody_signed_is_caught() -> None:
    """An invented absence, walked rightly and without its signature; a car without any; a signature over nothing."""
    everybody = [f"p{n}" for n in range(40)]  # nobody twice: whoever is drawn second has a prize to lose
    honest, noted = published(everybody, losses=(Loss(1, True), Loss(2, True)), overseen=True)
    assert len(honest["signatures"]) == 3
    for gone in range(3):
        made = copy.deepcopy(honest)
        del made["signatures"][gone]
        assert failed(made, noted) == oracle_faults(made, noted) == ["signatures"]
    strange = copy.deepcopy(honest)
    strange["signatures"].append({"at": "2026-12-01T20:04:00+11:00", "result": "0" * 64})
    assert failed(strange, noted) == oracle_faults(strange, noted) == ["signatures"]


def test_an_alternate_left_out_is_caught() -> None:
    made, noted = published(PEOPLE)
    last = made["drawn"].pop()
    made["proof"]["numbers"].pop()
    assert last["outcome"] == "alternate"
    assert failed(made, noted) == ["winners"]
    assert oracle_faults(made, noted) == ["winners"]


def test_more_drawn_than_needed_is_caught() -> None:
    made, noted = published(PEOPLE, alternates=3)
    made["alternates"] = 2
    assert failed(made, noted) == ["winners"]
    assert oracle_faults(made, noted) == ["winners"]


def test_persons_are_held_against_the_sealed_texts() -> None:
    """Somebody who won twice is not two people, nor are two people one."""
    made, noted = published(["a"] * 20 + ["b"] * 20, prizes=1, alternates=3)
    passed = next(line for line in made["drawn"] if line["outcome"] == "passed-over")
    passed["person"] = "somebody else"
    assert "entries" in failed(made, noted)
    made, noted = published(["a", "b"], prizes=1, alternates=1)
    made["drawn"][1]["person"] = made["drawn"][0]["person"]
    assert "entries" in failed(made, noted)


def test_a_proof_of_another_draw_is_not_this_ones() -> None:
    made, noted = published(PEOPLE)
    made["draw"] = "AUTUMN"
    assert failed(made, noted) == ["draw"]
    assert oracle_faults(made, noted) == ["occasion"]


def test_a_pool_that_is_not_the_list_is_caught() -> None:
    made, noted = published(PEOPLE)
    made["proof"]["pool"] = 41
    assert "draw" in failed(made, noted)


@given(
    st.sampled_from(
        ["version", "draw", "proof", "prizes", "alternates", "one_prize_a_person", "barred", "losses", "drawn", "void"]
    ),
    st.none()
    | st.booleans()
    | st.integers(-3, 10**10)
    | st.text(max_size=3)
    | st.lists(st.dictionaries(st.text(), st.none(), max_size=2), max_size=3),
)
def test_whatever_is_handed_in_is_answered(part: str, value: object) -> None:
    made, _ = published(["a", "b", "c"])
    before = made[part]
    made[part] = value
    assert value == before or not holds(check(made)) or part in ("losses", "alternates", "one_prize_a_person")
    assert not holds(check(value))
    made[part] = before
    made["drawn"][0] = value if isinstance(value, dict) else {"entry": value, "path": value, "leaf": value}
    assert not holds(check(made))


def run(folder: Path, made: object, *arguments: str) -> int:
    file = folder / "draw.json"
    file.write_text(json.dumps(made))
    return checker.main([str(file), *arguments])


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, noted = published(PEOPLE)
    leaves = tmp_path / "leaves.txt"
    leaves.write_text("\n".join(noted["leaves"]))
    asked = ["--commitment", noted["commitment"], "--root", noted["root"], "--count", "40", "--leaves", str(leaves)]
    assert run(tmp_path, made, *asked) == 0
    assert "FAIL" not in capsys.readouterr().out
    assert run(tmp_path, made, "--root", "00" * 32) == 1
    assert "FAIL published ticket root" in capsys.readouterr().out
    leaves.write_text("not a leaf")
    assert run(tmp_path, made, "--leaves", str(leaves)) == 1
    assert "FAIL list: Line 1 of the list is not a leaf" in capsys.readouterr().out
    assert run(tmp_path, [1]) == 1
    (tmp_path / "draw.json").write_text("{")
    assert checker.main([str(tmp_path / "draw.json")]) == 2


def act(kind: str, subject: str = "promotion:SPRING", **data: Any) -> dict[str, Any]:
    return {"type": "act", "kind": kind, "subject": subject, "data": data}


def test_what_was_promised_is_found_in_an_audit_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, noted = published(PEOPLE, losses=(Loss(1, True),))
    promise, seal = "promise:promotion/SPRING", "draw:promotion/SPRING"
    fixed: dict[str, Any] = {
        "draw": 4,
        "list": 1,
        "version": 1,
        "prizes": 2,
        "alternates": 2,
        "one_prize_a_person": True,
        "barred": [],
    }
    lost: dict[str, Any] = {
        "promotion": "SPRING",
        "place": 1,
        "entry": made["drawn"][0]["entry"],
        "prize": 1,
        "reason": "absent",
    }
    rows = [
        act("keno.ball", number=7),
        act(MasterPromised.kind, promise, commitment=noted["commitment"]),
        act(OccasionSealed.kind, seal, root=noted["root"], count=40),
        act(OccasionSealed.kind, "draw:promotion/AUTUMN", root="0", count=1),
        act(DrawBegun.kind, promotion="SPRING", attempt=1, **fixed),
        act(PrizeLost.kind, draw=3, redraw=True, next=[], **lost),  # of another attempt
        act(PrizeLost.kind, draw=4, redraw=True, next=[], **lost),
        act(ScrutineerSigned.kind, promotion="SPRING", draw=4, attempt=1, result=made["signatures"][0]["result"]),
    ]
    trail = tmp_path / "trail"

    def write(rows: list[dict[str, Any]]) -> None:
        trail.write_text("".join(json.dumps({"n": n, "leaf": "", "row": row}) + "\n" for n, row in enumerate(rows)))

    write(rows)
    assert run(tmp_path, made, "--audit", str(trail)) == 0
    assert "published count" in capsys.readouterr().out
    write(rows[:-1])  # nobody signed it in the log
    assert run(tmp_path, made, "--audit", str(trail)) == 1
    assert "FAIL log: What the scrutineer" in capsys.readouterr().out
    write(rows[:-2])  # the loss is nowhere in the log
    assert run(tmp_path, made, "--audit", str(trail)) == 1
    assert "FAIL log" in capsys.readouterr().out
    trail.write_text("")  # never promised: everything that should have been is missing
    assert run(tmp_path, made, "--audit", str(trail)) == 1
    said = capsys.readouterr().out
    assert all(f"FAIL published {what}" in said for what in ("commitment", "ticket root", "count"))


def test_what_a_person_should_look_at_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Right, but void before, or without the witness: exit 3. A witness whose key is another: wrong."""
    again, _ = published(PEOPLE, attempt=2)
    assert run(tmp_path, again) == 3
    assert "void attempt 1 (Smoke.) would have given" in capsys.readouterr().out
    thrown, _ = published(PEOPLE, how=How.DICE)
    assert run(tmp_path, thrown) == 3
    assert "No witness took part" in capsys.readouterr().out
    made, _ = published(PEOPLE)
    key = unique_signatures.fingerprint(keys().rsa_public).hex()
    assert run(tmp_path, made, "--witness", key) == 0
    assert run(tmp_path, made, "--witness", "00" * 32) == 1
    pem = tmp_path / "witness.pem"
    pem.write_text(unique_signatures.to_pem(keys().rsa_public))
    assert run(tmp_path, made, "--witness", str(pem)) == 0
