"""Money at the counter: shifts, prizes owed, payments, vouchers, claims. The ledger has the same amounts, summed."""

from __future__ import annotations

from typing import Any, ClassVar

import pgtrigger
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q, Value

from keno.chart import shift_cash, shift_chips
from keno.models.fields import nothing
from keno.models.tickets import Ticket
from kernel.checks import one_of, together, two_people
from kernel.money import ZERO
from ledger.fields import MoneyField

KEPT = pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)
APPEND_ONLY = pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)


class Shift(models.Model):
    """A writer's stretch at a terminal. What should be in the drawer is the balance of its own accounts."""

    terminal = models.CharField(max_length=80, help_text="the device, or the person at the console")
    writer = models.CharField(max_length=80, help_text="who answers for the drawer")
    day = models.DateField()
    opened_at = models.DateTimeField()
    opened_by = models.CharField(max_length=80)
    opening_float = MoneyField(default=nothing)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    # Counted before the expected amounts are shown to anybody.
    counted_cash = MoneyField(null=True)
    counted_chips = MoneyField(null=True)
    expected_cash = MoneyField(null=True)
    expected_chips = MoneyField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["terminal"], condition=Q(closed_at__isnull=True), name="keno_shift_one_open_a_terminal"
            ),
            together(
                "closed_at",
                "closed_by",
                "counted_cash",
                "counted_chips",
                "expected_cash",
                "expected_chips",
                name="keno_shift_closed",
            ),
            models.CheckConstraint(condition=Q(opening_float__gte=Value(0)), name="keno_shift_float"),
        ]
        indexes: ClassVar = [models.Index(fields=["day", "id"], name="keno_shift_day")]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="closed_for_good", operation=pgtrigger.Update, condition=pgtrigger.Q(old__closed_at__isnull=False)
            ),
        ]

    @property
    def cash(self) -> str:
        """The code of the account of its cash."""
        return shift_cash(self.pk)

    @property
    def chips(self) -> str:
        return shift_chips(self.pk)


class PaymentMethod(models.TextChoices):
    CASH = "cash"
    CHEQUE = "cheque"
    MIX = "mix"
    VOUCHER = "keno-voucher"
    TENDER = "tender"  # handed over for another ticket (4.6)


