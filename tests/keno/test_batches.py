"""Tickets that are read many at a time say what they say one by one, and nothing that is strange gets through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from keno import ticket_lines
from keno.on_record import values
from keno.on_record.batches import Batch, BatchReader, Outcome, _Form, _Line
from keno.on_record.marks import Marks
from keno.on_record.paid_plainly import PaidOnce, PlainPayments, Sorted, packed, sort_out
from keno.on_record.sums import Sums, Won
from keno.on_record.tickets import TicketReader
from keno.on_record.values import Values
from keno.rules.entry import TicketEntry
from keno.rules.exposure import Limits, exposure
from keno.rules.schedules import schedule_named
from keno.rules.selection import plain
from keno.ticket_lines import ATTACHMENT, TicketLine
from kernel.canonical import canonical
from kernel.export_check import Doubt, Flow, Transfers
from kernel.money import Money

pytestmark = pytest.mark.quick
DRAWN = frozenset(range(1, 21))
LOST = frozenset(range(41, 61))


def entry(serial: str, *numbers: int, **said: Any) -> dict[str, Any]:
    stake, games = said.pop("stake", "1.00"), said.pop("games", 1)
    price = said.pop("price", f"{float(stake) * games:.2f}")
    return {
        "serial": serial, "kind": "standard", "groups": [list(numbers)],
        "plays": [{"spots": len(numbers), "stake": stake}], "schedule": "standard", "schedule_version": 0,
        "jackpot": False, "first_game": 1, "last_game": games, "price": price, "gaming_day": "2026-11-17",
        "sold_at": "2026-11-17T10:00:00+00:00", "terminal": "W-1", "security_hash": "ab" * 32,
    } | said  # fmt: skip


def outcome(drawn: frozenset[int], **said: Any) -> Outcome:
    of = Outcome(sum(1 << n for n in drawn), 10, True, True, False, frozenset(), None)
    return of._replace(**said)


def line(*entries: dict[str, Any]) -> bytes:
    return canonical({"attached": ATTACHMENT, **ticket_lines.written(entries[0]["first_game"], entries)}) + b"\n"


def reader(
    *outcomes: Outcome, marked: Marks | None = None, paid: Marks | None = None, plainly: list[bytes] | None = None
) -> BatchReader:
    of = dict(enumerate(outcomes, 1))
    payments = PlainPayments()
    payments.add(Sorted(b"".join(plainly or [])))
    return BatchReader(
        TicketReader(Values()), of, marked=marked or Marks(), paid=paid or payments.marks, payments=payments.reader()
    )


def read(*entries: dict[str, Any], **marks: Any) -> Batch:
    return reader(outcome(DRAWN), outcome(LOST), **marks)(line(*entries))


def test_one_way_and_ways_add_up() -> None:
    one_way = entry("A00000000000", 1, 2, 3, games=2)
    ways = entry("B00000000000", 1, groups=[[1, 2], [3]], plays=[{"spots": 3, "stake": "1.00"}])
    for _ in range(2):  # the second time its terms are known
        batch = read(one_way, ways, entry("C00000000000", 41, 42))
    assert batch.leaf(0) == sha256(b"\x00" + canonical(one_way)).digest()
    assert (batch.play_on, batch.special) == ({0: 2}, {})
    won = batch.won[0][0].micros
    assert batch.won == {0: (Won(1, won, "3 of 3"),), 1: (Won(1, won, "1 ways 3 of 3"),)}
    assert batch.sums == {
        1: Sums(tickets=3, stakes=3_000_000, fixed=2 * won, winners=2, biggest=won),
        2: Sums(tickets=1, stakes=1_000_000),
    }


def test_where_the_house_limits_it_they_add_up_what_a_game_could_pay() -> None:
    two = [entry("A00000000000", 1, 2, 3, games=2), entry("B00000000000", 4, 5, 6)]
    loose = Limits(Money.dollars(1_000), Money.dollars(1_000), Money.dollars(1_000))
    batch = reader(outcome(DRAWN, limits=loose), outcome(LOST, limits=loose))(line(*two))
    one = exposure(TicketEntry(plain([1, 2, 3], Money.dollars(1)), schedule_named("standard"), jackpot=False))
    assert (batch.sums[1].exposed.most, batch.sums[1].begin) == (one.most * 2, 2)
    assert (batch.sums[2].exposed.payable, batch.sums[2].begin) == (one.payable, 0)  # it began earlier
    tight = replace(loose, ticket_limit=one.payable - Money(10_000))
    with pytest.raises(Doubt, match="sold beyond the limits of its game"):
        reader(outcome(DRAWN, limits=tight), outcome(LOST))(line(*two))
    reader(outcome(DRAWN, limits=loose), outcome(LOST, limits=tight))(line(*two))  # those of its first game count


def some_tickets(chance: Random, count: int) -> list[dict[str, Any]]:
    """Of every sort, in the order of first games and serials; some of them hit more than chance gives."""
    serials = sorted(f"{chance.randrange(32**6):012d}" for _ in range(count))
    sold = []
    for serial in serials:
        first, games = 1, chance.choice((1, 1, 2, 3))
        numbers = chance.sample(range(1, chance.choice((25, 81))), chance.choice((1, 4, 6, 8, 10)))
        stake, price = chance.choice(("1.00", "2.00")), ""
        more: dict[str, Any] = {"sold_at": f"2026-11-17T10:00:{chance.randrange(60):02d}+00:00"}
        charged = games  # less than five games: none is free
        if len(numbers) == 10:
            more |= {"groups": [numbers[:3], numbers[3:6], numbers[6:]], "plays": [{"spots": 3, "stake": stake}]}
            price = f"{2 * float(stake) * charged:.2f}"
        more["jackpot"] = len(numbers) in (6, 8) and chance.random() < 0.5
        more |= {"first_game": first, "last_game": first + games - 1}
        one = entry(serial, *numbers, stake=stake, price=price or f"{float(stake) * charged:.2f}", **more)
        sold.append(one)
    return sold


@pytest.mark.parametrize("seed", range(4))
def test_many_at_a_time_say_what_they_say_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop that most of them go through, and the slow way for what is strange: the same, whoever was marked."""
    chance = Random(seed)
    tickets = some_tickets(chance, 120)
    marked, paid_on = Marks(), Marks()
    for each in chance.sample(tickets, 12):
        chance.choice((marked, paid_on)).add(each["serial"].encode())
    special = outcome(DRAWN, bonuses=frozenset({(4, 3)}))
    for outcomes in (
        [outcome(DRAWN), outcome(LOST), special], [outcome(DRAWN), outcome(LOST, settled=False)],
        [outcome(DRAWN, put_right=True), special, outcome(DRAWN), outcome(LOST)], [],
    ):  # fmt: skip
        written = line(*tickets)
        reading = reader(*outcomes, marked=marked, paid=paid_on)
        together = reading(written)
        with monkeypatch.context() as patch:
            patch.setattr(BatchReader, "_read", one_by_one)
            assert together == reading(written)
        assert together.leaves == b"".join(sha256(b"\x00" + canonical(ticket)).digest() for ticket in tickets)


