"""An export taken home: each draw computed again, each ticket found in its root, with no database and no Django."""

from __future__ import annotations

import copy
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

from house.approvals_on_record import ApprovalsOnRecord
from house.people_on_record import PeopleOnRecord
from house.seed import seed
from keno.accounts import open_accounts
from keno.balls import fall_back
from keno.choose_device import choose_device
from keno.close import close_game
from keno.draw import draw_game, draw_numbers
from keno.models import Game
from keno.on_record.games import GamesOnRecord
from keno.stop_draw import invalidate_or_propose, void_or_propose
from keno.verify import Check
from kernel.environment import ROOT
from kernel.export_check import Doubt
from ledger.models import Act
from tests.keno.teller import Told, told_game
from tests.world.falsified import Draft, Exported
from tests.world.keno_balls import enter_balls
from tests.world.keno_changes import payment, ticket
from tests.world.keno_games import OPENS, SAM, SUE, cancel_from, decide, open_first_game, put_ticket, some_numbers
from tests.world.witness import RunningWitness
from verify.books import Books
from verify.changes import WhoseWord

NOW = OPENS + timedelta(minutes=3)
LEAVES = [sha256(b"ticket %d" % n).digest() for n in range(3)]


def checked(told: Told) -> GamesOnRecord:
    """What the log says of draws; tickets and money are in tests/verify/test_keno_falsified.py."""
    check = Check(approvals=ApprovalsOnRecord(PeopleOnRecord({}), {}, WhoseWord()))
    books = Books([check])
    for index, (kind, subject, data) in enumerate(told):
        assert kind in check.acts
        row = {
            "id": index,
            "tx": index,
            "at": "",
            "day": "",
            "kind": kind,
            "subject": subject,
            "actor": "system:t",
        }
        books.act(row, books.known[kind].read(data, subject=subject), index=index, line=index, cosigned=None)
    return check.games


def honest() -> Told:
    told = copy.deepcopy(told_game(7, LEAVES))
    forge("keno.settled", totals={"tickets": 3})(told)
    return told


def test_an_honest_game_is_computed_again() -> None:
    found = checked(honest())
    assert (found.recomputed, found.void, found.by_balls) == (2, 1, 0)


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


def void_unasked_by_one(told: Told) -> None:
    """An attempt at a generator's draw that nobody was asked about, given up for another one (12.3)."""
    sealed = next(place for place, (kind, *_) in enumerate(told) if kind == "keno.sealed")
    subject = told[sealed][1]
    data = {"attempt": 1, "cause": "malfunction", "reason": "Dark.", "numbers": [], "device": "rng"}
    told.insert(sealed + 1, ("keno.voided", subject, {"game": told[sealed][2]["game"], **data}))


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
    "void before it was asked, by one": (void_unasked_by_one, "was declared void by one person"),
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
    told = honest()
    change, sentence = FORGED[what]
    change(told)
    with pytest.raises(Doubt, match=sentence) as caught:
        checked(told)
    assert re.search("game 7|keno 7", str(caught.value))


def test_a_ticket_cancelled_between_seal_and_asking_is_not_counted() -> None:
    told = honest()
    forge("keno.settled", totals={"tickets": 2})(told)
    cancelled([7])(told)
    assert checked(told).late.serials(7) == {"T1"}


@pytest.fixture
def played(witness: RunningWitness) -> None:
    """A draw, a void one redrawn with balls, an invalidated one, and one still open; tickets for several games."""
    seed()  # a flush before this test took what migrations had put there
    open_accounts()
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


def test_a_whole_house_is_checked_offline(keno_house: Exported, tmp_path: Path) -> None:
    path = tmp_path / "export"
    path.write_bytes(keno_house.raw)
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "METERHOUSE"))}

    def verified(*asked: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "verify", str(path), *asked],
            cwd=ROOT,
            env=bare | {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"},
            capture_output=True,
            text=True,
            check=False,
        )

    draft = Draft.of(keno_house.lines)
    serial = ticket(draft, *range(1, 11))["serial"]
    done = verified("--ticket", serial.lower(), "--game", "2")
    assert done.returncode == 3, done.stderr
    said = [line for line in done.stdout.splitlines() if not line.startswith("Look at this:")]
    shown = [line for line in said if line.startswith(f"Ticket {serial}")]
    paid = payment(draft, serial)["micros"] / 1_000_000
    assert re.match(rf"Ticket {serial} took part in game 2 as entry \d+ of 16: its hash [0-9a-f]{{64}} and", shown[0])
    assert shown[1:] == [
        f"Ticket {serial} cost $2.00 = 1 × $2.00, for games 2 to 2.",
        f"Ticket {serial} won ${paid:,.2f} in game 2: 10 of 10.",
        f"Ticket {serial} was paid ${paid:,.2f} = ${paid:,.2f} on {payment(draft, serial)['at'][:10]} (payment "
        f"{payment(draft, serial)['reference']}).",
        f"Ticket {serial} is owed nothing more.",
    ]
    game = [line for line in said if line.startswith("Game 2")]
    assert game[0].endswith(f"Drawn were {', '.join(map(str, range(1, 21)))}.")
    assert "pro-rated to $50,000.00." in game[1]
    nobody = verified("--ticket", "Z00000000000")
    assert nobody.returncode == 1
    assert "Z00000000000" in nobody.stderr


def test_the_ticket_root_is_on_record_with_the_first_number(played: None) -> None:
    ball = Act.objects.filter(kind="keno.ball", subject="keno-game:1").order_by("id").values_list("data", flat=True)
    game = Game.objects.get(pk=1)
    assert ball[0]["ticket_root"] == bytes(game.ticket_root or b"").hex()
    assert ball[0]["ticket_count"] == 3
    assert all("ticket_root" not in data for data in ball[1:])


def test_the_choice_of_the_venue_is_not_touched_by_one_redraw(played: None) -> None:
    assert Game.objects.get(pk=4).device == "rng"
    assert choose_device(device="rng", by=SUE).device == "rng"