class Payment(models.Model):
    """One act of paying: everything that was settled and unpaid on a ticket at that moment, once."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="payments")
    amount = MoneyField()
    method = models.CharField(max_length=16, choices=PaymentMethod.choices)
    cash = MoneyField(default=nothing)
    cheque = MoneyField(default=nothing)
    # What came in as an approved voucher goes back as a Keno voucher that is never cash (4.6).
    not_cash = MoneyField(default=nothing)
    cheque_number = models.CharField(max_length=32, blank=True)
    paid_at = models.DateTimeField()
    day = models.DateField()
    shift = models.ForeignKey(Shift, models.DO_NOTHING, null=True, related_name="payments")
    paid_by = models.CharField(max_length=80)
    # Over the venue's limit a second person authorises it (see `keno.pay`).
    supervisor = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    # 10.4: the paid ticket is kept until the close of Keno that day.
    retain_until = models.DateTimeField()
    # The paper that its player goes on with, where there are games to come (`keno.continuation`).
    continued = models.SmallIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="keno_payment_positive"),
            one_of("method", PaymentMethod, name="keno_payment_method_known"),
            models.CheckConstraint(
                condition=Q(cash__gte=Value(0), cheque__gte=Value(0), not_cash__gte=Value(0))
                & (
                    Q(method__in=["cash", "cheque", "mix"], amount=F("cash") + F("cheque") + F("not_cash"))
                    | Q(method__in=["keno-voucher", "tender"], cash=Value(0), cheque=Value(0))
                ),
                name="keno_payment_adds_up",
            ),
            two_people("paid_by", "supervisor", name="keno_payment_two_people"),
        ]
        indexes: ClassVar = [models.Index(fields=["day", "id"], name="keno_payment_day")]
        triggers: ClassVar = [APPEND_ONLY]


class PrizeKind(models.TextChoices):
    PRIZE = "prize"
    BONUS = "bonus"  # 4.7e
    REFUND = "refund"  # of an invalidated game, or of a wager voided by the house (14.3, 14.5)
    # What the right numbers make of the two above, less what had been paid, where a game was settled again (12.1).
    PRIZE_CORRECTED = "prize-corrected"
    BONUS_CORRECTED = "bonus-corrected"


class Prize(models.Model):
    """What a ticket is owed for one game. Only winners and refunded tickets have rows; written by the settlement.

    A settlement writes hundreds of thousands, so a row has what it needs and no more, and one btree: its name
    (`docs/decisions/0027-a-prize-has-no-number.md`).
    """

    pk = models.CompositePrimaryKey("ticket_id", "game", "kind")
    # Straight from the plays, which have a foreign key: theirs is enough. Of what others write the trigger below says
    # what a foreign key would; and of a payment, when it is noted.
    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="prizes", db_index=False, db_constraint=False)
    game = models.BigIntegerField()
    kind = models.CharField(max_length=16, choices=PrizeKind.choices, default=PrizeKind.PRIZE)
    amount = MoneyField()
    jackpot = MoneyField(default=nothing, help_text="the part of it that is jackpot")
    major = models.BooleanField(default=False, help_text="a way of it won $200 or more: a cheque is allowed (10.5)")
    # Most tickets are one way that wins a fixed prize: these two say it all. Others are listed, see `ways`.
    spots = models.SmallIntegerField(null=True)
    matches = models.SmallIntegerField(null=True)
    listed = models.JSONField(null=True, db_column="ways")
    day = models.DateField(help_text="the Keno day of the win")
    payment = models.ForeignKey(
        Payment, models.DO_NOTHING, null=True, related_name="prizes", db_index=False, db_constraint=False
    )
    # 11.2: moved to the return-to-player account; still owed (11.4).
    unclaimed_on = models.DateField(null=True)
    # 14.3: voided after the draw, before it was paid. Neither owed nor paid any more.
    void = models.ForeignKey(
        "keno.VoidedWin", models.DO_NOTHING, null=True, related_name="prizes", db_index=False, db_constraint=False
    )
    # 12.1: won on numbers that were recorded wrongly, and not paid. Neither owed nor paid any more.
    replaced = models.ForeignKey(
        "keno.Resettlement", models.DO_NOTHING, null=True, related_name="replaced", db_index=False, db_constraint=False
    )

    class Meta:
        constraints: ClassVar = [
            one_of("kind", PrizeKind, name="keno_prize_kind_known"),
            models.CheckConstraint(
                condition=Q(amount__gt=Value(0), jackpot__gte=Value(0), jackpot__lte=F("amount")),
                name="keno_prize_positive",
            ),
            models.CheckConstraint(
                condition=Q(spots__isnull=True, matches__isnull=True)
                | Q(listed__isnull=True, major=False, matches__gte=0, matches__lte=F("spots")),
                name="keno_prize_of_one_way",
            ),
        ]
        indexes: ClassVar = [
            # Games are settled in their order, and being paid keeps a row in its page: no payment is in an index, and
            # pages have room (fillfactor 90). So the rows of a game or a day stay together, and this finds them.
            BrinIndex(fields=["game", "day"], name="keno_prize_game", pages_per_range=32, autosummarize=True),
        ]
        triggers: ClassVar = [
            KEPT,
            # Tickets and payments are never deleted, so nothing has to be locked.
            pgtrigger.Trigger(
                name="of_a_ticket",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=~pgtrigger.Q(new__kind="prize"),
                func="""
                    IF NOT EXISTS (SELECT FROM keno_ticket t WHERE t.id = NEW.ticket_id) THEN
                        RAISE foreign_key_violation USING CONSTRAINT = 'keno_prize_of_a_ticket',
                            MESSAGE = 'a prize belongs to a ticket';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="paid_unborn",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__payment__isnull=False),
                func="RAISE check_violation USING MESSAGE = 'a prize is paid after it is won';",
            ),
            pgtrigger.Trigger(
                name="by_a_payment",
                operation=pgtrigger.UpdateOf("payment_id"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__payment__isnull=False),
                func="""
                    IF NOT EXISTS (SELECT FROM keno_payment p WHERE p.id = NEW.payment_id) THEN
                        RAISE foreign_key_violation USING CONSTRAINT = 'keno_prize_by_a_payment',
                            MESSAGE = 'a prize is paid by a payment';
                    END IF;
                    IF NEW.void_id IS NOT NULL OR NEW.replaced_id IS NOT NULL OR EXISTS (
                        SELECT FROM keno_prizehold h WHERE h.ticket_id = NEW.ticket_id AND h.released_at IS NULL
                    ) THEN
                        RAISE check_violation USING CONSTRAINT = 'keno_prize_held',
                            MESSAGE = 'what is void, replaced or on hold is not paid';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(
                name="as_settled",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(exclude=["pk", "payment", "unclaimed_on", "void", "replaced"]),
            ),
            pgtrigger.Protect(
                name="void_for_good", operation=pgtrigger.Update, condition=pgtrigger.Q(old__void__isnull=False)
            ),
            pgtrigger.Trigger(
                name="void_once_decided",
                operation=pgtrigger.UpdateOf("void_id"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__void__isnull=False),
                func="""
                    IF NEW.kind = 'refund' OR NEW.payment_id IS NOT NULL OR NOT EXISTS (
                        SELECT FROM keno_voidedwin v
                        WHERE v.id = NEW.void_id AND v.ticket_id = NEW.ticket_id AND v.game = NEW.game
                    ) THEN
                        RAISE check_violation USING CONSTRAINT = 'keno_prize_void_once_decided',
                            MESSAGE = 'a prize that was not paid is void by the decision about it';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(
                name="replaced_for_good", operation=pgtrigger.Update, condition=pgtrigger.Q(old__replaced__isnull=False)
            ),
            pgtrigger.Trigger(
                name="replaced_once_decided",
                operation=pgtrigger.UpdateOf("replaced_id"),
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__replaced__isnull=False),
                func="""
                    IF NEW.kind NOT IN ('prize', 'bonus') OR NEW.payment_id IS NOT NULL OR NOT EXISTS (
                        SELECT FROM keno_resettlement r WHERE r.id = NEW.replaced_id AND r.game_id = NEW.game
                    ) THEN
                        RAISE check_violation USING CONSTRAINT = 'keno_prize_replaced_once_decided',
                            MESSAGE = 'a prize that was not paid is replaced where its game is settled again';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(
                name="paid_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__payment__isnull=False)
            ),
        ]

    @property
    def ways(self) -> list[dict[str, Any]]:
        """[{"play", "spots", "matches", "count", "prize", "jackpot", "prorated", "loose"}], as settled."""
        if self.spots is None:
            return self.listed or []
        of_one = {"play": 0, "spots": self.spots, "matches": self.matches, "count": 1, "prize": str(self.amount)}
        return [of_one | {"jackpot": False, "prorated": False, "loose": str(ZERO)}]


class Voucher(models.Model):
    """A Keno voucher: unused value, on paper (Terms used in Keno). It never lapses into return-to-player (11.3)."""

    code = models.CharField(max_length=12, unique=True, db_collation="C")
    amount = MoneyField()
    # False: it came in as an approved voucher, which pays for tickets and never becomes cash (4.6).
    cashable = models.BooleanField(default=True)
    issued_at = models.DateTimeField()
    day = models.DateField()
    shift = models.ForeignKey(Shift, models.DO_NOTHING, related_name="vouchers")
    issued_by = models.CharField(max_length=80)
    # What it is the rest of.
    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, null=True, related_name="vouchers")
    payment = models.ForeignKey(Payment, models.DO_NOTHING, null=True, related_name="vouchers")
    spent_at = models.DateTimeField(null=True)
    spent_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    spent_on = models.ForeignKey(Ticket, models.DO_NOTHING, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="keno_voucher_positive"),
            together("spent_at", "spent_by", name="keno_voucher_spent"),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="spent_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__spent_at__isnull=False)
            ),
            pgtrigger.Protect(
                name="as_issued",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(exclude=["spent_at", "spent_by", "spent_on"]),
            ),
        ]

    @property
    def player_id(self) -> int | None:
        """Whose card the ticket was bought with that it is the rest of."""
        of = self.ticket or (self.payment.ticket if self.payment else None)
        return None if of is None else of.player_id


class PaymentAuthority(models.Model):
    """A supervisor authorises a large payment before another person makes it. Good for one payment of that much, or for
    the redemption of a voucher, which is spent once."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, null=True, related_name="payment_authorities")
    voucher = models.ForeignKey(Voucher, models.DO_NOTHING, null=True, related_name="payment_authorities")
    amount = MoneyField()
    given_by = models.CharField(max_length=80)
    given_at = models.DateTimeField()
    payment = models.OneToOneField(Payment, models.DO_NOTHING, null=True, related_name="authority")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(ticket__isnull=False, voucher__isnull=True)
                | Q(ticket__isnull=True, voucher__isnull=False, payment__isnull=True),
                name="keno_paymentauthority_of_one_thing",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="used_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__payment__isnull=False)
            ),
        ]


