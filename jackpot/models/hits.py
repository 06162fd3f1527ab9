"""What was won."""

from __future__ import annotations

from typing import ClassVar, Final

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Now

from jackpot.models.checks import kept_for_good, unchanged_once
from jackpot.models.links import Link, Terms
from jackpot.models.tables import Batch, Round, Table
from kernel.checks import one_of, together, two_people
from kernel.money import Money
from ledger.fields import MoneyField


class HitStatus(models.TextChoices):
    CLAIMED = "claimed"
    VERIFIED = "verified"
    PAID = "paid"
    DENIED = "denied"


class HitMethod(models.TextChoices):
    CASH = "cash"
    CHEQUE = "cheque"
    CHIPS = "chips"
    TRANSFER = "transfer"
    INSTALMENTS = "instalments"


class InstalmentMethod(models.TextChoices):
    CASH = "cash"
    CHEQUE = "cheque"
    TRANSFER = "transfer"


_AS_CLAIMED: Final = [
    "link", "sequence", "table", "round", "batch", "message", "place", "hand", "kind", "level", "measured_on",
    "restarts", "clause", "day", "claimed_at", "claimed_by", "claimed_device", "lock",
]  # fmt: skip
_AMOUNTS: Final = ["amount", "from_pool", "from_house"]
_AS_VERIFIED: Final = ["box", "player_card", "verified_at", "verified_by", "verified_device", "verification"]
_AS_AUTHORISED: Final = ["authorised_at", "authorised_by", "authorised_device"]


class Hit(models.Model):
    """Something won. Its amount was fixed, and its money set aside, in the moment the round ended (decision 12)."""

    Status = HitStatus
    Method = HitMethod

    link = models.ForeignKey(Link, models.PROTECT, related_name="hits")
    sequence = models.PositiveBigIntegerField(help_text="strict order of everything won on the link")
    table = models.ForeignKey(Table, models.PROTECT, related_name="hits")
    round = models.ForeignKey(Round, models.PROTECT, null=True, related_name="hits")
    batch = models.ForeignKey(
        Batch, models.PROTECT, null=True, related_name="hits", help_text="counted, not played here"
    )
    message = models.TextField(null=True, help_text="the controller's message whose wager won it")  # noqa: DJ001
    place = models.PositiveSmallIntegerField(help_text="order of payment within the round")
    box = models.PositiveSmallIntegerField(null=True, help_text="a controller that only counts cannot tell it")
    player_card = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    hand = models.TextField(null=True)  # noqa: DJ001  a bonus has no hand of its own
    kind = models.TextField()
    level = models.TextField(null=True)  # noqa: DJ001  a fixed prize comes from no level
    amount = MoneyField()
    from_pool = MoneyField()
    from_house = MoneyField()
    measured_on = MoneyField(null=True)
    restarts = models.BooleanField(help_text="100% of its level was won")
    lock = models.ForeignKey(
        Round, models.PROTECT, null=True, related_name="+", help_text="the round whose win it shares (act-pg:13.3)"
    )
    shared = models.PositiveSmallIntegerField(db_default=0, help_text="how often it has been shared anew")
    clause = models.TextField(null=True)  # noqa: DJ001  not every rule set is gazetted
    day = models.DateField()
    status = models.TextField(choices=HitStatus.choices, db_default=HitStatus.CLAIMED)
    claimed_at = models.DateTimeField(db_default=Now())
    claimed_by = models.TextField()
    claimed_device = models.TextField(null=True)  # noqa: DJ001  at the console there is none; so for each below
    verified_at = models.DateTimeField(null=True)
    verified_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    verified_device = models.TextField(null=True)  # noqa: DJ001
    verification = models.JSONField(null=True, help_text="what the supervisor saw")
    authorised_at = models.DateTimeField(null=True, help_text="where its amount asks for a fourth person")
    authorised_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    authorised_device = models.TextField(null=True)  # noqa: DJ001
    withheld = MoneyField(db_default=Value(0), help_text="of its amount, for the tax authority")
    payment_surveillance = models.TextField(blank=True, db_default="", help_text="surveillance's reference of paying")
    paid_at = models.DateTimeField(null=True)
    paid_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    paid_device = models.TextField(null=True)  # noqa: DJ001
    paid_day = models.DateField(null=True)
    method = models.TextField(choices=HitMethod.choices, null=True)  # noqa: DJ001  unknown is not empty
    payment_reference = models.TextField(blank=True, db_default="")
    denied_at = models.DateTimeField(null=True)
    denied_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    denied_day = models.DateField(null=True)
    reason = models.TextField(blank=True, db_default="", help_text="why it was denied")

    class Meta:
        constraints: ClassVar = [
            one_of("status", HitStatus, name="jackpot_hit_status"),
            models.UniqueConstraint(fields=["link", "sequence"], name="jackpot_hit_sequence"),
            models.CheckConstraint(
                condition=Q(round__isnull=False, batch__isnull=True, message__isnull=True, box__isnull=False)
                | Q(round__isnull=True, batch__isnull=False, message__isnull=False),
                name="jackpot_hit_won_somewhere",
            ),
            models.CheckConstraint(
                condition=Q(box__isnull=False) | Q(status__in=["claimed", "denied"]), name="jackpot_hit_verified_box"
            ),
            models.UniqueConstraint(fields=["round", "place"], name="jackpot_hit_place"),
            # What lies beyond a must-hit-by point is tried again: one wager may cover the next point, too.
            models.UniqueConstraint(
                fields=["round", "box", "kind"], condition=~Q(kind="mystery"), name="jackpot_hit_once_a_box"
            ),
            models.CheckConstraint(
                condition=Q(amount=F("from_pool") + F("from_house")) & Q(amount__gt=Value(0)),
                name="jackpot_hit_adds_up",
            ),
            models.CheckConstraint(
                condition=Q(from_pool__gte=Value(0)) & Q(from_house__gte=Value(0)), name="jackpot_hit_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(withheld__gte=Value(0)) & Q(withheld__lt=F("amount")),
                name="jackpot_hit_after_tax",
            ),
            two_people("claimed_by", "verified_by", name="jackpot_hit_verified_by_another"),
            two_people("verified_by", "authorised_by", name="jackpot_hit_authorised_by_another"),
            two_people("authorised_by", "paid_by", name="jackpot_hit_paid_by_a_fourth"),
            together("authorised_at", "authorised_by", name="jackpot_hit_authorised"),
            two_people("verified_by", "paid_by", name="jackpot_hit_paid_by_a_third"),
            two_people("claimed_by", "paid_by", name="jackpot_hit_paid_by_another"),
            two_people("claimed_by", "denied_by", name="jackpot_hit_denied_by_another"),
            two_people("verified_by", "denied_by", name="jackpot_hit_denied_by_a_third"),
            two_people("claimed_device", "verified_device", name="jackpot_hit_verified_elsewhere"),
            two_people("verified_device", "paid_device", name="jackpot_hit_paid_elsewhere"),
            together("verified_at", "verified_by", "verification", name="jackpot_hit_verified"),
            together("paid_at", "paid_by", "paid_day", "method", name="jackpot_hit_paid"),
            together("denied_at", "denied_by", "denied_day", name="jackpot_hit_denied"),
            models.CheckConstraint(
                condition=Q(status="claimed", verified_at__isnull=True, paid_at__isnull=True, denied_at__isnull=True)
                | Q(status="verified", verified_at__isnull=False, paid_at__isnull=True, denied_at__isnull=True)
                | Q(status="paid", verified_at__isnull=False, paid_at__isnull=False, denied_at__isnull=True)
                | (Q(status="denied", paid_at__isnull=True, denied_at__isnull=False) & ~Q(reason="")),
                name="jackpot_hit_steps",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["day"], name="jackpot_hit_by_day"),
            models.Index(fields=["link", "-id"], name="jackpot_hit_of_link"),
        ]
        triggers: ClassVar = [
            kept_for_good(),
            pgtrigger.ReadOnly(name="as_claimed", fields=_AS_CLAIMED),
            # Only a share that is fixed anew is another amount, and each time that is counted.
            unchanged_once("as_shared", _AMOUNTS, when=pgtrigger.Q(old__shared=pgtrigger.F("new__shared"))),
            unchanged_once("as_verified", _AS_VERIFIED, when=pgtrigger.Q(old__verified_at__isnull=False)),
            unchanged_once("as_authorised", _AS_AUTHORISED, when=pgtrigger.Q(old__authorised_at__isnull=False)),
            pgtrigger.Protect(
                name="settled_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__status__in=["paid", "denied"]),
            ),
        ]

    @property
    def paid_out(self) -> Money:
        """What goes to the winner: all but the tax."""
        handed: Money = self.amount - self.withheld
        return handed

    @property
    def dealt(self) -> list[str]:
        """The cards or tiles that the table sent for its box. Whoever is to verify the hit must not be shown them."""
        late = self.round.late_hands.filter(box=self.box).first() if self.round and self.box else None
        if late is not None:
            return list(late.pieces)
        hands = (self.round.hands if self.round else None) or ()
        hand: dict[str, list[str]] = next((hand for hand in hands if hand["box"] == self.box), {})
        return list(hand.get("cards") or hand.get("tiles") or ())


