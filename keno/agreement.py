"""Whether ledger, tickets, shifts and reports agree, to the cent: every figure once from the books, once from the rows.

Nothing here is booked or changed. What differs is for people to look at: ``differences()`` is empty in a sound house.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db import connection

from jackpot.models import Link
from jackpot.pools import account
from keno import accounts, jackpots
from keno.chart import CONTRIBUTIONS
from keno.overpayment_kinds import AT_COUNTER, RECEIVED, WRITTEN_OFF
from keno.reports import REPORTS, counter, games
from keno.resettle_kinds import BONUS_AGAIN, BONUS_BACK, JACKPOT_CORRECTED, OVERPAID, PRIZES_AGAIN, PRIZES_BACK
from keno.rules.jackpots import CONTRIBUTION
from keno.void_win_kinds import BONUS_VOID, JACKPOT_RETURNED, PRIZE_VOID, VOID_REFUND
from kernel.money import ZERO, Money
from ledger.balance import balances

_EVER: Final = (date.min, date.max)


@dataclass(frozen=True, slots=True)
class Check:
    """One figure from two sources."""

    what: str
    by_books: Money
    by_rows: Money

    @property
    def difference(self) -> Money:
        return self.by_books - self.by_rows


# One amount each, in micro-dollars. In the books: what went into accounts (debits) or out of them (credits), by the
# account's code and the transfer's kind.
_INTO: Final = """
    SELECT coalesce(sum(t.amount), 0)::bigint FROM ledger_transfer t JOIN ledger_account a ON a.id = t.debit_id
    WHERE a.code LIKE %(account)s AND t.kind = ANY(%(kinds)s)
"""
_OUT_OF: Final = """
    SELECT coalesce(sum(t.amount), 0)::bigint FROM ledger_transfer t JOIN ledger_account a ON a.id = t.credit_id
    WHERE a.code LIKE %(account)s AND t.kind = ANY(%(kinds)s)
"""
_TENDERED: Final = "SELECT coalesce(sum(amount), 0)::bigint FROM keno_tender WHERE type = %(type)s"
_PRICES: Final = "SELECT coalesce(sum(price), 0)::bigint FROM keno_ticket"
_CHANGE: Final = "SELECT coalesce(sum(change), 0)::bigint FROM keno_ticket"
# Vouchers that were the rest of a sale; those of a cancellation are of another moment.
_GIVEN: Final = """
    SELECT coalesce(sum(v.amount), 0)::bigint
    FROM keno_voucher v JOIN keno_ticket t ON t.id = v.ticket_id AND t.sold_at = v.issued_at
"""
# What was paid for the games that a ticket does not play any more; a ticket voided by the house is refunded instead.
_CANCELLED: Final = """
    SELECT coalesce(sum(price_a_game * greatest(0, charged_to - cancelled_from + 1)), 0)::bigint
    FROM keno_ticket WHERE cancelled_from IS NOT NULL AND (status = 'voided') = %(voided)s
"""
_PRIZES: Final = """
    SELECT coalesce(sum(p.amount), 0)::bigint FROM keno_prize p
    WHERE (p.kind = 'refund') = %(refund)s AND (p.payment_id IS NOT NULL OR NOT %(paid)s) AND p.replaced_id IS NULL
"""
_VOID_WINS: Final = "SELECT coalesce(sum(amount), 0)::bigint FROM keno_prize WHERE void_id IS NOT NULL"
# Of games settled again (12.1) the house may have covered a part: they are in what was published of prizes.
_JACKPOTS_BOOKED: Final = """
    SELECT coalesce(sum(t.amount), 0)::bigint FROM ledger_transfer t JOIN ledger_account a ON a.id = t.credit_id
    WHERE a.code = %(owing)s AND t.kind = 'keno.jackpot-won'
      AND NOT EXISTS (SELECT FROM keno_resettlement r WHERE split_part(t.reference, '/', 3) = r.game_id::text)
"""
_JACKPOT_PRIZES: Final = """
    SELECT coalesce(sum(jackpot), 0)::bigint FROM keno_prize
    WHERE game NOT IN (SELECT game_id FROM keno_resettlement)
