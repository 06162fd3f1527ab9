"""Where player protection is asked before a wager is accepted or a hit paid.

This room knows boxes, not people: whoever knows them (limits, exclusions, whose card it is) registers a guard. A guard
raises a Refusal; the wager, or the payment, is then refused with its words (nsw-csp:5.1, 14.21, 16.1, 16.3, 16.19).
"""

from __future__ import annotations

from collections.abc import Callable

from ledger.money import Money

WagerGuard = Callable[[str, Money, str], None]
"""(player, amount, table)"""
PaymentGuard = Callable[[str, Money], None]
"""(player, amount)"""

_wager_guards: list[WagerGuard] = []
_payment_guards: list[PaymentGuard] = []


def guard_wagers(guard: WagerGuard) -> WagerGuard:
    _wager_guards.append(guard)
    return guard


def guard_payments(guard: PaymentGuard) -> PaymentGuard:
    _payment_guards.append(guard)
    return guard


def forget(guard: object) -> None:
    for guards in (_wager_guards, _payment_guards):
        if guard in guards:
            guards.remove(guard)  # type: ignore[arg-type]


def check_wager(*, player: str, amount: Money, table: str) -> None:
    for guard in _wager_guards:
        guard(player, amount, table)


def check_payment(*, player: str, amount: Money) -> None:
    for guard in _payment_guards:
        guard(player, amount)