def one_by_one(reading: BatchReader, now: _Line, forms: Sequence[_Form]) -> None:
    for place, form in enumerate(now.said.form):
        forms[form].alikes.clear()
        reading._one(now, place, forms[form])


def test_a_line_is_read_the_same_however_it_is_read() -> None:
    """Cut at its quotes, or as JSON, which it takes where a letter is escaped."""
    tickets = some_tickets(Random(9), 60)
    written = line(*tickets)
    assert TicketLine._plain(written) == TicketLine._any(written)
    assert list(TicketLine.read(written).entries()) == tickets
    quoted = [{**tickets[0], "terminal": 'W-"1"'}, {**tickets[1], "kind": "caf\u00e9 \\"}, tickets[2]]
    assert TicketLine._plain(line(*quoted)) is None
    found = TicketLine.read(line(*quoted))
    assert found.leaves() == [sha256(b"\x00" + canonical(each)).digest() for each in quoted]


def test_what_depends_on_others_is_special() -> None:
    major = entry("A00000000000", *range(1, 10))
    assert list(read(major).special) == [0]
    small = entry("A00000000000", 1, 2)
    for strange in (outcome(DRAWN, put_right=True), outcome(DRAWN, bonuses=frozenset({(2, 2)}))):
        batch = reader(strange)(line(small))
        assert (list(batch.special), batch.won, batch.sums) == ([0], {}, {})
    marks = Marks()
    marks.add(b"A00000000000")
    assert list(read(small, marked=marks).special) == [0]
    assert list(read(small, paid=marks).special) == []
    assert list(read(entry("A00000000000", 61), paid=marks).special) == [0]  # it won nothing, and was paid


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"groups": [[1, 1]]}, "one of its numbers twice"),
        ({"groups": [[1, 81]]}, "cannot be read"),
        ({"plays": [{"spots": 3, "stake": "1.00"}]}, "No combination of the groups makes 3 numbers"),
        ({"price": "2.00"}, "by the rules it costs $1.00"),
        ({"schedule": "mine"}, "there is no schedule mine"),
    ],
)
def test_what_cannot_have_been_sold(changed: dict[str, Any], sentence: str) -> None:
    reading = reader(outcome(DRAWN))
    reading(line(entry("000000000000", 1, 2)))  # others like it were right
    with pytest.raises(Doubt, match=sentence.replace("$", r"\$")):
        reading(line(entry("A00000000000", 1, 2, **changed)))


