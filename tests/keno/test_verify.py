"""An export taken home: each draw computed again, each ticket found in its root, with no database and no Django."""

from __future__ import annotations

import copy
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from house.seed import seed
from keno.accounts import open_accounts
from keno.balls import enter_balls, fall_back
from keno.choose_device import choose_device
from keno.close import close_game
from keno.draw import draw_game, draw_numbers
from keno.models import Game
from keno.stop_draw import invalidate_or_propose, void_or_propose
from keno.verify import Check
from kernel.environment import ROOT
from kernel.export_check import Doubt, Wanted
from kernel.merkle import root_of
from ledger import log
from ledger.export import export
from ledger.models import Act
from ledger.seal import seal_now
from tests.keno.teller import Told, told_game
from tests.world.keno_games import OPENS, SAM, SUE, cancel_from, decide, open_first_game, put_ticket, some_numbers
from tests.world.people import on_the_payroll
from tests.world.witness import RunningWitness
from verify.books import Books
from verify.result import Wrong
from verify.verifier import verify

NOW = OPENS + timedelta(minutes=3)
LEAVES = [sha256(b"ticket %d" % n).digest() for n in range(3)]
TICKETS = {"first_game": 7, "tickets": [[f"T{n}", leaf.hex(), 7] for n, leaf in enumerate(LEAVES)]}


def checked(told: Told, *attached: dict[str, Any], ticket: str | None = None) -> list[str]:
    check = Check(Wanted(ticket=ticket))
    books = Books([check])
    for index, (kind, subject, data) in enumerate(told):
        assert kind in check.acts
        row = {
            "id": index,
            "tx": 1,
            "at": "",
            "day": "",
            "kind": kind,
            "subject": subject,
            "actor": "system:t",
            "data": data,
        }
        books.act(row, index=index, line=index, cosigned=None)
    for line in attached:
        check.attached(line)
    return [*check.end(attached=bool(attached)), *check.shown]


def test_an_honest_game_is_computed_again_and_a_ticket_is_shown_in_it() -> None:
    said = checked(told_game(7, LEAVES), TICKETS, ticket="t-1")
    assert said[0] == (
        "Keno: 2 draws computed again from promised masters and the witness’s answers; 1 attempt was void and drawn "
        "again. 3 tickets stand in the sealed roots of 1 game."
    )
    assert said[1].startswith("Ticket T1 took part in game 7 as entry 2 of 3: its hash " + LEAVES[1].hex())
    assert said[1].endswith(root_of(LEAVES).hex() + ".")
    assert checked(told_game(7, LEAVES), TICKETS, ticket="T9") == said[:1]


def forge(kind: str, **changed: Any) -> Callable[[Told], None]:
    def change(told: Told) -> None:
        for what, _, data in told:
            if what == kind:
                data.update(changed)

    return change


def drop(kind: str) -> Callable[[Told], None]:
    def change(told: Told) -> None:
        told[:] = [each for each in told if each[0] != kind]

    return change


def another_number(told: Told) -> None:
    """A number exchanged everywhere it stands, while the master stays the promised one."""
    for kind, _, data in told:
        if kind == "keno.ball" and data["attempt"] == 2 and data["place"] == 4:
            data["number"] = 99 - data["number"] if 20 <= data["number"] <= 79 else 50
            new = data["number"]
        if kind in ("keno.drawn", "keno.settled"):
            data["numbers"] = [*data["numbers"][:3], new, *data["numbers"][4:]]


def another_void(told: Told) -> None:
    """Other numbers published for the void attempt than those that would have come."""
    for kind, _, data in told:
        if kind == "draw.void":
            data["numbers"] = [*data["numbers"][:-2], data["numbers"][-1], data["numbers"][-2]]
            new = data["numbers"]
        if kind == "keno.voided":
            data["would_be"] = new


def cancelled(late: list[int], *, to: int = 7, after: str = "keno.sealed") -> Callable[[Told], None]:
    """A ticket taken back just after an act of this kind."""

    def change(told: Told) -> None:
        at = next(place for place, each in enumerate(told) if each[0] == after)
        data = {"from": 7, "to": to, "refund": "1.00", "late": late}
        told.insert(at + 1, ("keno.cancelled", "keno-ticket:T1", data))
        for kind, _, each in told:
            if kind == "witness.asked" and after == "keno.sealed":
                each["size"] += 1  # an honest head has it

    return change