class Instalment(models.Model):
    """A part of a hit that is paid in instalments, as approved: owed until it is paid, once."""

    Method = InstalmentMethod

    hit = models.ForeignKey(Hit, models.PROTECT, related_name="instalments")
    number = models.PositiveSmallIntegerField()
    due = models.DateField(help_text="the gaming day from which on it is paid")
    amount = MoneyField()
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, related_name="+")
    paid_at = models.DateTimeField(null=True)
    paid_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    paid_day = models.DateField(null=True)
    method = models.TextField(choices=InstalmentMethod.choices, null=True)  # noqa: DJ001  unknown is not empty
    payment_reference = models.TextField(blank=True, db_default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hit", "number"], name="jackpot_instalment_number"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="jackpot_instalment_positive"),
            together("paid_at", "paid_by", "paid_day", "method", name="jackpot_instalment_paid"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due"], condition=Q(paid_at__isnull=True), name="jackpot_instalment_owed"),
        ]
        triggers: ClassVar = [
            kept_for_good(),
            pgtrigger.ReadOnly(name="as_owed", fields=["hit", "number", "due", "amount", "proposal"]),
            pgtrigger.Protect(
                name="paid_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__paid_at__isnull=False)
            ),
        ]


class TermsByWin(models.Model):
    """Terms that had waited for a win, and the hit that put them in force: denied, it takes them with it."""

    terms = models.OneToOneField(Terms, models.PROTECT, primary_key=True, related_name="+")
    hit = models.ForeignKey(Hit, models.PROTECT, related_name="terms_put")

    class Meta:
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class WrongEntry(models.Model):
    """A verifier entered other cards than the table sent. Which ones is nobody's business: counted is enough."""

    hit = models.ForeignKey(Hit, models.PROTECT, related_name="wrong_entries")
    entered_by = models.TextField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]
