"""A link: its purses' code, its approved terms, its books day by day."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now

from jackpot.acts import link_subject
from jackpot.models.checks import kept_for_good
from kernel.checks import one_of, together
from ledger.fields import MoneyField


class LinkStatus(models.TextChoices):
    OPEN = "open"
    RETIRED = "retired"


class Link(models.Model):
    """A jackpot's purses, by its code. What is in them is the ledger's word (``pools.read_pools``)."""

    Status = LinkStatus

    code = models.TextField(unique=True)
    title = models.TextField()
    levels = models.JSONField(help_text="the names of its prize pools")
    status = models.TextField(choices=LinkStatus.choices, db_default=LinkStatus.OPEN)
    opened_at = models.DateTimeField(db_default=Now())
    retired_at = models.DateTimeField(null=True)
    retired_into = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            one_of("status", LinkStatus, name="jackpot_link_status"),
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z][A-Z0-9-]{0,15}$"), name="jackpot_link_code"),
            models.CheckConstraint(
                condition=Q(status="open", retired_at__isnull=True) | Q(status="retired", retired_at__isnull=False),
                name="jackpot_link_retired_when",
            ),
        ]
        triggers: ClassVar = [kept_for_good()]

    def __str__(self) -> str:
        return self.code

    @property
    def subject(self) -> str:
        """What the log and approvals call it."""
        return link_subject(self.code)


class PayoutMethod(models.TextChoices):
    CHEQUE = "cheque"
    TRANSFER = "transfer"


class Payout(models.Model):
    """Who is owed a share of what was in a link when it ended, as the authority has directed; and its payment."""

    Method = PayoutMethod

    link = models.ForeignKey(Link, models.PROTECT, related_name="payouts")
    payee = models.TextField(help_text="a body, a fund or an account")
    amount = MoneyField()
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, related_name="+")
    paid_at = models.DateTimeField(null=True)
    paid_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    method = models.TextField(choices=PayoutMethod.choices, null=True)  # noqa: DJ001  unknown is not empty
    payment_reference = models.TextField(blank=True, db_default="")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="jackpot_payout_positive"),
            together("paid_at", "paid_by", "method", name="jackpot_payout_paid"),
        ]
        triggers: ClassVar = [
            kept_for_good(),
            pgtrigger.ReadOnly(name="as_owed", fields=["link", "payee", "amount", "proposal"]),
            pgtrigger.Protect(
                name="paid_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__paid_at__isnull=False)
            ),
        ]


class Terms(models.Model):
    """One approved version of a link's rules and parameters. The newest is in force; the old ones stay on record."""

    link = models.ForeignKey(Link, models.PROTECT, related_name="terms")
    version = models.PositiveIntegerField()
    data = models.JSONField(help_text="see terms.py: rules, wager, bonus, levels, rates")
    effective_at = models.DateTimeField(db_default=Now())
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, null=True, related_name="+")
    set_by = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["link", "version"], name="jackpot_terms_version"),
            models.CheckConstraint(condition=Q(version__gt=0), name="jackpot_terms_from_one"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class LinkDay(models.Model):
    """A link's books for a gaming day, as last checked: opening + all that moved = closing (``reconcile.py``).

    Worked out from the ledger and, beside it, from rounds, batches and hits; the two must agree.
    """

    link = models.ForeignKey(Link, models.PROTECT, related_name="days")
    day = models.DateField()
    opening = MoneyField()
    contributions = MoneyField()
    topped_up = MoneyField(help_text="put in by the house, less what it was paid back")
    wins = MoneyField()
    adjustments = MoneyField()
    closing = MoneyField()
    wagers = models.BigIntegerField(help_text="counted, less those of rounds taken back")
    # No transfer of this day has a lower transaction id; none of a later day one below tx_upto.
    tx_from = models.BigIntegerField()
    tx_upto = models.BigIntegerField()
    checked_at = models.DateTimeField()
    fault = models.TextField(blank=True, help_text="what does not agree; empty: all is well")

    class Meta:
        ordering = ("-day",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["link", "day"], name="jackpot_linkday_once"),
        ]