FORGED: dict[str, tuple[Callable[[Told], object], str]] = {
    "promise": (forge("keno.opened", commitment="00" * 32), "opens under another promise"),
    "no promise": (drop("draw.promised"), "keno 7: nothing was promised"),
    "device": (forge("keno.opened", device="mechanical"), "another device than the one that was promised"),
    "master": (forge("draw.revealed", master="00" * 32), "the master revealed is not the one that was promised"),
    "seed": (forge("keno.settled", seed="00" * 32), "settled without the master that was promised"),
    "no master": (drop("draw.revealed"), "settled without the master that was promised"),
    "answer": (forge("witness.answered", answer="11" * 384), r"give \d+ as number 1, and \d+ is on record"),
    "no answer": (drop("witness.answered"), "the witness never answered"),
    "not asked": (drop("witness.asked"), "nobody was asked about attempt 1"),
    "not locked": (drop("keno.locked"), "the witness is asked about it though it was not locked"),
    "head before the lock": (forge("witness.asked", size=5), "asked under a head from before the lock"),
    "sealed before the close": (drop("keno.closed"), "its tickets are sealed before its close"),
    "root": (forge("keno.settled", ticket_root="33" * 32), "its tickets are not the ones that were sealed"),
    "count": (forge("keno.drawn", ticket_count=4), "its tickets are not the ones that were sealed"),
    "numbers": (
        forge("keno.settled", numbers=list(range(1, 21))),
        "the numbers at the end and the ones on record before differ",
    ),
    "another number": (another_number, r"give \d+ as number 4, and \d+ is on record"),
    "another void": (another_void, r"give \d+ as number 19, and \d+ is on record"),
    "void unpublished": (drop("draw.void"), "what would have come was not published"),
    "void by one person": (
        lambda told: [data.pop("proposal") for kind, _, data in told if kind == "keno.voided"],
        "no inspector decided",
    ),
    "no numbers": (lambda told: told.pop(18), "should be here, and another is"),
    "twice": (lambda told: told.insert(2, copy.deepcopy(told[1])), "game 7 is opened twice"),
    "after the end": (lambda told: told.append(copy.deepcopy(told[-1])), "game 7 is not open, and yet"),
    "cancelled after the question": (
        cancelled([], after="witness.answered"),
        "ticket T1 was cancelled after the check",
    ),
    "cancelled between head and question": (cancelled([], after="keno.locked"), "ticket T1 was cancelled after the"),
    "a cancelled ticket counted": (cancelled([7]), "tickets were cancelled, and yet counted"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_draw_that_was_forged_before_it_was_sealed_is_caught_and_named(what: str) -> None:
    told = copy.deepcopy(told_game(7, LEAVES))
    forge("keno.settled", totals={"tickets": 3})(told)
    change, sentence = FORGED[what]
    change(told)
    with pytest.raises(Doubt, match=sentence) as caught:
        checked(told, TICKETS)
    assert re.search("game 7|keno 7", str(caught.value))


def test_a_ticket_cancelled_between_seal_and_asking_stays_in_the_root_and_is_not_counted() -> None:
    told = copy.deepcopy(told_game(7, LEAVES))
    forge("keno.settled", totals={"tickets": 2})(told)
    cancelled([7])(told)
    line = copy.deepcopy(TICKETS)
    line["tickets"][1].append(6)  # type: ignore[index]
    [said, shown] = checked(told, line, ticket="T1")
    assert said.endswith("1 of the entries were cancelled before the witness was asked, and could not win.")
    assert shown.endswith("It was cancelled before the draw, and could not win.")
    with pytest.raises(Doubt, match="are not the ones that the log names"):
        checked(told, TICKETS)


@pytest.mark.parametrize("what", ["left out", "added", "exchanged", "out of order", "all gone"])
def test_tickets_that_are_not_the_sealed_ones_are_caught(what: str) -> None:
    line = copy.deepcopy(TICKETS)
    rows: list[Any] = line["tickets"]  # type: ignore[assignment]
    if what == "left out":
        rows.pop()
    elif what == "added":
        rows.append(["T3", "44" * 32, 7])
    elif what == "exchanged":
        rows[1][1] = "55" * 32
    elif what == "out of order":
        rows.reverse()
    else:
        rows.clear()
    with pytest.raises(Doubt, match=r"game 7: the \d tickets attached are not the 3 sealed|out of order"):
        checked(told_game(7, LEAVES), line)


@pytest.fixture
def played(witness: RunningWitness) -> None:
    """A draw, a void one redrawn with balls, an invalidated one, and one still open; tickets for several games."""
    seed()  # a flush before this test took what migrations had put there
    open_accounts()
    on_the_payroll(sue="supervisor", sam="supervisor", ines="inspector")
    open_first_game()
    put_ticket(first_game=1, groups=[[5, 6, 7]], plays=[(3, 100)], games=3, serial="B00000000002")
    put_ticket(first_game=1, groups=[[1, 2]], plays=[(2, 100)], serial="A00000000001")
    gone = put_ticket(first_game=1, groups=[[8]], plays=[(1, 100)], games=2, serial="C00000000003")
    close_game(number=1, by=SUE, now=NOW)
    draw_game(number=1, by=SUE, now=NOW)
    cancel_from(gone, 2)
    put_ticket(first_game=2, groups=[[9]], plays=[(1, 100)], games=2, serial="A00000000009")
    close_game(number=2, by=SUE, now=NOW)
    draw_numbers(number=2, upto=7, now=NOW)
    stopped = {"cause": "malfunction", "reason": "The generator stands still.", "now": NOW}
    decide(void_or_propose(number=2, by=SUE, device="mechanical", **stopped))  # type: ignore[arg-type]
    balls = some_numbers(20)
    enter_balls(number=2, balls=balls[:3], by=SAM, now=NOW)
    fall_back(number=2, ball=balls[0], by=SAM, now=NOW)
    enter_balls(number=2, balls=[*balls[3:], balls[0]], by=SAM, now=NOW)
    close_game(number=3, by=SUE, now=NOW)
    draw_numbers(number=3, upto=2, now=NOW)
    decide(invalidate_or_propose(number=3, by=SUE, cause="fire", reason="Fire.", now=NOW))
    assert dict(Game.objects.filter(number__lte=4).values_list("number", "status")) == {
        1: "settled",
        2: "settled",
        3: "invalidated",
        4: "open",
    }


def exported(path: Path) -> Path:
    seal_now()
    file = io.BytesIO()
    export(to=file, by=SUE, venue="Test")
    path.write_bytes(file.getvalue())
    return path


def test_a_whole_house_is_checked_offline(played: None, tmp_path: Path) -> None:
    path = exported(tmp_path / "export")
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "METERHOUSE"))}

    def verified(serial: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "verify", str(path), "--ticket", serial],
            cwd=ROOT,
            env=bare | {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"},
            capture_output=True,
            text=True,
            check=False,
        )

    def plain(done: subprocess.CompletedProcess[str]) -> list[str]:
        return [line for line in done.stdout.splitlines()[2:] if not line.startswith(("Look at this:", "House:"))]

    done = verified("bo0o-0000-ooo2")
    assert done.returncode == 3, done.stderr
    draws, *shown = plain(done)
    assert "Look at this: 2 attempts were declared void after the witness was asked" in done.stdout
    assert draws == (
        "Keno: 3 draws computed again from promised masters and the witness’s answers, 1 with balls; 1 attempt was "
        "void and drawn again. 4 tickets stand in the sealed roots of 2 games."
    )
    leaf = bytes(Game.objects.get(pk=1).ticket_root or b"").hex()
    assert [line.split(":")[0] for line in shown] == [
        "Ticket B00000000002 took part in game 1 as entry 2 of 3",
        "Ticket B00000000002 took part in game 2 as entry 2 of 2",
    ]
    assert shown[0].endswith(f"{leaf}.")
    nobody = verified("Z00000000000")
    assert (nobody.returncode, plain(nobody)) == (1, [draws])  # the export is right all the same
    assert nobody.stderr.endswith("There is no ticket Z00000000000 in this export.\n")


