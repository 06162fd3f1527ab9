"""From a drawn order to winners and alternates; published draws, honest and forged, against a check of its own."""

from __future__ import annotations

import copy
import json
from functools import cache
from itertools import count, islice
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import draw_proof, two_party
from chance.proof import entry_leaf, holds
from chance.select import picks
from chance.two_party import How, Promise, Said
from draws.acts import MasterPromised
from kernel import unique_signatures
from kernel.merkle import inclusion_proof, nodes_of, root_of
from kernel.questions import Question
from ledger.acts import OccasionSealed
from promotions import verify as checker
from promotions.acts.draws import DrawBegun
from promotions.acts.prizes import PrizeLost
from promotions.rules.draw import Drawn, Loss, Outcome, walk, winners
from promotions.verify import check
from tests.promotions import oracle
from tests.promotions.draws_world import failed, oracle_faults
from tests.world.witness import folder_with_keys
from witness.keys import Keys


def order(people: str) -> list[Drawn]:
    return [Drawn(place, 100 + place, person) for place, person in enumerate(people, start=1)]


def told(people: str, **how: Any) -> str:
    """The outcome as a word for each place: W1 won prize 1, A alternate, - passed over, L1 lost prize 1."""
    mark = {Outcome.WINNER: "W", Outcome.ALTERNATE: "A", Outcome.PASSED_OVER: "-", Outcome.LOST: "L"}
    walked = walk(order(people), **{"prizes": 1, "alternates": 0, "one_prize_a_person": True} | how)
    return " ".join(f"{mark[each.outcome]}{each.prize or ''}" for each in walked)


def test_prizes_in_their_order_then_alternates() -> None:
    assert told("abcdefg", prizes=3, alternates=2) == "W1 W2 W3 A A"  # f and g are never drawn


def test_one_prize_a_person_passes_over_the_rest_of_his_entries() -> None:
    assert told("aabac", prizes=2, alternates=1) == "W1 - W2 - A"
    assert told("aabac", prizes=2, alternates=1, one_prize_a_person=False) == "W1 W2 A"


def test_alternates_are_different_people_where_one_may_win_once() -> None:
    assert told("abbcd", prizes=1, alternates=2) == "W1 A - A"
    assert told("abbcd", prizes=1, alternates=2, one_prize_a_person=False) == "W1 A A"


def test_an_absent_winners_prize_goes_to_the_next_in_the_drawn_order() -> None:
    assert told("abcd", prizes=2, alternates=1, losses=[Loss(1, True)]) == "L1 W2 W1"
    # More losses than alternates: the order goes on.
    assert told("abcde", prizes=2, alternates=1, losses=[Loss(1, True), Loss(3, True)]) == "L1 W2 L1 W1"
    # The one recorded first takes the first alternate.
    assert told("abcd", prizes=2, alternates=2, losses=[Loss(2, True), Loss(1, True)]) == "L1 L2 W2 W1"


def test_whoever_lost_a_prize_is_out_with_all_his_entries() -> None:
    assert told("abab", prizes=1, alternates=1, losses=[Loss(1, True), Loss(2, True)], one_prize_a_person=False) == (
        "L1 L1 - -"
    )
    # He had been drawn as an alternate, too.
    assert told("aabc", prizes=1, alternates=1, losses=[Loss(1, True)], one_prize_a_person=False) == "L1 - W1"


def test_a_prize_that_is_not_drawn_again_stays_lost() -> None:
    assert told("abcd", prizes=2, alternates=1, losses=[Loss(1, False)]) == "L1 W2 A"


def test_more_prizes_than_people() -> None:
    walked = walk(order("aab"), prizes=3, alternates=1, one_prize_a_person=True)
    assert {prize: each.person for prize, each in winners(walked).items()} == {1: "a", 2: "b"}
    assert told("", prizes=1) == ""


@pytest.mark.parametrize("losses", [[Loss(2, True)], [Loss(9, True)], [Loss(1, True), Loss(1, True)]], ids=str)
def test_only_a_prize_that_is_held_is_lost(losses: list[Loss]) -> None:
    with pytest.raises(ValueError, match="holds no prize"):
        walk(order("abc"), prizes=1, alternates=1, one_prize_a_person=True, losses=losses)


def test_no_prizes_is_no_draw() -> None:
    with pytest.raises(ValueError, match="at least one prize"):
        walk(order("abc"), prizes=0, alternates=0, one_prize_a_person=True)


def test_the_order_is_read_no_further_than_needed() -> None:
    endless = (Drawn(place, place, str(place)) for place in count(1))
    assert len(walk(endless, prizes=5, alternates=5, one_prize_a_person=True, losses=[Loss(3, True)])) == 10


def test_a_million_entries_cost_no_more_than_the_winners() -> None:
    """The sparse shuffle: ten thousand winners of a million, each once, without a list of a million."""
    said = answer(b"r" * 32, 10**6)
    drawn = [pick.number for pick in islice(picks(two_party.source(MASTER, said), 10**6), 10_000)]
    assert len(set(drawn)) == 10_000
    assert oracle.order(proof_of(said, 50), 50) == drawn[:50]


def test_what_is_barred_wins_nothing_and_is_passed_over() -> None:
    walked = walk(order("abcd"), prizes=2, alternates=1, one_prize_a_person=False, barred=[101, 103])
    assert [(each.outcome, each.prize) for each in walked] == [
        (Outcome.PASSED_OVER, None), (Outcome.WINNER, 1), (Outcome.PASSED_OVER, None), (Outcome.WINNER, 2),
    ]  # fmt: skip