"""
_OVERPAID: Final = "SELECT coalesce(sum(greatest(0, paid - owed)), 0)::bigint FROM keno_correction"
_TOO_MUCH: Final = "SELECT coalesce(sum(amount), 0)::bigint FROM keno_overpayment WHERE (game IS NULL) = %(at_counter)s"
_RECOVERED: Final = "SELECT coalesce(sum(amount), 0)::bigint FROM keno_recovery WHERE kind = %(kind)s"
_NOT_BACK: Final = "SELECT coalesce(sum(amount - received - written_off), 0)::bigint FROM keno_overpayment"
_PAYMENTS: Final = "SELECT coalesce(sum(amount), 0)::bigint FROM keno_payment"
_PAID_CASH: Final = "SELECT coalesce(sum(cash), 0)::bigint FROM keno_payment"
_PAID_CHEQUE: Final = "SELECT coalesce(sum(cheque), 0)::bigint FROM keno_payment"
_COUNTED: Final = """
    SELECT coalesce(sum(counted_cash + counted_chips), 0)::bigint FROM keno_shift WHERE closed_at IS NOT NULL
"""
_SHORT: Final = """
    SELECT coalesce(sum(expected_cash - counted_cash + expected_chips - counted_chips), 0)::bigint
    FROM keno_shift WHERE closed_at IS NOT NULL
"""
_EXPECTED: Final = "SELECT coalesce(sum(expected_cash), 0)::bigint FROM keno_shift WHERE closed_at IS NOT NULL"
_TOTALS: Final = """
    SELECT coalesce(sum((totals ->> %(name)s)::numeric * 1000000), 0)::bigint FROM keno_game WHERE status = 'settled'
"""
_ON_JACKPOTS: Final = """
    SELECT coalesce(sum(p.stake * p.ways), 0)::bigint FROM keno_play p JOIN keno_game g
      ON g.number BETWEEN p.first_game AND least(p.plays_to, p.charged_to)
    WHERE p.jackpot AND g.contributed_at IS NOT NULL AND g.status <> 'invalidated'
"""
_DRAWERS: Final = """
    SELECT a.code, s.closed_at IS NOT NULL, s.id FROM keno_shift s JOIN ledger_account a
      ON a.code IN ('keno:shift:' || s.id || ':cash', 'keno:shift:' || s.id || ':chips')
"""
_EVERYTHING: Final = """
    SELECT coalesce(sum(CASE WHEN t.credit_id = a.id THEN t.amount ELSE -t.amount END), 0)::bigint
    FROM ledger_account a JOIN ledger_transfer t ON a.id IN (t.debit_id, t.credit_id)
    WHERE a.code = %(account)s
