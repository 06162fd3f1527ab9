"""What a receipt proves by itself: its leaf can be computed from what is printed, and its code convicts the house."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from draws.commit import commit
from keno import particulars
from keno.entries import TicketRequest
from keno.models import Ticket
from keno.printing import print_receipt, reprint_receipt
from keno.receipts.data import fine_print, lines, receipt_of
from keno.rules.selection import Play as Asked
from keno.sell import Sold
from kernel.environment import ROOT
from kernel.paper import Paper
from ledger.announce import announce_keys
from ledger.checkpoints import receipt_keys
from ledger.cosign import cosign_now, latest_cosigned
from ledger.proofs import consistency
from ledger.seal import seal_now
from tests.world import keno_counter as at
from tests.world.keno_counter import plain
from tests.world.money import dollars
from tests.world.witness import RunningWitness
from witness.paper import look_at

pytestmark = pytest.mark.django_db
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
SPECIAL_3 = {"tables": {"2": {"2": "12.50"}}, "band": ["0.70", "0.80"]}


def leaf_of(printed: list[tuple[str, str]]) -> bytes:
    """By the page docs/proof/paper.md alone: nothing here is the house's own code."""
    said = dict(printed)
    day, month, year = re.findall(r"(\d+) ([A-Z][a-z]+) (\d{4})", said["Gaming day"])[0]
    first, last = re.findall(r"Games? (\d+)(?: to (\d+))?", said["Games"])[0]
    schedule, _, version = said["Schedule"].partition(", version ")
    groups = [text for name, text in printed if name == "Numbers" or name.startswith("Group ")]
    entry: dict[str, Any] = {
        "serial": said["Serial"].replace("-", ""),
        "security_hash": sha256(f"{said['Serial']}:{said['Security']}".replace("-", "").encode()).hexdigest(),
        "kind": said["Ticket"].split(",")[0].lower().replace(" ", "-"),
        "groups": [[int(number) for number in group.split()] for group in groups],
        "plays": [
            {"spots": int(name.removeprefix("Play ")), "stake": text.partition(" at $")[2].replace(",", "")}
            for name, text in printed
            if name.startswith("Play ")
        ],
        "schedule": schedule.lower().replace(" ", "-"),
        "schedule_version": int(version or 0),
        "jackpot": said["Jackpot"] == "yes",
        "first_game": int(first),
        "last_game": int(last or first),
        "price": said["Price"].removeprefix("$").replace(",", ""),
        "gaming_day": f"{year}-{MONTHS.index(month) + 1:02d}-{int(day):02d}",
        "sold_at": datetime.strptime(said["Sold"], "%a %d %b %Y, %H:%M:%S (UTC%z)").astimezone(UTC).isoformat(),
        "terminal": said["Terminal"],
    }
    entry["kind"] = {"way-ticket": "way", "mystery-quick-pick": "mystery"}.get(entry["kind"], entry["kind"])
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(b"\x00" + text.encode()).digest()


def tickets(counter: at.Counter) -> list[Sold]:
    at.approve_value("special-3", "special-3", SPECIAL_3)
    groups = [[1, 2, 3], [4, 5, 6], [7, 8], [9]]
    plays = [Asked(6, dollars("1.00")), Asked(3, dollars("2.00"))]
    return [
        counter.sell(plain(4, 8, 15, stake="2.00")),
        counter.sell(TicketRequest(groups=groups, plays=plays, games=50, jackpot=True)),
        counter.sell(TicketRequest(groups=groups, plays=plays, schedule="special-1")),
        counter.sell(TicketRequest(quick_pick=True, spots=2, stake=dollars("1.00"), schedule="special-3")),
        counter.sell(TicketRequest(quick_pick=True, stake=dollars("3.00"), games=2)),
    ]


@pytest.mark.clause("act-keno:4.2")
def test_a_leaf_is_computed_from_the_paper_alone(counter: at.Counter) -> None:
    for sold in tickets(counter):
        ticket = Ticket.objects.get(pk=sold.ticket.pk)
        assert leaf_of(lines(receipt_of(ticket, duplicate=False))) == bytes(ticket.leaf), ticket.kind


