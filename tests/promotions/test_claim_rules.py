"""How a prize may be paid under each edition, what is kept of a denied claim, what a person is told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.refusal import Refusal
from promotions.rules import claims
from promotions.rules.claims import Offer, Part
from promotions.rules.editions import EDITIONS, Edition
from tests.world.money import dollars

OLD, NEW = EDITIONS["2019"], EDITIONS["2025"]
BOTH = pytest.mark.parametrize("edition", [OLD, NEW], ids=["2019", "2025"])


def offer(kind: str, value: str, *methods: str, alternative: str | None = None) -> Offer:
    return Offer(kind, dollars(value), methods, dollars(alternative) if alternative else None)


def paid(edition: Edition, prize: Offer, *parts: tuple[str, str], alternative: bool = False) -> str:
    """What is paid, or the code and the clause of the refusal."""
    try:
        amount = claims.plan(edition, prize, [Part(how, dollars(much)) for how, much in parts], alternative=alternative)
    except Refusal as refusal:
        return f"{refusal.code} {refusal.clause}"
    return str(amount)


@pytest.mark.clause("nsw-promo-2025:17.4")
def test_2025_pays_no_prize_in_cash() -> None:
    prize = offer("money", "500.00", "cheque", "transfer")
    never = "never-cash nsw-promo-2025:17.4"
    assert paid(NEW, prize, ("cash", "500.00")) == never
    assert paid(NEW, offer("money", "500.00", "cash"), ("cash", "500.00")) == never  # whatever terms might say
    assert paid(NEW, offer("money", "50000.00", "cheque"), ("cheque", "49999.00"), ("cash", "1.00")) == never
    assert paid(NEW, offer("vehicle", "500.00", "handed-over"), ("cash", "500.00"), alternative=True) == never
    assert paid(NEW, prize, ("cheque", "500.00")) == "500.00"
    assert paid(NEW, prize, ("transfer", "500.00")) == "500.00"


@pytest.mark.clause("nsw-promo-2025:17.4")
def test_2025_disburses_as_the_terms_say() -> None:
    prize = offer("money", "500.00", "transfer")
    assert paid(NEW, prize, ("cheque", "500.00")) == "method-not-in-terms nsw-promo-2025:17.4"
    assert paid(NEW, offer("goods", "5.00", "handed-over"), ("issued", "5.00")) == (
        "method-not-in-terms nsw-promo-2025:17.4"
    )
    assert paid(NEW, offer("goods", "5.00", "handed-over"), ("handed-over", "5.00")) == "5.00"
    assert paid(NEW, offer("casino-dollars", "5.00", "issued"), ("issued", "5.00")) == "5.00"


@pytest.mark.clause("nsw-promo-2019:15.4")
def test_2019_above_ten_thousand_the_winner_chooses() -> None:
    prize = offer("money", "10000.01", "cheque")  # strictly above, whatever the terms name
    for how in ("cash", "cheque", "transfer"):
        assert paid(OLD, prize, (how, "10000.01")) == "10000.01"
    assert paid(OLD, prize, ("cash", "1.00"), ("cheque", "5000.01"), ("transfer", "4999.00")) == "10000.01"
    assert paid(OLD, prize, ("handed-over", "10000.01")) == "method-not-in-terms nsw-promo-2019:15.4"
    exactly = offer("money", "10000.00", "cheque")
    assert paid(OLD, exactly, ("cash", "10000.00")) == "method-not-in-terms nsw-promo-2019:15.4"
    assert paid(OLD, exactly, ("cheque", "10000.00")) == "10000.00"
    either = offer("money", "10000.00", "cheque", "cash")
    assert paid(OLD, either, ("cash", "1.00"), ("cheque", "9999.00")) == "no-mix nsw-promo-2019:15.4"
    assert paid(OLD, either, ("cash", "10000.00")) == "10000.00"
    # The choice is 2019's: 2025 pays by its terms, whatever the amount.
    big = offer("money", "20000.00", "transfer", "cheque")
    assert paid(NEW, big, ("cheque", "1.00"), ("transfer", "19999.00")) == "no-mix nsw-promo-2025:17.4"


@pytest.mark.clause("nsw-promo-2019:15.3")
def test_2019_offers_cash_instead_only_where_the_terms_say() -> None:
    stated = offer("vehicle", "35000.00", "handed-over", alternative="30000.00")
    assert paid(OLD, stated, ("cash", "30000.00"), alternative=True) == "30000.00"
    assert paid(OLD, stated, ("cash", "10000.00"), ("cheque", "20000.00"), alternative=True) == "30000.00"
    assert paid(OLD, stated, ("cash", "35000.00"), alternative=True) == "not-the-amount None"
    silent = offer("vehicle", "35000.00", "handed-over")
    assert paid(OLD, silent, ("cash", "35000.00"), alternative=True) == "alternative-not-in-terms nsw-promo-2019:15.3"
    for kind in ("slots-dollars", "casino-dollars"):
        prize = offer(kind, "50.00", "issued", alternative="40.00")
        assert paid(OLD, prize, ("cash", "40.00"), alternative=True) == "no-alternative nsw-promo-2019:15.3"


@pytest.mark.clause("nsw-promo-2025:17.3")
def test_2025_may_pay_money_instead_but_not_for_casino_dollars() -> None:
    silent = offer("travel", "4000.00", "handed-over")
    assert paid(NEW, silent, ("transfer", "4000.00"), alternative=True) == "4000.00"
    stated = offer("travel", "4000.00", "handed-over", "cheque", alternative="3500.00")
    assert paid(NEW, stated, ("cheque", "3500.00"), alternative=True) == "3500.00"
    assert paid(NEW, stated, ("transfer", "3500.00"), alternative=True) == "method-not-in-terms nsw-promo-2025:17.4"
    prize = offer("casino-dollars", "50.00", "issued")
    assert paid(NEW, prize, ("transfer", "50.00"), alternative=True) == "no-alternative nsw-promo-2025:17.3"
    assert paid(NEW, offer("money", "50.00", "cheque"), ("cheque", "50.00"), alternative=True) == (
        "no-alternative nsw-promo-2025:17.3"
    )


@BOTH
def test_a_payment_is_the_whole_prize_and_nothing_else(edition: Edition) -> None:
    prize = offer("money", "20000.00", "cheque", "transfer")
    assert paid(edition, prize) == "nothing-paid None"
    assert paid(edition, prize, ("cheque", "19999.99")) == "not-the-amount None"
    assert paid(edition, prize, ("cheque", "20000.00"), ("cheque", "0.01")) == "method-twice None"
    assert paid(OLD, prize, ("cheque", "20000.00"), ("transfer", "0.00")) == "part-of-nothing None"


@pytest.mark.clause("nsw-promo-2025:17.8", "nsw-promo-2019:15.8", "nsw-promo-2025:17.8.1-4", "nsw-promo-2019:15.8.1-4")
@BOTH
def test_a_winner_is_told_in_one_of_four_ways_within_two_days(edition: Edition) -> None:
    for how in ("face-to-face", "mail", "telephone", "email"):
        claims.check_notification(edition, how)
    with pytest.raises(Refusal, match="face-to-face or mail or telephone or email") as caught:
        claims.check_notification(edition, "pigeon")
    assert caught.value.clause == edition.clause("notification")
    drawn = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
    assert claims.notify_by(drawn) == datetime(2026, 3, 3, 20, 15, tzinfo=UTC)


@pytest.mark.clause("nsw-promo-2025:17.9", "nsw-promo-2019:15.10", "nsw-promo-2025:17.9.1", "nsw-promo-2019:15.10.1")
@BOTH
def test_denied_claims_above_a_hundred_dollars_are_kept_whole(edition: Edition) -> None:
    person = {"name": "Anna Marsh", "address": "1 Lake Street", "reasons": "The entry was an employee's."}

    def denied(value: str, **change: str) -> str | None:
        try:
            claims.check_denial(edition, value=dollars(value), **person | change)
        except Refusal as refusal:
            return f"{refusal.code} {refusal.clause}"
        return None

    clause = edition.clause("refusal")
    assert denied("100.01") is None
    assert denied("100.01", name=" ") == f"claimant-incomplete {clause}"
    assert denied("100.01", address="") == f"claimant-incomplete {clause}"
    assert denied("100.00", name="", address="") is None  # not above: reasons are enough
    assert denied("100.00", reasons=" ") == f"reasons-missing {clause}"
    assert not claims.kept(dollars("100.00"))
    assert claims.kept(dollars("100.01"))


@pytest.mark.clause("nsw-promo-2025:17.10", "nsw-promo-2019:15.11")
@BOTH
def test_the_right_to_complain_is_told(edition: Edition) -> None:
    said = claims.right_to_complain(edition)
    assert "complaint with an inspector under section 33 of the Gaming and Liquor Administration Act 2007" in said
    assert edition.clause("complaint").partition(":")[2] in said