"""
_CUPS: Final = """FROM tournaments_tournamententry JOIN tournaments_tournament cup ON cup.id = tournament_id
    WHERE cup.kind = 'keno'"""
_ENTRY_FEES: Final = f"SELECT coalesce(sum(fee), 0)::bigint {_CUPS}"
_RETAINED: Final = f"SELECT coalesce(sum(fee - prize), 0)::bigint {_CUPS} AND place IS NOT NULL"
_CUPS_PAID: Final = f"SELECT coalesce(sum(prize), 0)::bigint {_CUPS} AND paid_at IS NOT NULL"
_CUPS_REFUNDED: Final = f"SELECT coalesce(sum(fee), 0)::bigint {_CUPS} AND refunded_at IS NOT NULL"
_SALE: Final = ("keno.sale", "keno.change")
_AGAIN: Final = (PRIZES_BACK, PRIZES_AGAIN, BONUS_BACK, BONUS_AGAIN, JACKPOT_CORRECTED, OVERPAID)


def checks() -> list[Check]:
    """Every figure, whether it agrees or not."""
    return [*_sales(), *_prizes(), *_overpayments(), *_games(), *_shifts(), *_jackpots(), *_tournaments(), *_owing()]


def differences() -> list[Check]:
    """What does not agree."""
    return [check for check in checks() if check.difference]


def _amount(statement: str, **values: Any) -> Money:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return Money(int(cursor.fetchone()[0]))


def _into(account: str, *kinds: str) -> Money:
    return _amount(_INTO, account=account, kinds=list(kinds))


def _out_of(account: str, *kinds: str) -> Money:
    return _amount(_OUT_OF, account=account, kinds=list(kinds))


def _net_into(account: str, *kinds: str) -> Money:
    return _into(account, *kinds) - _out_of(account, *kinds)


def _sales() -> list[Check]:
    cash, chips = "keno:shift:%:cash", "keno:shift:%:chips"
    return [
        Check("Tickets sold", _out_of(accounts.STAKES_HELD, "keno.sale"), _amount(_PRICES)),
        Check("Cash taken, less change", _net_into(cash, *_SALE), _amount(_TENDERED, type="cash") - _amount(_CHANGE)),
        Check("Chips taken", _into(chips, *_SALE), _amount(_TENDERED, type="chips")),
        Check(
            "Vouchers of others taken", _into(accounts.APPROVED_VOUCHERS, *_SALE), _amount(_TENDERED, type="voucher")
        ),
        Check(
            "Keno vouchers taken, less given",
            _net_into(accounts.VOUCHERS, *_SALE),
            _amount(_TENDERED, type="keno-voucher") - _amount(_GIVEN),
        ),
        Check("Games cancelled", _into(accounts.STAKES_HELD, "keno.cancel"), _amount(_CANCELLED, voided=False)),
        Check("Wagers voided", _into(accounts.STAKES_HELD, "keno.voided"), _amount(_CANCELLED, voided=True)),
    ]


def _prizes() -> list[Check]:
    owing = (accounts.PRIZES_OWING, accounts.REFUNDS_OWING, accounts.UNCLAIMED)
    tendered = Money.total(_into(account, *_SALE) for account in owing)
    won = _net_out_of_owing("keno.prizes", "keno.jackpot-won", "keno.bonus", *_AGAIN)
    refunds = _out_of(accounts.REFUNDS_OWING, "keno.refunds", "keno.voided", VOID_REFUND)
    void = _into(accounts.PRIZES_OWING, PRIZE_VOID, JACKPOT_RETURNED, BONUS_VOID)
    paid = _into("%", "keno.payment") + tendered
    rows_paid = _amount(_PRIZES, refund=False, paid=True) + _amount(_PRIZES, refund=True, paid=True)
    return [
        Check("Prizes won", won, _amount(_PRIZES, refund=False, paid=False)),
        Check("Refunds due", refunds, _amount(_PRIZES, refund=True, paid=False)),
        Check("Overpaid on wrong numbers", _into(accounts.OVERPAID, OVERPAID), _amount(_OVERPAID)),
        Check("Prizes of void wagers, given back", void, _amount(_VOID_WINS)),
        Check("Prizes and refunds paid", paid, rows_paid),
        Check("The same, by payments", paid, _amount(_PAYMENTS)),
        Check("Paid in cash", _out_of("keno:shift:%:cash", "keno.payment"), _amount(_PAID_CASH)),
        Check("Paid by cheque", _out_of(accounts.BANK, "keno.payment"), _amount(_PAID_CHEQUE)),
    ]


def _overpayments() -> list[Check]:
    """What was paid and not won: booked once, then given back, given up, or still asked for."""
    left = balances([accounts.OVERPAID])[accounts.OVERPAID].amount
    back, lost = _into("keno:shift:%:cash", RECEIVED), _into(accounts.OVERPAID_LOST, WRITTEN_OFF)
    return [
        Check("Overpaid, by ticket", _into(accounts.OVERPAID, OVERPAID), _amount(_TOO_MUCH, at_counter=False)),
        Check("Overpaid at the counter", _into(accounts.OVERPAID, AT_COUNTER), _amount(_TOO_MUCH, at_counter=True)),
        Check("Overpaid, given back", back, _amount(_RECOVERED, kind="received")),
        Check("Overpaid, written off", lost, _amount(_RECOVERED, kind="written-off")),
        Check("Overpaid, asked back", left, _amount(_NOT_BACK)),
    ]


def _games() -> list[Check]:
    """For every game: sold = of winners + of losers + refunded. A game that differs has a line of its own."""
    found = games.rows(*_EVER)
    each = [
        Check(f"Game {number}: sold", sold, won + lost + refunded)
        for number, _, _, _, sold, won, lost, refunded, *_ in found
    ]
    sold = Check("Games: sold", Money.total(c.by_books for c in each), Money.total(c.by_rows for c in each))
    settled = [row for row in found if row[2] == "settled"]
    stakes = Money.total(row[4] - row[7] for row in settled)
    refunded = _into(accounts.STAKES, VOID_REFUND)  # earned at the settlement, void since (14.3)
    by_day = games.by_day(*_EVER)
    reported = by_day.totals[by_day.columns.index("Sold")]
    return [
        sold,
        *(check for check in each if check.difference),
        Check("Games: stakes earned", _out_of(accounts.STAKES, "keno.stakes") - refunded, stakes),
        Check("Games: as published at settlement", stakes + refunded, _amount(_TOTALS, name="stakes")),
        Check("Prizes: as published at settlement", _published_prizes(), _amount(_TOTALS, name="prizes")),
        Check("Report by gaming day: sold", sold.by_books, reported),
    ]


def _published_prizes() -> Money:
    return _net_out_of_owing("keno.prizes", "keno.jackpot-won", PRIZES_BACK, PRIZES_AGAIN, JACKPOT_CORRECTED)


def _net_out_of_owing(*kinds: str) -> Money:
    return _out_of(accounts.PRIZES_OWING, *kinds) - _into(accounts.PRIZES_OWING, *kinds)


def _shifts() -> list[Check]:
    with connection.cursor() as cursor:
        cursor.execute(_DRAWERS)
        drawers = cursor.fetchall()
    held = balances([code for code, *_ in drawers]) if drawers else {}
    left = [
        Check(f"Shift {shift}, closed: {code.rpartition(':')[2]} left in its account", held[code].amount, ZERO)
        for code, closed, shift in drawers
        if closed and held[code].amount
    ]
    shown = REPORTS["drawers" if "drawers" in REPORTS else "shifts"](*_EVER)
    rows = [dict(zip(shown.columns, row, strict=True)) for row in shown.rows]
    cash = {shift: held[code].amount for code, _, shift in drawers if code.endswith(":cash")}
    in_drawers = Money.total(row["Expected"] for row in rows if row["Status"] == "open")
    in_books = Money.total(cash[row["Shift"]] for row in rows if row["Status"] == "open")
    closed = Money.total(row["Expected"] for row in rows if row["Status"] == "closed")
    return [
        *left,
        Check("Cash in open drawers", in_books, in_drawers),
        Check("Cash expected at the close of shifts", closed, _amount(_EXPECTED)),
        Check("Counted and handed in", _into(accounts.CAGE, "keno.handed-in"), _amount(_COUNTED)),
        Check("Short, less over", _net_into(accounts.OVER_SHORT, "keno.over-short"), _amount(_SHORT)),
    ]


def _jackpots() -> list[Check]:
    """25% of the stakes of every game that stands; what was won, and the purses, against the pool's own figures."""
    fed = _net_into(CONTRIBUTIONS, "keno.jackpot-contribution", "keno.jackpot-contribution.reversal")
    won = _amount(_JACKPOTS_BOOKED, owing=accounts.PRIZES_OWING)
    return [
        Check("Put into jackpots", fed, _amount(_ON_JACKPOTS).basis_points(CONTRIBUTION)),
        Check("Jackpots won", won, _amount(_JACKPOT_PRIZES)),
        *_purses(),
    ]


