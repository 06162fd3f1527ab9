from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import F, Q

from house.rules.cards import CANONICAL
from house.rules.limits import Kind, Period
from kernel.checks import one_of, together, two_people


class Player(models.Model):
    """A patron with a card. Only what the rules need to know of a person."""

    number = models.CharField(max_length=24, unique=True, help_text="never reused; the log knows the player by it")
    name = models.CharField(max_length=120)
    registered_at = models.DateTimeField()
    registered_by = models.CharField(max_length=80)
    born = models.DateField(null=True, help_text="as a document showed it")
    born_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    born_confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("number",)
        constraints = (
            together("born", "born_by", name="house_player_born_said_by_somebody"),
            two_people("born_by", "born_confirmed_by", name="house_player_born_two_people"),
        )
        indexes = (models.Index(fields=["born"], condition=Q(born__isnull=False), name="house_player_by_birth"),)
        triggers = (pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),)

    def __str__(self) -> str:
        return self.number

    @property
    def identity(self) -> str:
        return f"player:{self.number}"


class PlayerCard(models.Model):
    """nsw-csp:5.1, 16.1: valid from its issue until it is cancelled, and for its own player only."""

    number = models.CharField(max_length=32, unique=True, help_text="in its one form: house.rules.cards")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="cards")
    issued_at = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True)
    cancelled_because = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("-issued_at", "-id")
        constraints = (models.CheckConstraint(condition=Q(number__regex=CANONICAL), name="house_playercard_one_form"),)
        triggers = (pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),)


class RestrictionKind(models.TextChoices):
    EXCLUSION = "exclusion"  # act-keno:14.3, and nsw-csp:16.8 alike
    EMPLOYEE = "employee"  # nsw-csp:16.19: the employee gambling policy
    BREAK = "break"  # nsw-csp:16.4


class Scope(models.TextChoices):
    CASINO = "casino"
    KENO = "keno"
    TABLES = "tables"


class Restriction(models.Model):
    """While it lasts, the player's wagers are refused. Lifting it ends it and leaves it on record.

    One person's word is enough for that. What he had won or entered before he loses by a second one's; he is let back
    by two others.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="restrictions")
    kind = models.CharField(max_length=16, choices=RestrictionKind.choices)
    scope = models.CharField(max_length=16, choices=Scope.choices, default=Scope.CASINO)
    from_at = models.DateTimeField()
    until = models.DateTimeField(null=True)
    # nsw-csp:16.19: found out afterwards that the employee policy bound him: nothing is paid on a wager since then.
    breach_since = models.DateTimeField(null=True)
    reason = models.TextField()
    clause = models.CharField(max_length=40, blank=True)
    made_by = models.CharField(max_length=80)
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    lifting_said_at = models.DateTimeField(null=True)
    lifting_said_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("-id",)
        constraints = (
            one_of("kind", RestrictionKind, name="house_restriction_kind_known"),
            one_of("scope", Scope, name="house_restriction_scope_known"),
            together("confirmed_at", "confirmed_by", name="house_restriction_confirmed_by_somebody"),
            two_people("made_by", "confirmed_by", name="house_restriction_two_people"),
            together("lifting_said_at", "lifting_said_by", name="house_restriction_lifting_said_by_somebody"),
            together("lifted_at", "lifted_by", name="house_restriction_lifted_by_somebody"),
            two_people("lifting_said_by", "lifted_by", name="house_restriction_lifted_by_two"),
            two_people("made_by", "lifting_said_by", name="house_restriction_lifting_said_by_another"),
            two_people("made_by", "lifted_by", name="house_restriction_lifted_by_another"),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("from_at")), name="house_restriction_lasts"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="house_restriction_says_why"),
            models.CheckConstraint(
                condition=Q(breach_since__isnull=True) | Q(kind="employee", breach_since__lte=F("from_at")),
                name="house_restriction_breach_before",
            ),
        )
        triggers = (pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),)


class LimitChange(models.Model):
    """A limit as asked for. What is in force follows from these rows (house.rules.limits.in_force)."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="limit_changes")
    kind = models.CharField(max_length=16, choices=[(each.value, each.value) for each in Kind])
    period = models.CharField(max_length=16, choices=[(each.value, each.value) for each in Period])
    amount = models.BigIntegerField(null=True, help_text="micro-dollars; empty: no limit")
    asked_at = models.DateTimeField()
    from_at = models.DateTimeField()
    by = models.CharField(max_length=80)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(
                condition=Q(amount__isnull=True) | Q(amount__gte=0), name="house_limitchange_not_negative"
            ),
            models.CheckConstraint(condition=Q(from_at__gte=F("asked_at")), name="house_limitchange_not_before"),
            models.CheckConstraint(
                condition=~Q(kind="deposit") | Q(period="day"), name="house_limitchange_deposits_by_day"
            ),
        )
        triggers = (pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),)


class PlayLineKind(models.TextChoices):
    WAGER = "wager"
    WINNINGS = "winnings"
    REFUND = "refund"
    CHIPS = "chips"  # the rest of a visit to a table, from what was declared
    DEPOSIT = "deposit"


class PlayLine(models.Model):
    """What a player put in or got back, as his limits count it. Not money: that is the ledger's."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="play")
    at = models.DateTimeField()
    day = models.DateField(help_text="gaming day; for a deposit the venue's calendar day (nsw-csp:1.1)")
    kind = models.CharField(max_length=16, choices=PlayLineKind.choices)
    loss = models.BigIntegerField(help_text="micro-dollars: what it adds to the loss, or to the deposits")
    place = models.CharField(max_length=32, help_text="keno, or the table's code")
    reference = models.CharField(max_length=80, blank=True)
    by = models.CharField(max_length=80)

    class Meta:
        ordering = ("-id",)
        constraints = (one_of("kind", PlayLineKind, name="house_playline_kind_known"),)
        indexes = (
            models.Index(fields=["player", "day"], include=["kind", "loss"], name="house_playline_by_day"),
            models.Index(fields=["place", "at"], name="house_playline_by_place"),
        )
        triggers = (pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),)


class DeclarationKind(models.TextChoices):
    BOUGHT = "bought"  # nsw-csp:16.2.1
    INTRODUCED = "introduced"  # 16.2.2
    REMAINING = "remaining"  # 16.2.3


class ChipDeclaration(models.Model):
    """nsw-csp:16.2: what a player with a loss limit told the dealer about his chips."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="declarations")
    table = models.CharField(max_length=32)
    kind = models.CharField(max_length=16, choices=DeclarationKind.choices)
    amount = models.BigIntegerField(help_text="micro-dollars")
    after_line = models.BigIntegerField(help_text="the player's last line of play before it")
    at = models.DateTimeField()
    by = models.CharField(max_length=80)

    class Meta:
        ordering = ("-id",)
        constraints = (
            one_of("kind", DeclarationKind, name="house_chipdeclaration_kind_known"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="house_chipdeclaration_not_negative"),
        )
        indexes = (models.Index(fields=["player", "table", "-id"], name="house_chipdeclaration_visit"),)
        triggers = (pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),)