def test_a_forged_settlement_under_good_seals_is_caught_with_its_line(
    played: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody inside who writes the log himself has all signatures right, and not the master that was promised."""
    written = log.write

    def forged(**act: Any) -> int:
        if act["kind"] == "keno.settled":
            act["data"]["seed"] = "ab" * 32
        return written(**act)

    monkeypatch.setattr(log, "write", forged)
    close_game(number=4, by=SUE, now=NOW)
    draw_game(number=4, by=SUE, now=NOW)
    path = exported(tmp_path / "export")
    lines = path.read_bytes().splitlines()
    [at] = [n for n, line in enumerate(lines, start=1) if b'"kind":"keno.settled"' in line and b"abababab" in line]
    with path.open("rb") as file, pytest.raises(Wrong) as wrong:
        verify(file)
    assert str(wrong.value) == f"line {at}: game 4: it was settled without the master that was promised."


def test_tickets_taken_out_of_an_export_are_missed(played: None, tmp_path: Path) -> None:
    path = exported(tmp_path / "export")
    lines = path.read_bytes().splitlines(keepends=True)
    attached = [line for line in lines if line.startswith(b'{"attached":')]
    assert len(attached) == 2  # first games 1 and 2
    for without in attached:
        path.write_bytes(b"".join(line for line in lines if line != without))
        with path.open("rb") as file, pytest.raises(Wrong, match="tickets attached are not the"):
            verify(file)


def test_the_ticket_root_is_on_record_with_the_first_number(played: None) -> None:
    ball = Act.objects.filter(kind="keno.ball", subject="keno-game:1").order_by("id").values_list("data", flat=True)
    game = Game.objects.get(pk=1)
    assert ball[0]["ticket_root"] == bytes(game.ticket_root or b"").hex()
    assert ball[0]["ticket_count"] == 3
    assert all("ticket_root" not in data for data in ball[1:])


def test_the_choice_of_the_venue_is_not_touched_by_one_redraw(played: None) -> None:
    assert Game.objects.get(pk=4).device == "rng"
    assert choose_device(device="rng", by=SUE).device == "rng"
