"""Checks of hands that are kept, and the over- and underpayments they open (nsw-csp:14.16–14.19)."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime
from functools import partial
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, ProgrammingError, transaction

from house.incident_kinds import PAYMENT_ERROR, PAYMENT_ERROR_ABOVE_1000, PAYMENT_ERROR_SUSPECTED
from house.incidents import overdue, record_notice
from house.models import Incident, Notice
from house.players import restrict
from kernel.money import Money
from kernel.refusal import Forbidden
from ledger.balance import balance
from ledger.models import Act, Transfer
from tablegames import accounts, payment_errors, reports
from tablegames.models import Check, ErrorStep, PaymentError
from tablegames.month_end import tell_regulator
from tablegames.rules.payment_errors import ALLOWED, Status
from tablegames.rules.payment_errors import NextStep as Doing
from tablegames.settle import Entered, evaluate, record_check
from tests.tablegames.hands import ACE_KING, BY_NAME, money
from tests.world import refusals
from tests.world.people import DEALER, MANAGER, SUPERVISOR
from tests.world.players import registered
from web.report_paper import as_pdf
from web.reports import as_csv

pytestmark = pytest.mark.usefixtures("tables")
NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)


def stud(hand: str = "two-pairs", ante: int = 10) -> Entered:
    return Entered(
        game="caribbean-stud",
        wagers=money({"ante": f"{ante}.00", "bet": f"{2 * ante}.00"}),
        cards={"player": BY_NAME[hand].split(), "dealer": ACE_KING.split()},
    )


def checked(ante: str = "10.00", bet: str = "40.00", **more: Any) -> Check:
    """Two pairs against ace-king: 10 on the ante and 40 on the bet are owed."""
    registered("P-1")
    return record_check(
        entered=stud(), table="CSP-01", paid=money({"ante": ante, "bet": bet}), by=SUPERVISOR, player_card="P-1", **more
    )


def error_of(check: Check) -> PaymentError:
    return PaymentError.objects.get(check_of=check)


def held() -> dict[str, str]:
    names = {"float": accounts.FLOAT, "cage": accounts.CAGE, "overpaid": accounts.OVERPAID,
             "underpaid": accounts.UNDERPAID, "errors": accounts.ERRORS}  # fmt: skip
    return {name: str(balance(code).amount) for name, code in names.items()}


def everything() -> tuple[int, ...]:
    models = (Check, PaymentError, ErrorStep, Incident, Notice, Act, Transfer)
    return tuple(model._default_manager.count() for model in models)


refused = partial(refusals.refused, unchanged=everything, clause=None)


def test_a_hand_paid_as_it_should_be_is_kept_and_opens_nothing() -> None:
    check = checked()
    assert (str(check.difference), check.terms["maximum_payout"]) == ("0.00", "50000.00")
    assert not PaymentError.objects.exists()
    assert not Incident.objects.exists()
    assert Act.objects.filter(kind="tablegames.checked", subject=f"check:{check.pk}").count() == 1


@pytest.mark.clause("nsw-csp:14.16")
def test_paid_too_much_is_an_overpayment() -> None:
    error = error_of(checked(bet="60.00"))
    assert (error.direction, str(error.amount), error.status, error.intent) == ("over", "20.00", "open", "not-decided")
    assert error.incident.kind == PAYMENT_ERROR
    assert held() == {"float": "-20.00", "cage": "0.00", "overpaid": "20.00", "underpaid": "0.00", "errors": "0.00"}


@pytest.mark.clause("nsw-csp:14.16")
def test_paid_too_little_is_an_underpayment_and_a_stake_wrongly_taken_is_one_too() -> None:
    error = error_of(checked(bet="0.00", returned=money({"bet": "0.00"})))
    assert (error.direction, str(error.amount)) == ("under", "60.00")
    assert held() == {"float": "60.00", "cage": "0.00", "overpaid": "0.00", "underpaid": "60.00", "errors": "0.00"}


@pytest.mark.clause("nsw-csp:14.16")
def test_too_much_on_one_wager_and_too_little_on_another_are_two() -> None:
    """They do not net: each has its own record, its own money and its own end."""
    entered = stud("full-house", ante=1_000)  # 1,000 on the ante and 14,000 on the bet
    paid = money({"ante": "2500.00", "bet": "12500.00"})
    check = record_check(entered=entered, paid=paid, by=SUPERVISOR)
    assert not check.difference
    over, under = PaymentError.objects.filter(check_of=check).order_by("id")
    assert (over.wager, over.direction, str(over.amount)) == ("ante", "over", "1500.00")
    assert (under.wager, under.direction, str(under.amount)) == ("bet", "under", "1500.00")
    assert over.incident.kind == under.incident.kind == PAYMENT_ERROR_ABOVE_1000
    assert over.incident_id != under.incident_id
    assert held() == {
        "float": "0.00", "cage": "0.00", "overpaid": "1500.00", "underpaid": "1500.00", "errors": "0.00"
    }  # fmt: skip


def test_everything_must_be_said_about_what_was_paid() -> None:
    registered("P-1")
    pay = money({"ante": "10.00"})
    refused(lambda: record_check(entered=stud(), paid=pay, by=SUPERVISOR), "paid-missing")
    refused(lambda: checked(bet="-1.00"), "paid-below-zero")
    refused(lambda: checked(returned=money({"super": "1.00"})), "wager-not-there")
    refused(lambda: checked(returned=money({"bet": "20.01"})), "returned-too-much")
    refused(lambda: checked(happened_at=datetime(2099, 1, 1, tzinfo=UTC)), "not-happened-yet")
    other = Entered(game="canberra-poker", wagers=stud().wagers, cards=stud().cards)
    refused(lambda: record_check(entered=other, table="CSP-01", paid=pay, by=SUPERVISOR), "another-game")
    before = everything()
    with pytest.raises(Forbidden):
        record_check(entered=stud(), paid=pay, by=DEALER)
    assert everything() == before


def test_evaluate_changes_nothing() -> None:
    before = everything()
    answer = evaluate(entered=stud(), table="CSP-01", paid=money({"ante": "10.00", "bet": "60.00"}))
    assert answer.difference == Money.dollars(20)
    assert everything() == before


@pytest.mark.clause("nsw-csp:14.19")
@pytest.mark.at(NOW)
def test_more_than_a_thousand_goes_to_the_regulator_by_the_end_of_the_month() -> None:
    entered = stud("full-house", ante=100)  # 1,400 on the bet
    paid = money({"ante": "100.00", "bet": "400.00"})
    exactly = error_of(record_check(entered=entered, paid=paid, by=SUPERVISOR))
    assert (str(exactly.amount), exactly.incident.kind) == ("1000.00", PAYMENT_ERROR)
    assert not Notice.objects.exists()
    paid["bet"] = Money.parse("399.99")
    above = error_of(record_check(entered=entered, paid=paid, by=SUPERVISOR))
    assert (str(above.amount), above.incident.kind) == ("1000.01", PAYMENT_ERROR_ABOVE_1000)
    (notice,) = Notice.objects.filter(incident=above.incident)
    assert (notice.to, notice.due_at) == ("regulator", datetime(2026, 11, 30, 13, 0, tzinfo=UTC))  # midnight in Sydney
    assert not overdue().exists()
    assert overdue(now=datetime(2026, 11, 30, 13, 6, tzinfo=UTC)).get() == notice
    made = reports.month_end(date(2026, 11, 1), date(2026, 11, 30))
    assert [(row[0], str(row[5])) for row in made.rows] == [(above.pk, "1000.01")]
    assert made.rows[0][-1] is None  # nobody told yet
    record_notice(incident_id=above.incident_id, to="regulator", how="portal", by=MANAGER, reference="N-7")
    assert reports.month_end(date(2026, 11, 1), date(2026, 11, 30)).rows[0][-1] is not None
    assert not reports.month_end(date(2026, 12, 1), date(2026, 12, 31)).rows
    assert not overdue(now=datetime(2026, 12, 1, 13, 6, tzinfo=UTC)).exists()


@pytest.mark.clause("nsw-csp:14.19")
@pytest.mark.at(NOW)
def test_the_month_is_reported_in_one_go() -> None:
    entered, paid = stud("full-house", ante=100), money({"ante": "100.00", "bet": "0.00"})
    with time_machine.travel(datetime(2026, 11, 30, 12, 59, tzinfo=UTC), tick=False):  # 23:59 in Sydney
        november = [error_of(record_check(entered=entered, paid=paid, by=SUPERVISOR)) for _ in range(2)]
        checked(bet="60.00")  # twenty dollars: not reported
    with time_machine.travel(datetime(2026, 11, 30, 13, 1, tzinfo=UTC), tick=False):
        december = error_of(record_check(entered=entered, paid=paid, by=SUPERVISOR))
        told = tell_regulator(month=date(2026, 11, 14), how="portal", reference="N-11", by=MANAGER)
        assert told == november
        refused(lambda: tell_regulator(month=date(2026, 11, 1), how="portal", by=MANAGER), "nothing-to-report")
        refused(lambda: tell_regulator(month=date(2026, 12, 1), how=" ", by=MANAGER), "notice-incomplete")
        with pytest.raises(Forbidden):
            tell_regulator(month=date(2026, 12, 1), how="portal", by=DEALER)
    left = Notice.objects.filter(told_at=None)
    assert [notice.incident_id for notice in left] == [december.incident_id]
    assert Act.objects.filter(kind="tablegames.month-reported", subject="month:2026-11").count() == 1


@pytest.mark.clause("nsw-csp:14.16", "nsw-csp:14.18")
def test_an_overpayment_returned_in_two_parts_is_rectified() -> None:
    error = error_of(checked(bet="60.00"))
    payment_errors.decide_intent(
        error_id=error.pk, intent="unintentional", enquiries="Footage: read as three of a kind.", by=SUPERVISOR
    )
    payment_errors.take_step(
        error_id=error.pk, kind="identify", how="By the player card.", succeeded=True, by=SUPERVISOR
    )
    payment_errors.rectify(error_id=error.pk, amount=Money.dollars(5), how="In chips.", by=SUPERVISOR)
    error.refresh_from_db()
    assert (error.status, str(error.rectified)) == ("open", "5.00")
    refused(
        lambda: payment_errors.rectify(error_id=error.pk, amount=Money.dollars(16), how="In chips.", by=SUPERVISOR),
        "amount-impossible",
    )
    payment_errors.rectify(error_id=error.pk, amount=Money.dollars(15), how="In cash.", by=MANAGER)
    error.refresh_from_db()
    assert (error.status, str(error.rectified), error.closed_by) == ("rectified", "20.00", "staff:manager")
    assert held() == {"float": "-20.00", "cage": "20.00", "overpaid": "0.00", "underpaid": "0.00", "errors": "0.00"}
    refused(
        lambda: payment_errors.rectify(error_id=error.pk, amount=Money.dollars(1), how="In chips.", by=SUPERVISOR),
        "payment-error-closed",
    )
    kinds = Act.objects.filter(subject=error.subject).order_by("id").values_list("kind", flat=True)
    assert [kind.removeprefix("tablegames.payment-error-") for kind in kinds] == [
        "found",
        "intent-decided",
        "step-taken",
        "rectified",
        "rectified",
    ]


@pytest.mark.clause("nsw-csp:14.16", "nsw-csp:14.18", "nsw-csp:14.18.1", "nsw-csp:14.18.1.1-2")
def test_an_overpayment_is_given_up_only_after_a_reasonable_attempt() -> None:
    error = error_of(checked(bet="60.00"))

    def close(outcome: str = "attempted") -> PaymentError:
        return payment_errors.close_error(error_id=error.pk, outcome=outcome, what="Not found.", by=MANAGER)

    def step(kind: str, succeeded: bool) -> None:
        payment_errors.take_step(error_id=error.pk, kind=kind, how="By telephone.", succeeded=succeeded, by=SUPERVISOR)

    refused(close, "intent-not-decided", clause="nsw-csp:14.16.1")
    payment_errors.decide_intent(error_id=error.pk, intent="unintentional", enquiries="Footage.", by=SUPERVISOR)
    refused(close, "attempt-missing", clause="nsw-csp:14.18.1")
    refused(lambda: step("reimburse", True), "step-the-wrong-way", clause="nsw-csp:14.18.1.2")
    step("identify", True)
    refused(close, "attempt-missing", clause="nsw-csp:14.18.1.2")  # known, and not asked
    step("request-return", False)
    refused(lambda: close("reported"), "regulator-not-told", clause="nsw-csp:14.16.2")
    refused(lambda: close("rectified"), "outcome-not-known")
    close()
    error.refresh_from_db()
    assert (error.status, error.outcome) == ("attempted", "Not found.")
    assert held() == {"float": "-20.00", "cage": "0.00", "overpaid": "0.00", "underpaid": "0.00", "errors": "20.00"}
    refused(close, "payment-error-closed")
    # He comes back with it after all.
    payment_errors.rectify(error_id=error.pk, amount=Money.dollars(20), how="In cash.", by=SUPERVISOR)
    error.refresh_from_db()
    assert error.status == "rectified"
    assert held() == {"float": "-20.00", "cage": "20.00", "overpaid": "0.00", "underpaid": "0.00", "errors": "0.00"}


@pytest.mark.clause("nsw-csp:14.16", "nsw-csp:14.18", "nsw-csp:14.18.1", "nsw-csp:14.18.1.1-2")
def test_an_underpayment_stays_owed_when_the_patron_is_not_found() -> None:
    error = error_of(checked(bet="10.00"))
    payment_errors.decide_intent(error_id=error.pk, intent="unintentional", enquiries="Footage.", by=SUPERVISOR)
    refused(
        lambda: payment_errors.take_step(
            error_id=error.pk, kind="request-return", how="No.", succeeded=False, by=SUPERVISOR
        ),
        "step-the-wrong-way",
        clause="nsw-csp:14.18.1.1",
    )
    payment_errors.take_step(error_id=error.pk, kind="identify", how="Footage.", succeeded=False, by=SUPERVISOR)
    owed = held()["underpaid"]
    payment_errors.close_error(error_id=error.pk, outcome="attempted", what="Unknown to us.", by=MANAGER)
    assert held()["underpaid"] == owed != "0.00"
    payment_errors.rectify(error_id=error.pk, amount=Money.dollars(30), how="In chips.", by=MANAGER)
    assert held()["underpaid"] == "0.00"
    assert PaymentError.objects.get(pk=error.pk).status == "rectified"


@pytest.mark.clause("nsw-csp:16.19")
def test_nothing_is_made_good_to_somebody_who_broke_the_employee_policy() -> None:
    (owner,) = registered("P-1")
    restrict.restrict(player_number=owner.number, kind="employee", reason="A dealer of ours.", by=MANAGER)
    error = error_of(checked(bet="10.00"))
    refused(
        lambda: payment_errors.rectify(error_id=error.pk, amount=Money.dollars(30), how="In chips.", by=MANAGER),
        "employee-policy",
        clause="nsw-csp:16.19",
    )
    over = error_of(checked(bet="60.00"))  # what he got too much comes back all the same
    payment_errors.rectify(error_id=over.pk, amount=Money.dollars(20), how="In chips.", by=SUPERVISOR)


@pytest.mark.clause("nsw-csp:14.16", "nsw-csp:14.16.1-2")
def test_an_honest_mistake_may_be_brought_to_the_regulator_instead() -> None:
    error = error_of(checked(bet="60.00"))
    payment_errors.decide_intent(error_id=error.pk, intent="unintentional", enquiries="Footage.", by=SUPERVISOR)
    record_notice(incident_id=error.incident_id, to="regulator", how="letter", by=MANAGER)
    payment_errors.close_error(error_id=error.pk, outcome="reported", what="Told.", by=MANAGER)
    assert PaymentError.objects.get(pk=error.pk).status == "reported"


@pytest.mark.clause("nsw-csp:14.17", "nsw-csp:14.17.1-2")
def test_a_suspicion_is_an_incident_and_asks_for_the_patron() -> None:
    error = error_of(checked(bet="60.00"))
    payment_errors.decide_intent(
        error_id=error.pk, intent="suspected", enquiries="The third time tonight.", by=SUPERVISOR
    )
    assert Incident.objects.filter(kind=PAYMENT_ERROR_SUSPECTED, subject=error.subject).count() == 1

    def close(outcome: str = "attempted") -> PaymentError:
        return payment_errors.close_error(error_id=error.pk, outcome=outcome, what="Left.", by=MANAGER)

    payment_errors.take_step(error_id=error.pk, kind="contact", how="By post.", succeeded=False, by=SUPERVISOR)
    refused(close, "attempt-missing", clause="nsw-csp:14.17.2")
    refused(lambda: close("reported"), "attempt-missing", clause="nsw-csp:14.17")
    payment_errors.take_step(error_id=error.pk, kind="identify", how="Footage.", succeeded=False, by=SUPERVISOR)
    close()


@pytest.mark.clause("nsw-csp:14.16")
def test_a_colour_change_can_be_wrong_too() -> None:
    error = payment_errors.report_change_error(
        cause="colour-change",
        owed=Money.dollars(500),
        paid=Money.dollars(550),
        what="Eleven black chips for five hundred.",
        table="AR-01",
        by=SUPERVISOR,
    )
    assert (error.direction, str(error.amount), error.cause) == ("over", "50.00", "colour-change")
    for cause, paid, code in (
        ("wager", 1, "cause-not-known"),
        ("cash-change", 0, "nothing-wrong"),
        ("cash-change", -1, "paid-below-zero"),
    ):
        refused(
            lambda cause=cause, paid=paid: payment_errors.report_change_error(
                cause=cause, owed=Money.dollars(0), paid=Money.dollars(paid), what="It.", by=SUPERVISOR
            ),
            code,
        )


def test_who_may_do_what() -> None:
    error = error_of(checked(bet="60.00"))
    for call in (
        lambda: payment_errors.decide_intent(error_id=error.pk, intent="suspected", enquiries="It.", by=DEALER),
        lambda: payment_errors.take_step(error_id=error.pk, kind="contact", how="It.", succeeded=True, by=DEALER),
        lambda: payment_errors.rectify(error_id=error.pk, amount=Money.dollars(1), how="It.", by=DEALER),
        lambda: payment_errors.close_error(error_id=error.pk, outcome="attempted", what="It.", by=SUPERVISOR),
    ):
        before = everything()
        with pytest.raises(Forbidden):
            call()
        assert everything() == before


def test_states_are_a_table() -> None:
    assert set(ALLOWED) == set(Status)
    assert ALLOWED[Status.RECTIFIED] == frozenset()
    assert Doing.CLOSE in ALLOWED[Status.OPEN]
    assert Doing.CLOSE not in ALLOWED[Status.ATTEMPTED]


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        ({"status": "lost", "closed_at": NOW, "closed_by": "staff:x"}, "tablegames_error_status"),
        ({"status": "attempted"}, "tablegames_error_closed_when"),
        ({"status": "rectified"}, "tablegames_error"),
        ({"rectified": Money.dollars(21)}, "tablegames_error_rectified"),
        ({"rectified": Money.dollars(20)}, "tablegames_error_rectified_in_full"),
        ({"intent": "suspected"}, "tablegames_error_intent_says_why"),
        ({"direction": "sideways"}, "tablegames_error_direction"),
        ({"amount": Money.dollars(0)}, "tablegames_error"),
        ({"cause": "cash-change"}, "tablegames_error_of_a_check"),
    ],
)
def test_the_database_holds_it_too(change: dict[str, Any], constraint: str) -> None:
    error = error_of(checked(bet="60.00"))
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        PaymentError.objects.filter(pk=error.pk).update(**change)


def test_checks_and_steps_are_never_changed() -> None:
    check = checked(bet="60.00")
    payment_errors.take_step(
        error_id=error_of(check).pk, kind="contact", how="By post.", succeeded=False, by=SUPERVISOR
    )
    for change in (
        lambda: ErrorStep.objects.all().delete(),
        lambda: ErrorStep.objects.update(how="In person."),
        lambda: Check.objects.filter(pk=check.pk).update(note="Nothing to see."),
    ):
        with pytest.raises(ProgrammingError, match=r"Cannot update or delete|permission denied"), transaction.atomic():
            change()


def test_reports_as_csv_and_pdf() -> None:
    check = checked(bet="60.00")
    for name, make in reports.REPORTS.items():
        made = make(check.day, check.day)
        rows = list(csv.reader(StringIO(as_csv(made))))
        assert rows[0] == list(made.columns)
        assert len(rows) == 1 + len(made.rows) + bool(made.totals), name
        assert as_pdf(made, venue="The Demo Casino").startswith(b"%PDF")
    errors = reports.payment_errors(check.day, check.day)
    assert [str(cell) for cell in errors.totals[5:8]] == ["20.00", "0.00", "20.00"]
    assert [str(cell) for cell in reports.checks(check.day, check.day).rows[0][5:8]] == ["50.00", "70.00", "20.00"]