def _purses() -> list[Check]:
    """The purses as the boards know them (rolled up), against every transfer that ever went through them."""
    made = []
    for spots, code in jackpots.POOLS.items():
        if not Link.objects.filter(code=code).exists():
            continue
        shown = jackpots.purses_of(spots)
        purses = (("prize", shown.prize), ("reserve", shown.secondary), ("reimbursement", shown.reimbursement))
        for purse, amount in purses:
            made.append(Check(f"Jackpot {spots}: {purse}", _amount(_EVERYTHING, account=account(code, purse)), amount))
    return made


def _tournaments() -> list[Check]:
    """15.4: what came in is retained, paid, given back, or still there for the players."""
    fees, retained, paid = _amount(_ENTRY_FEES), _amount(_RETAINED), _amount(_CUPS_PAID)
    refunded = _amount(_CUPS_REFUNDED)
    held = balances([accounts.TOURNAMENTS])[accounts.TOURNAMENTS].amount
    return [
        Check("Tournaments: entry fees", _out_of(accounts.TOURNAMENTS, "keno.tournament-entry"), fees),
        Check("Tournaments: retained", _out_of(accounts.TOURNAMENT_FEES, "keno.tournament-retained"), retained),
        Check("Tournaments: prizes paid", _into(accounts.TOURNAMENTS, "keno.tournament-prize"), paid),
        Check("Tournaments: fees given back", _into(accounts.TOURNAMENTS, "keno.tournament-refund"), refunded),
        Check("Tournaments: still to be paid", held, fees - retained - paid - refunded),
    ]


def _owing() -> list[Check]:
    """What is owed now: the report's own two columns."""
    return [Check(f"Owing: {name}", books, rows) for name, books, rows, _ in counter.liability(*_EVER).rows]