def test_its_bytes_have_one_way_to_be_written() -> None:
    right = line(entry("A00000000000", 1, 2), entry("B00000000000", 3, 4))
    for old, new in (
        (b'"1,2"', b'"1, 2"'), (b'"1,2"', b'"01,2"'), (b'"price":"1.00"', b'"price":"1.00","price":"1.00"'),
        (b"[0,0]", b"[0,,0]"), (b"[0,0]", b"[0,00]"), (b"[0,0]", b"[0,0.0]"), (b"[0,0]", b"[0,false]"),
        (b"[0,0]", b"[0,1]"), (b"[0,0]", b"[0]"), (b"]}\n", b"]} \n"), (b"]}\n", b"],\"x\":1}\n"),
        (b"W-1", b"W-\xff"), (b"W-1", b"W-\x01"), (b'"first_game":1', b'"first_game":1.0'), (b"]}\n", b"]}"),
        (b'"schedule_version":0', b'"schedule_version":0.0'), (b'"spots":2', b'"spots":2.0'),
        (b'"B00000000000"', b'"B0000000000"'), (b'"B00000000000"', b'"b\xc3\xa90000000000"'), (b'["W-1"', b'["W"1"'),
        (b'"W-1","W-1"', b'"W-1" ,"W-1"'), (b'"jackpot":false', b'"jackpot":0'),
    ):  # fmt: skip
        assert old in right
        with pytest.raises((Doubt, ValueError)):
            reader(outcome(DRAWN))(right.replace(old, new, 1))
    with pytest.raises(Doubt, match="out of order"):
        read(entry("B00000000000", 1, 2), entry("A00000000000", 1, 2))


def paid(micros: int, *, row: int = 1, place: int = 20) -> bytes:
    at, by = b"2026-11-17T10:00:00.000000Z", b"device:W-1"
    return packed(b"A00000000000", row=row, place=place, micros=micros, number=row, at=at, by=by)


def test_what_was_paid_at_once_and_in_full_needs_no_second_look() -> None:
    small = entry("A00000000000", 1, 2)
    won = read(small).won[0][0].micros
    batch = read(small, plainly=[paid(won, row=7)])
    assert (batch.paid, batch.won) == ({0: 0}, {})
    assert batch.sums[1] == Sums(tickets=1, stakes=1_000_000, fixed=won, winners=1, biggest=won)
    for strange in (
        [paid(won + 1)], [paid(won - 1)], [paid(won), paid(won, row=2)], [paid(won, place=9)],  # before it was over
        [paid(0)],
    ):  # fmt: skip
        batch = read(small, plainly=strange)
        assert (batch.paid, list(batch.won)) == ({}, [0])


def test_above_the_supervised_amount_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    small = entry("A00000000000", 1, 2)
    won = read(small).won[0][0].micros
    monkeypatch.setitem(values.AMOUNTS, values.SUPERVISED_ABOVE, Money(won - 1))
    assert list(read(small, plainly=[paid(won)]).won) == [0]


def transfer(number: int, tx: int, reference: bytes, **changed: bytes) -> tuple[Any, ...]:
    """A place, a row's number, and so on, as the columns have them."""
    flow = Flow(b"2026-11-17", b"keno.payment", b"keno:prizes-owing", b"keno:shift:1:cash")
    memo = changed.pop("memo", b'{"ticket": "A00000000000"}')
    at = b"2026-11-17T10:00:00.000000Z"
    by = changed.pop("actor", b"device:W-1")
    return 99 + number, number, tx, at, flow._replace(**changed), reference, b"5000000", by, memo


def test_only_plain_payments_are_plain() -> None:
    rows = [
        transfer(1, 1, b"7"), transfer(2, 2, b"8"), transfer(3, 2, b"8/1"), transfer(4, 3, b"9", debit=b"keno:x"),
        transfer(5, 4, b"10", credit=b"bank"), transfer(6, 5, b"11", memo=b"{}"), transfer(7, 6, b"12", kind=b"x"),
        transfer(8, 6, b"13", actor=b"x" * 41), transfer(9, 7, b"14"),
    ]  # fmt: skip
    found = sort_out(Transfers(*zip(*rows, strict=True)))
    payments = PlainPayments()
    payments.add(found)
    assert (payments.count, payments.micros) == (1, 5_000_000)
    [plain] = payments.reader().of(b"A00000000000")
    assert (plain.row, plain.place, plain.number, plain.by) == (1, 100, 7, "device:W-1")
    assert [row.index for row in found.others] == [101, 102, 103, 104, 105, 107, 108]  # the last may have parts to come


def test_of_one_transaction_only_the_last_payment_waits_for_more_parts() -> None:
    rows = [transfer(number, 1, b"%d" % number) for number in range(1, 6)]
    found = sort_out(Transfers(*zip(*rows, strict=True)))
    assert (found.micros, [row.index for row in found.others]) == (20_000_000, [104])


def test_a_payment_that_no_ticket_took_is_left() -> None:
    payments = PlainPayments()
    assert payments.left() is None
    payments.add(Sorted(paid(5, row=1) + paid(6, row=2) + packed(
        b"B00000000000", row=3, place=30, micros=7, number=3, at=b"2026-11-17T10:00:00.000000Z", by=b"x"
    )))  # fmt: skip
    reading = payments.reader()
    assert [each.row for each in reading.of(b"A00000000000")] == [1, 2]
    assert reading.paid_once([b"A00000000000", b"B00000000000", b"C00000000000"]) == [None, PaidOnce(2, 30, 7), None]
    payments.take([0, 2])
    left = payments.left()
    assert left is not None
    assert left[1].row == 2
    payments.take([1])
    assert payments.left() is None