def test_a_leaf_of_another_paper_is_another(counter: at.Counter) -> None:
    """Each line that is hashed counts: another number, stake, game, schedule, price, day, time or terminal."""
    ticket = counter.sell(plain(4, 8, 15, stake="2.00")).ticket
    printed = lines(receipt_of(Ticket.objects.get(pk=ticket.pk), duplicate=False))
    other = {
        "Ticket": "Quick pick", "Numbers": "04 08 16", "Play 3": "1 way at $3.00", "Schedule": "Special 2",
        "Jackpot": "yes", "Games": "Game 2", "Price": "$3.00", "Gaming day": "Fri 1 May 2020", "Terminal": "W-2",
        "Sold": "Fri 1 May 2020, 10:00:00 (UTC+10:00)", "Serial": "0000-0000-0000", "Security": "0000-0000-0000-0000",
    }  # fmt: skip
    for name, text in other.items():
        changed = [(label, text if label == name else said) for label, said in printed]
        assert changed != printed
        assert leaf_of(changed) != bytes(ticket.leaf), name


def test_the_page_that_tells_how_has_it_right() -> None:
    page = (Path(ROOT) / "docs/proof/paper.md").read_text()
    receipt = re.findall(r"^\| ([A-Z][A-Za-z0-9 ]*) \| `([^`]*)` \|", page, flags=re.MULTILINE)
    leaf = re.findall(r"leaf is `([0-9a-f]{64})`", page)[0]
    assert leaf_of(receipt).hex() == leaf


@pytest.fixture
def sealed(witness: RunningWitness) -> at.Counter:
    """A counter whose log is sealed and cosigned."""
    announce_keys()
    counter = at.Counter()
    commit(purpose="keno", name="1", device="rng", by=counter.supervisor)
    seal_now()
    assert cosign_now()
    witness.watch()
    return counter


@pytest.mark.django_db(transaction=True)
def test_the_code_carries_a_signed_head(sealed: at.Counter, witness: RunningWitness) -> None:
    sold = sealed.sell(plain(4, 8, 15))
    receipt = print_receipt(serial=sold.ticket.serial, by=sealed.writer).receipt
    paper, signature = Paper.read(receipt.code)
    (key,) = receipt_keys()
    head = latest_cosigned()
    assert head is not None
    assert paper.is_signed(signature, by=key.public)
    assert (paper.receipt_key, paper.witness_key) == (key.id, witness.memory.keys.cosigner.id)
    assert (paper.size, paper.root) == (head.size, bytes(head.root))
    assert (paper.leaf, paper.commitment.hex()) == (bytes(sold.ticket.leaf), receipt.commitment)
    assert paper.leaf == leaf_of(lines(receipt))
    assert paper.witness == witness.url
    # A terminal that scans it reads what it always read.
    assert particulars.read_paper(receipt.code) == (sold.ticket.serial, sold.security_code)
    said = look_at(witness.memory, receipt.code)
    assert [finding.right for finding in said] == [True, True]
    assert f"{paper.size:,} rows that this witness cosigned" in said[1].said


@pytest.mark.django_db(transaction=True)
def test_a_duplicate_has_the_same_promise_and_a_later_head(sealed: at.Counter) -> None:
    sold = sealed.sell(plain(4, 8, 15))
    first, _ = Paper.read(print_receipt(serial=sold.ticket.serial, by=sealed.writer).receipt.code)
    seal_now()
    assert cosign_now()
    again = reprint_receipt(serial=sold.ticket.serial, reason="Torn.", by=sealed.supervisor).receipt
    second, _ = Paper.read(again.code)
    assert (second.commitment, second.leaf, second.origin) == (first.commitment, first.leaf, first.origin)
    assert second.size > first.size
    assert consistency(old=first.size, new=second.size)


def test_before_the_log_has_begun_the_code_is_what_it_was(counter: at.Counter) -> None:
    receipt = receipt_of(counter.sell().ticket, duplicate=False)
    assert (receipt.paper, [name for name, _ in fine_print(receipt)]) == ("", [])
    assert "paper=" not in receipt.code
