"""Links by their code, Keno's among them: made, found, held.

    links.create_link(code="KENO-6", title="Keno, 6 of 6", by=…)
    with transaction.atomic():
        links.hold("KENO-6", "KENO-8")              # for wins and adjustments, never for a contribution

Contributions are only appended (decision 4): whoever takes money *out* of a link's pools holds the link, so that two
wins have an order and no pool is taken below zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from django.db import connection, transaction

from house.log import record_act
from jackpot.acts import LinkOpened
from jackpot.models import Link
from jackpot.pools import ADVANCE, DROP, account, players_purses
from jackpot.rules.handpay import INSTALMENTS, TAX
from jackpot.rules.policies import PRIZE
from jackpot.rules.pool import HOUSE, WAGERS, WINNERS
from kernel import locks
from kernel.actors import Actor
from kernel.locks import Lock
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.accounts import open_account
from ledger.models import Account

PAID_FROM_THE_START: Final = ("cash", "cheque", "transfer")
CODE: Final = re.compile(r"[A-Z][A-Z0-9-]{0,15}", re.ASCII)


@transaction.atomic
def create_link(*, code: str, title: str, by: Actor, levels: Sequence[str] = (PRIZE,)) -> Link:
    """Make a link and its pools, empty. The same link again is answered as it is."""
    if not CODE.fullmatch(code):
        raise Refusal("code-not-allowed", "A jackpot’s code is up to 16 capitals, digits and dashes.", field="code")
    link, new = Link.objects.get_or_create(code=code, defaults={"title": title, "levels": list(levels)})
    if not new:
        if link.levels != list(levels):
            raise Conflict("pool-exists", f"There is a pool {code} already, with other levels.", field="code")
        return link
    liability, income, asset = Account.Kind.LIABILITY, Account.Kind.INCOME, Account.Kind.ASSET
    for purse in players_purses(levels):
        open_account(code=account(code, purse), name=f"{title}: {purse}", kind=liability, whole_cents=False, by=by)
    for purse, name, kind, whole_cents in (
        (WAGERS, "wagers not yet decided", liability, False),
        (WINNERS, "owed to winners", liability, True),
        (ADVANCE, "advanced by the house", asset, False),
        (HOUSE, "kept and paid by the house", income, False),
        (DROP, "wagers taken", asset, False),
        ("cash", "paid in cash", asset, True),
        ("cheque", "paid by cheque", asset, True),
        ("transfer", "paid by transfer", asset, True),
    ):
        open_account(code=account(code, purse), name=f"{title}: {name}", kind=kind, whole_cents=whole_cents, by=by)
    open_payment_accounts(link, by=by)
    record_act(LinkOpened(link=code, title=title, levels=tuple(levels)), by=by)
    return link


def open_payment_accounts(link: Link, *, by: Actor) -> None:
    """Where payments in chips, instalments and tax go. Older links get them with the first such payment."""
    liability, asset = Account.Kind.LIABILITY, Account.Kind.ASSET
    for purse, name, kind in (
        ("chips", "paid in chips", asset),
        (INSTALMENTS, "owed in instalments", liability),
        (TAX, "withheld for the tax authority", liability),
    ):
        open_account(code=account(link.code, purse), name=f"{link.title}: {name}", kind=kind, by=by)


def find_link(code: str) -> Link:
    link = Link.objects.filter(code=code).first()
    if link is None:
        raise NotFound("no-such-pool", f"There is no jackpot {code}.")
    return link


def hold(*codes: str) -> int:
    """Hold these links until the transaction ends, in one order for everybody; how many of them there are.
    Contributions do not wait for it."""
    assert connection.in_atomic_block, "a link is held for the length of a transaction"
    keys = sorted(Link.objects.filter(code__in=codes).values_list("pk", flat=True))
    for key in keys:
        locks.hold(Lock.LINK, key)
    return len(keys)


def enter(keys: Iterable[int]) -> None:
    """Contribute to these links until the transaction ends. Contributors share the door; a retirement shuts it."""
    for key in sorted(set(keys)):
        locks.share(Lock.LINK_DOOR, key)


def shut(link: Link) -> None:
    """Nobody contributes to the link from now on; whoever was at it is through."""
    locks.hold(Lock.LINK_DOOR, link.pk)