# --- published draws -------------------------------------------------------------------------------------------------
MASTER = bytes(range(32))
THROWS = "165423" * 10


@cache
def keys() -> Keys:
    return Keys.load(folder_with_keys(Path(mkdtemp(prefix="meterhouse-rules-")) / "witness"))


def answer(root: bytes, entries: int, *, attempt: int = 1, how: How = How.WITNESS) -> Said:
    """What the witness says to a question about this list."""
    question = Question(
        venue="DEMO", purpose="promotion", occasion="SPRING", attempt=attempt, root=root, count=entries, act_index=17,
        origin="meterhouse.log/tests", size=40, checkpoint_root=bytes([8] * 32),
    )  # fmt: skip
    said = keys().answer(question.message()) if how is How.WITNESS else two_party.dice(THROWS)
    return Said(question=question, how=how, said=said)


def proof_of(said: Said, count: int, *, master: bytes = MASTER) -> dict[str, Any]:
    rsa = keys().rsa_public
    key = unique_signatures.fingerprint(rsa)
    promise = Promise(venue="DEMO", purpose="promotion", name="SPRING", device="rng", witness_key=key)
    return draw_proof.make(
        promise=promise,
        commitment=two_party.commitment(master, promise),
        master=master,
        said=said,
        witness="witness.example/tests",
        rsa=rsa,
        pool=said.question.count,
        count=count,
    )


def published(
    people: list[str],
    *,
    prizes: int = 2,
    alternates: int = 2,
    one: bool = True,
    losses: tuple[Loss, ...] = (),
    barred: tuple[int, ...] = (),
    master: bytes = MASTER,
    attempt: int = 1,
    how: How = How.WITNESS,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A published draw over these people's entries, and what was noted before it."""
    texts = [json.dumps({"entry": n, "entrant": person}) for n, person in enumerate(people, start=1)]
    leaves = [entry_leaf(text) for text in texts]
    root = root_of(leaves)
    said = answer(root, len(people), attempt=attempt, how=how)
    numbers = (pick.number for pick in picks(two_party.source(master, said), len(people)))
    drawn = (Drawn(place, n, people[n - 1]) for place, n in enumerate(numbers, start=1))
    standings = walk(drawn, prizes=prizes, alternates=alternates, one_prize_a_person=one, losses=losses, barred=barred)
    proof = proof_of(said, len(standings), master=master)
    first = min(len(people), prizes + alternates)
    void = [
        {"attempt": k, "why": "Smoke.", "proof": proof_of(answer(root, len(people), attempt=k), first, master=master)}
        for k in range(1, attempt)
    ]
    node = nodes_of(leaves)
    lines = [
        checker.line(each)
        | {
            "person": each.person,
            "leaf": leaves[each.entry - 1].hex(),
            "path": [part.hex() for part in inclusion_proof(each.entry - 1, len(people), node)],
            "text": texts[each.entry - 1],
        }
        for each in standings
    ]
    made = {
        "version": 2,
        "promotion": "SPRING",
        "draw": "SPRING",
        "list": 1,
        "proof": proof,
        "prizes": [{"prize": n + 1, "name": "Car", "value": "1.00"} for n in range(prizes)],
        "alternates": alternates,
        "one_prize_a_person": one,
        "barred": list(barred),
        "losses": [{"place": each.place, "reason": "absent", "redraw": each.redraw} for each in losses],
        "drawn": lines,
        "void": void,
    }
    noted = {"commitment": proof["commitment"], "root": root.hex(), "count": len(people)}
    return json.loads(json.dumps(made)), noted | {"leaves": [leaf.hex() for leaf in leaves]}


@given(
    people=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=30),
    prizes=st.integers(1, 4),
    alternates=st.integers(0, 3),
    one=st.booleans(),
    lost=st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=4),
    barred=st.sets(st.integers(1, 30), max_size=4),
    attempt=st.integers(1, 2),
)
def test_the_check_and_the_oracle_agree_with_every_honest_draw(
    people: Any, prizes: int, alternates: int, one: bool, lost: Any, barred: Any, attempt: int
) -> None:
    losses: tuple[Loss, ...] = ()
    how: dict[str, Any] = {"prizes": prizes, "alternates": alternates, "one": one, "attempt": attempt}
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
    friend["drawn"][0]["entry"] = 40
    assert "entries" in failed(friend, noted)
    assert "drawn" in oracle_faults(friend, noted)
    friend["proof"]["numbers"][0] = 40
    assert "numbers" in failed(friend, noted)
    assert "numbers" in oracle_faults(friend, noted)


def test_a_loss_that_is_hidden_or_made_up_is_caught() -> None:
    made, noted = published(PEOPLE, losses=(Loss(1, True),))
    made["losses"] = []
    assert failed(made, noted) == ["winners"]
    assert oracle_faults(made, noted) == ["winners"]


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
    made["proof"]["pool"] = 39
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
    ]
    trail = tmp_path / "trail"

    def write(rows: list[dict[str, Any]]) -> None:
        trail.write_text("".join(json.dumps({"n": n, "leaf": "", "row": row}) + "\n" for n, row in enumerate(rows)))

    write(rows)
    assert run(tmp_path, made, "--audit", str(trail)) == 0
    assert "published count" in capsys.readouterr().out
    write(rows[:-1])  # the loss is nowhere in the log
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
