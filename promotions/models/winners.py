"""Winners: how they were told, what they claimed, what was denied, what was paid."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value

from kernel.checks import one_of, together, two_people
from ledger.fields import MoneyField
from promotions.models.draws import LossReason, Pick
from promotions.models.terms import APPEND_ONLY, KEPT, Prize, Promotion


class WinStatus(models.TextChoices):
    DRAWN = "drawn", "drawn, not yet claimed"
    CLAIMED = "claimed", "claim accepted, to be paid"
    PAID = "paid"
    LOST = "lost"


class Win(models.Model):
    """One prize won by one drawn entry. A prize that is lost and drawn again is another row, of another entry.

    *notify_by*: 17.8, 15.8; empty where entrants must be present, who are called instead: *call_ends_at* is when the
    time to come forward is over, *present_at* when the winner did.
    """

    pick = models.OneToOneField(Pick, models.PROTECT, related_name="win")
    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="wins")
    prize = models.ForeignKey(Prize, models.PROTECT, related_name="wins")
    value = MoneyField()
    status = models.CharField(max_length=16, choices=WinStatus.choices, default=WinStatus.DRAWN)
    won_at = models.DateTimeField()
    notify_by = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True, help_text="when an attempt to tell the winner first reached him")
    called_at = models.DateTimeField(null=True)
    call_ends_at = models.DateTimeField(null=True)
    present_at = models.DateTimeField(null=True)
    claim_by = models.DateTimeField()
    lost_at = models.DateTimeField(null=True)
    # Set once the incident of an overdue notification is open, so that it is opened once.
    overdue_incident = models.BigIntegerField(null=True)

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            one_of("status", WinStatus, name="promotions_win_status_known"),
            together("called_at", "call_ends_at", name="promotions_win_called"),
            models.CheckConstraint(
                condition=Q(present_at__isnull=True) | Q(called_at__isnull=False), name="promotions_win_present"
            ),
            models.CheckConstraint(
                condition=Q(status="lost", lost_at__isnull=False) | (~Q(status="lost") & Q(lost_at__isnull=True)),
                name="promotions_win_lost_when",
            ),
            models.CheckConstraint(condition=Q(value__gt=Value(0)), name="promotions_win_of_something"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["promotion", "id"], name="promotions_win_of"),
            models.Index(fields=["id"], condition=Q(status="drawn"), name="promotions_win_waiting"),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(
                name="as_won", fields=["pick", "promotion", "prize", "value", "won_at", "notify_by", "claim_by"]
            ),
            pgtrigger.FSM(
                name="transitions",
                field="status",
                transitions=[("drawn", "claimed"), ("drawn", "lost"), ("claimed", "lost"), ("claimed", "paid")],
            ),
        ]

    @property
    def subject(self) -> str:
        """What the log calls it."""
        return f"promotion-win:{self.pk}"


class LossCase(models.Model):
    """What is said of a winner after the draw: that he loses his prize (DRAWS.md, later facts).

    Noted by one person, seconded by another, signed by the scrutineer: only then is the prize lost, and the next in the
    drawn order wins it where the terms say so. *why* stays here and never enters the log.
    """

    win = models.ForeignKey(Win, models.PROTECT, related_name="loss_cases")
    reason = models.CharField(max_length=16, choices=LossReason.choices)
    why = models.CharField(max_length=300, blank=True)
    noted_at = models.DateTimeField()
    noted_by = models.CharField(max_length=80)
    seconded_at = models.DateTimeField(null=True)
    seconded_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    signed_at = models.DateTimeField(null=True)
    signed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    signed_result = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the outcome that was signed")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            one_of("reason", LossReason, name="promotions_losscase_reason_known"),
            models.UniqueConstraint(
                fields=["win"], condition=Q(withdrawn_at__isnull=True), name="promotions_losscase_one_stands"
            ),
            together("seconded_at", "seconded_by", name="promotions_losscase_seconded"),
            together("signed_at", "signed_by", name="promotions_losscase_signed"),
            together("withdrawn_at", "withdrawn_by", name="promotions_losscase_withdrawn"),
            two_people("noted_by", "seconded_by", name="promotions_losscase_two_people"),
            two_people("noted_by", "signed_by", name="promotions_losscase_scrutineer_did_not_note"),
            two_people("seconded_by", "signed_by", name="promotions_losscase_scrutineer_did_not_second"),
            models.CheckConstraint(
                condition=Q(signed_at__isnull=True)
                | Q(seconded_at__isnull=False, withdrawn_at__isnull=True, seconded_at__lte=F("signed_at")),
                name="promotions_losscase_signed_last",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(name="as_noted", fields=["win", "reason", "why", "noted_at", "noted_by"]),
            pgtrigger.Protect(
                name="over",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__signed_at__isnull=False) | pgtrigger.Q(old__withdrawn_at__isnull=False),
            ),
        ]


class Notification(models.Model):
    """One attempt to tell a winner, by one of the four methods (17.8, 15.8). Kept, whether it reached him or not."""

    win = models.ForeignKey(Win, models.PROTECT, related_name="notifications")
    at = models.DateTimeField()
    how = models.CharField(max_length=16)
    reached = models.BooleanField()
    notes = models.CharField(max_length=300, blank=True)
    recorded_at = models.DateTimeField()
    by = models.CharField(max_length=80)

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(how__in=["face-to-face", "mail", "telephone", "email"]),
                name="promotions_notification_method",
            ),
        ]
        triggers: ClassVar = [APPEND_ONLY]


class ClaimStatus(models.TextChoices):
    MADE = "made", "to be decided"
    ACCEPTED = "accepted"
    DENIED = "denied"


class Claim(models.Model):
    """A claim for a prize, by the winner or by somebody who says he is; *win* is empty where there was nothing to win.

    A denied one above $100 keeps name, address and reasons for good (17.9.1, 15.10.1): a trigger holds that.
    """

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="claims")
    win = models.ForeignKey(Win, models.PROTECT, null=True, related_name="claims")
    what = models.CharField(max_length=200, help_text="the prize that is claimed")
    value = MoneyField()
    name = models.CharField(max_length=120, blank=True)
    address = models.CharField(max_length=300, blank=True)
    contact = models.CharField(max_length=254, blank=True)
    grounds = models.TextField(blank=True, help_text="what shows that it is theirs")
    born = models.DateField(null=True, help_text="of the claimant, as a document showed it")
    household = models.BooleanField(null=True, help_text="whether he is of an employee's household, as he said")
    status = models.CharField(max_length=16, choices=ClaimStatus.choices, default=ClaimStatus.MADE)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    reasons = models.TextField(blank=True)
    # 17.9: the person is told the reasons as soon as practicable.
    told_at = models.DateTimeField(null=True)
    told_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    told_how = models.CharField(max_length=16, blank=True)

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            one_of("status", ClaimStatus, name="promotions_claim_status_known"),
            together("decided_at", "decided_by", name="promotions_claim_decided"),
            together("told_at", "told_by", name="promotions_claim_told"),
            models.CheckConstraint(
                condition=Q(status="made", decided_at__isnull=True) | (~Q(status="made") & Q(decided_at__isnull=False)),
                name="promotions_claim_decided_when",
            ),
            models.CheckConstraint(
                condition=(Q(status="denied") & ~Q(reasons="")) | (~Q(status="denied") & Q(reasons="")),
                name="promotions_claim_denied_why",
            ),
            models.CheckConstraint(
                condition=~Q(status="denied") | Q(value__lte=Value(100_000_000)) | (~Q(name="") & ~Q(address="")),
                name="promotions_claim_denied_whose",
            ),
            models.CheckConstraint(
                condition=Q(told_at__isnull=True, told_how="") | (Q(status="denied") & ~Q(told_how="")),
                name="promotions_claim_told_a_denial",
            ),
            models.UniqueConstraint(
                fields=["win"], condition=Q(status__in=["made", "accepted"]), name="promotions_claim_one_at_a_time"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["promotion", "id"], name="promotions_claim_of")]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(name="as_made", fields=["promotion", "win", "what", "value", "made_at", "made_by"]),
            pgtrigger.FSM(name="transitions", field="status", transitions=[("made", "accepted"), ("made", "denied")]),
            pgtrigger.Protect(
                name="denial_stands",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.status = 'denied' AND (NEW.reasons, NEW.decided_at, NEW.decided_by) IS DISTINCT FROM"
                    " (OLD.reasons, OLD.decided_at, OLD.decided_by)"
                    " OR OLD.status = 'denied' AND OLD.value > 100000000 AND (NEW.name, NEW.address) IS DISTINCT FROM"
                    " (OLD.name, OLD.address)"
                ),
            ),
        ]

    @property
    def subject(self) -> str:
        """What the log calls it."""
        return f"promotion-claim:{self.pk}"


class Payment(models.Model):
    """What a winner got for a prize, once. *alternative*: money instead of the prize (17.3, 15.3)."""

    win = models.OneToOneField(Win, models.PROTECT, related_name="payment")
    claim = models.OneToOneField(Claim, models.PROTECT, related_name="payment")
    amount = MoneyField()
    alternative = models.BooleanField()
    at = models.DateTimeField()
    day = models.DateField()
    by = models.CharField(max_length=80)

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="promotions_payment_of_something"),
        ]
        triggers: ClassVar = [APPEND_ONLY]


class PaymentPart(models.Model):
    """How a part of a prize reached its winner; *reference*: of the cheque, transfer, voucher or receipt."""

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="parts")
    method = models.CharField(max_length=16)
    amount = MoneyField()
    reference = models.CharField(max_length=120, blank=True)
    transfer = models.BigIntegerField(null=True, help_text="the ledger's row, where money moved")

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["payment", "method"], name="promotions_paymentpart_once"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="promotions_paymentpart_of_something"),
        ]
        triggers: ClassVar = [APPEND_ONLY]