class ClaimReason(models.TextChoices):
    LOST = "lost"
    UNREADABLE = "unreadable"
    LATE = "late"


class Claim(models.Model):
    """An Unclaimed Prize Claim Form (11, 12.5): a ticket lost, unreadable or too late; paid by cheque once approved."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, null=True, related_name="claims")
    voucher = models.ForeignKey(Voucher, models.DO_NOTHING, null=True, related_name="claims")
    amount = MoneyField()
    reason = models.CharField(max_length=16, choices=ClaimReason.choices)
    claimant = models.JSONField(help_text="name, address and how they can be reached")
    grounds = models.TextField(help_text="what shows that the ticket is theirs")
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    approved_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    approved_at = models.DateTimeField(null=True)
    paid_at = models.DateTimeField(null=True)
    paid_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    cheque_number = models.CharField(max_length=32, blank=True)
    payment = models.OneToOneField(Payment, models.DO_NOTHING, null=True, related_name="claim")
    # Not stored: the Keno voucher that a part of it was paid with, for the answer that hands it out.
    paper: Any = None

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(ticket__isnull=False, voucher__isnull=True) | Q(ticket__isnull=True, voucher__isnull=False),
                name="keno_claim_of_one_thing",
            ),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="keno_claim_positive"),
            together("paid_at", "paid_by", name="keno_claim_paid"),
            one_of("reason", ClaimReason, name="keno_claim_reason_known"),
            together("approved_by", "approved_at", name="keno_claim_approved"),
            two_people("made_by", "approved_by", name="keno_claim_two_people"),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | Q(approved_by__isnull=False), name="keno_claim_paid_once_approved"
            ),
        ]
        triggers: ClassVar = [KEPT]
