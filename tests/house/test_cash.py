"""What changes hands: who shows who he is, what counts together, what is reported, which cheque was written."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest

from house.cash import queries
from house.cash.cheques import WrittenCheque, require_number
from house.cash.identity import PARTS, Identity, require_identity
from house.cash.limits import SHAPE, CashLimits
from house.models import CashLine, Cheque, Customer, Structuring, ThresholdReport, Way
from house.plan_days import ensure_gaming_days
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal
from ledger.models import Act
from tests.world.approvals import put_in_force
from tests.world.cash import ANNA, BEN, DAY, PAYER, WHEN, handed
from tests.world.people import someone
from tests.world.players import registered
from tests.world.refusals import refused_as

pytestmark = pytest.mark.django_db

LIMIT = Money.dollars(10_000)
MONA = someone("manager", "mona")


@pytest.fixture(autouse=True)
def venue_is_open() -> None:
    ensure_gaming_days(now=WHEN)


refused = partial(refused_as, "code", undone=True)  # whatever was written is undone, as a verb's transaction does


def reports() -> list[tuple[str, int]]:
    """Each report: how much, in how many payments."""
    return [(str(each.cash), each.lines.count()) for each in ThresholdReport.objects.order_by("pk")]


# Who it is


def test_every_part_of_an_identity_is_needed() -> None:
    assert require_identity(LIMIT, ANNA) == ANNA
    for part in PARTS:
        with pytest.raises(Refusal) as why:
            require_identity(LIMIT, Identity.read({**ANNA.as_json(), part: " "}), refused_as="identity-missing")
        assert (why.value.code, why.value.field) == ("identity-missing", f"identity.{part}")
    with pytest.raises(Refusal, match="future"):
        require_identity(LIMIT, Identity.read({**ANNA.as_json(), "born": "2999-01-01"}))
    with pytest.raises(Refusal, match="as it is printed"):
        require_identity(LIMIT, replace(ANNA, document_number="n/a"))
    assert Identity.read(ANNA.as_json()) == ANNA
    assert Identity.read({**ANNA.as_json(), "born": "yesterday"}).missing() == ["born"]


def test_small_payments_to_nobody_known_ask_the_database_nothing(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert handed("999.99", payment=1) is None
    assert not CashLine.objects.exists()


def test_the_limit_asks_who_it_is_however_it_is_paid() -> None:
    assert refused(handed, "10000.00", payment=1) == "identity-needed"
    assert refused(handed, "0.00", payment=1, other=LIMIT) == "identity-needed"
    by_cheque = WrittenCheque(amount=Money.parse("0.01"), number="1")
    assert refused(handed, "9999.99", payment=1, cheque=by_cheque) == "identity-needed"
    assert not CashLine.objects.exists()
    line = handed("10000.00", payment=1, identity=ANNA)
    assert (line.identity, reports()) == (ANNA.as_json(), [("10000.00", 1)])
    handed("0.00", payment=2, other=LIMIT, identity=BEN)
    assert reports() == [("10000.00", 1)]  # no cash, no report


# What counts together


def test_amounts_of_one_card_in_one_gaming_day_count_together_in_all_rooms() -> None:
    (player,) = registered("C-1")
    handed("4000.00", payment=1, played_by=player.pk)
    handed("3000.00", payment=1, of="jackpot hit", played_by=player.pk)
    last: dict[str, Any] = {"payment": 1, "of": "keno voucher", "card": "c-1"}
    assert refused(handed, "3000.00", **last) == "identity-needed"
    assert reports() == []
    handed("2999.99", payment=7, card="C-1")
    assert reports() == []
    handed("3000.00", **last, identity=ANNA)
    assert reports() == [("12999.99", 4)]
    report = ThresholdReport.objects.get()
    assert (report.room, report.what, report.made_by) == ("keno", "voucher", PAYER.identity)
    # Who has shown it today is not asked again below the limit, and the report grows; above it he is.
    handed("20.00", payment=8, played_by=player.pk)
    assert reports() == [("13019.99", 5)]
    assert refused(handed, "10000.00", payment=9, played_by=player.pk) == "identity-needed"
    handed("10000.00", payment=9, played_by=player.pk, identity=ANNA)
    assert reports() == [("13019.99", 5), ("10000.00", 1)]
    # Tomorrow begins at nothing.
    handed("9000.00", payment=10, day=DAY + timedelta(days=1), played_by=player.pk)
    assert len(reports()) == 2


def test_a_document_in_another_spelling_is_the_same_person() -> None:
    handed("4000.00", payment=1, identity=ANNA)
    handed("4000.00", payment=2, identity=replace(ANNA, name="Anne M.", document_number="pa 123-4567"))
    handed(
        "4000.00", payment=3, identity=replace(ANNA, name="A. Marsh", document="Passport", document_number="PAI234567")
    )
    assert reports() == [("12000.00", 3)]


def test_the_licence_instead_of_the_passport_is_the_same_person() -> None:
    handed("6000.00", payment=1, identity=ANNA)
    licence = replace(ANNA, name="MARSH, Anna", document="licence", document_number="9912")
    handed("6000.00", payment=2, identity=licence)
    assert reports() == [("12000.00", 2)]
    # Another of her name, born on another day, is another.
    handed("6000.00", payment=3, identity=replace(licence, born=date(1981, 1, 1), document_number="4711"))
    assert reports() == [("12000.00", 2)]


def test_what_was_shown_together_is_one_customers_from_then_on() -> None:
    registered("C-1", "C-2")
    handed("1.00", payment=1, card="C-1", identity=ANNA)
    handed("1.00", payment=2, card="C-2", identity=BEN)
    handed("6000.00", payment=3, card="C-1")
    handed("6000.00", payment=4, card="C-2")
    assert reports() == []
    handed("1.00", payment=5, card="C-2", identity=ANNA)  # so they were one all along
    assert reports() == [("12003.00", 5)]
    assert Customer.objects.filter(same_as=None).count() == 1


def test_a_ticket_of_his_card_that_another_collects_counts_for_both_and_makes_them_not_one() -> None:
    (player,) = registered("C-1")
    handed("6000.00", payment=1, played_by=player.pk)
    handed("5000.00", payment=2, played_by=player.pk, identity=BEN)
    assert reports() == [("11000.00", 2)]
    handed("5000.00", payment=3, identity=BEN)
    assert reports() == [("16000.00", 3)]
    handed("3000.00", payment=4, day=DAY + timedelta(days=1), identity=BEN)
    handed("8000.00", payment=5, day=DAY + timedelta(days=1), played_by=player.pk)
    assert len(reports()) == 1


def test_what_comes_in_and_what_goes_out_are_counted_apart() -> None:
    (player,) = registered("C-1")
    handed("6000.00", payment=1, of="house deposit", played_by=player.pk)
    handed("6000.00", payment=1, played_by=player.pk)
    assert reports() == []
    assert refused(handed, "6000.00", payment=2, of="house deposit", played_by=player.pk) == "identity-needed"
    handed("6000.00", payment=2, of="house deposit", played_by=player.pk, identity=ANNA)
    assert [(each.way, str(each.cash)) for each in ThresholdReport.objects.all()] == [(Way.IN, "12000.00")]


def test_nothing_of_a_person_is_in_the_log_or_found_by_the_marks() -> None:
    handed("12000.00", payment=1, identity=ANNA)
    logged = str([(each.kind, each.subject, each.data) for each in Act.objects.all()])
    marks = str(list(Customer.objects.values_list("mark", flat=True)))
    for part in ("Anna", "Marsh", "Binara", "PA1234567", "1980"):
        assert part not in logged
        assert part not in marks
    due = Act.objects.get(kind="cash.threshold-due")
    assert (due.data["cash"], due.data["payments"]) == ("12000.00", 1)


# Possible structuring


def test_several_payments_below_the_limit_are_shown_once() -> None:
    (player,) = registered("C-1")
    handed("3000.00", payment=1, played_by=player.pk)
    handed("3500.00", payment=2, played_by=player.pk)
    assert not Structuring.objects.exists()
    handed("3500.00", payment=3, played_by=player.pk, identity=ANNA)
    hint = Structuring.objects.get()
    assert (hint.incident.kind, hint.incident.reported_by) == ("possible-structuring", "system:cash")
    assert "3 payments" in hint.incident.what
    assert "Anna" not in hint.incident.what
    assert [each.payment for each in queries.lines_of(hint)] == [1, 2, 3]
    handed("4000.00", payment=4, played_by=player.pk)
    assert Structuring.objects.count() == 1


def test_many_small_prizes_are_play_and_no_hint() -> None:
    (player,) = registered("C-1")
    for payment in range(9):
        handed("1200.00", payment=payment, played_by=player.pk, identity=ANNA if payment == 8 else None)
    assert reports() == [("10800.00", 9)]
    assert not Structuring.objects.exists()


def test_unknown_people_at_one_terminal_within_the_hour_are_a_hint() -> None:
    other = Actor("device:W-0002", "Counter 2")
    handed("9000.00", payment=1)
    handed("9000.00", payment=2, by=other)
    handed("9000.00", payment=3, at=WHEN + timedelta(minutes=61))
    assert not Structuring.objects.exists()
    handed("9000.00", payment=4, at=WHEN + timedelta(minutes=70))
    hint = Structuring.objects.get()
    assert (hint.about, {each.payment for each in queries.lines_of(hint)}) == ("at:device:W-0001", {1, 3, 4})


def test_one_person_at_two_devices_is_one_writer() -> None:
    for payment, device in enumerate(("S-0001", "S-0002")):
        handed("9000.00", payment=payment, by=Actor("staff:sue", "Sue", device=device))
    assert [each.about for each in Structuring.objects.all()] == ["at:staff:sue"]


# Cheques


def test_a_cheque_leaves_a_number_behind_and_is_used_once_in_all_rooms() -> None:
    assert require_number(" 000779 ") == "000779"
    for wrong in ("", "  ", "9" * 121):
        with pytest.raises(Refusal) as why:
            require_number(wrong, code="cheque-number")
        assert why.value.code == "cheque-number"

    def written(number: str, amount: str = "500.00") -> WrittenCheque:
        return WrittenCheque(amount=Money.parse(amount), number=number)

    handed("0.00", payment=1, cheque=written("000781"))
    for room in ("jackpot hit", "promotions prize", "keno claim", "keno tournament-prize"):
        for number in ("000781", "781", "0781", "MAIN:7-81"):
            assert refused(handed, "0.00", payment=1, of=room, cheque=written(number)) == "cheque-used"
    assert refused(handed, "0.00", payment=2, cheque=written("TRUST:781")) == "cheque-account-unknown"
    assert refused(handed, "0.00", payment=2, cheque=written("none")) == "cheque-number-missing"
    handed("0.00", payment=2, cheque=written(""))  # below the approved amount
    big: dict[str, Any] = {"payment": 3, "identity": ANNA}
    assert refused(handed, "0.00", **big, cheque=written("", "10000.00")) == "cheque-number-missing"
    limits = replace(CashLimits(), cheque_accounts=("MAIN", "TRUST"), cheque_number_from=Money.cents(1))
    put_in_force("house.cash-limits", "venue", SHAPE.write(limits))
    handed("0.00", payment=2, cheque=written("trust:781"))
    assert refused(handed, "0.00", payment=4, cheque=written("")) == "cheque-number-missing"
    assert set(Cheque.objects.values_list("account", "number")) == {("MAIN", "781"), ("TRUST", "781")}
