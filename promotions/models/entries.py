"""Entrants, their personal data, entries, and the sealed list of them.

A person is kept apart from the entries: `Person` can be deleted when the rules do not need it any more, and so can the
identity and the salts. What remains are numbers and hashes, so that every root can be computed again (`Entry.leaf`).
"""

from __future__ import annotations

from typing import ClassVar, Final

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from kernel.checks import one_of, together, two_people
from ledger.fields import MoneyField
from promotions.models.terms import APPEND_ONLY, KEPT, Promotion


class Entrant(models.Model):
    """Somebody who takes part in one promotion, known by the number of the player card or by another identity.

    *identity* is ``player:…`` or ``card:…``, ``email:…``, ``phone:…``, and empty once the personal data is deleted.
    """

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="entrants", db_index=False)
    identity = models.CharField(max_length=120, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints: ClassVar = [
            # Plain characters only: the identity stands in the text of a leaf, which SQL writes, too.
            models.CheckConstraint(
                condition=Q(identity__regex=r"^(card|player|email|phone):[A-Za-z0-9@._+-]+$"),
                name="promotions_entrant_plain",
            ),
            models.UniqueConstraint(fields=["promotion", "identity"], name="promotions_entrant_once"),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="only_forgotten",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "NEW.promotion_id <> OLD.promotion_id OR NEW.identity IS NOT NULL AND"
                    " NEW.identity IS DISTINCT FROM OLD.identity"
                ),
            ),
        ]


class Person(models.Model):
    """Personal data of an entrant: what telling a winner (17.8) and keeping a denied claim (17.9) need, and no more."""

    entrant = models.OneToOneField(Entrant, models.PROTECT, primary_key=True, related_name="person")
    name = models.CharField(max_length=120)
    address = models.CharField(max_length=300, blank=True)
    telephone = models.CharField(max_length=40, blank=True)
    email = models.CharField(max_length=254, blank=True)

    fleeting: ClassVar = True


class Source(models.TextChoices):
    STAFF = "staff"
    CSV = "csv"
    API = "api"
    EARNED = "earned"


BY_HAND: Final = ("staff", "api")  # one at a time, each on one person's word


class Entry(models.Model):
    """One chance in the draw. Its id is its number; *reference* is what it came from, and enters once.

    *leaf* is the RFC 6962 leaf hash of the entry's text (`promotions.leaves`): its place in the root. The salt keeps
    anybody from finding a person by hashing card numbers.
    """

    id = models.BigAutoField(primary_key=True)
    # Checked by the statement (see below), not row by row at the commit: a file may hold a million.
    promotion = models.ForeignKey(
        Promotion, models.PROTECT, related_name="entries", db_constraint=False, db_index=False
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="entries", db_constraint=False, db_index=False)
    source = models.CharField(max_length=8, choices=Source.choices)
    reference = models.CharField(max_length=120)
    # The file that brought it in.
    of_import = models.ForeignKey(
        "promotions.Import", models.PROTECT, null=True, related_name="entries", db_constraint=False, db_index=False
    )
    entered_at = models.DateTimeField(db_default=Now())
    entered_by = models.CharField(max_length=80)
    # What was wagered for it, where the terms ask for a minimum (17.7.4) and it was not earned.
    wagered = MoneyField(null=True)
    salt = models.UUIDField(null=True)
    leaf = models.BinaryField()
    # Taken out before the list is sealed: not eligible after all, or the wager it was earned with was cancelled.
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    withdrawn_why = models.CharField(max_length=200, blank=True)
    rejected = models.BooleanField(db_default=False)  # withdrawn with its file: what it came from may enter again

    class Meta:
        constraints: ClassVar = [
            one_of("source", Source, name="promotions_entry_source_known"),
            models.CheckConstraint(condition=~Q(reference=""), name="promotions_entry_from_something"),
            models.UniqueConstraint(
                fields=["promotion", "reference"], condition=Q(rejected=False), name="promotions_entry_once"
            ),
            models.CheckConstraint(
                condition=Q(rejected=False) | Q(withdrawn_at__isnull=False, of_import__isnull=False),
                name="promotions_entry_rejected_with_its_file",
            ),
            together("withdrawn_at", "withdrawn_by", name="promotions_entry_withdrawn"),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_why="")
                | (Q(withdrawn_at__isnull=False) & ~Q(withdrawn_why="")),
                name="promotions_entry_withdrawn_why",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["promotion", "id"], name="promotions_entry_list"),
            models.Index(fields=["entrant", "id"], name="promotions_entry_entrant"),
            # Who was entered by whom, one at a time: read before every draw, and few beside what files bring in.
            models.Index(
                fields=["promotion", "entered_by", "entrant"],
                condition=Q(source__in=BY_HAND),
                name="promotions_entry_by_hand",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="as_entered",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    exclude=["salt", "withdrawn_at", "withdrawn_by", "withdrawn_why", "rejected"]
                ),
            ),
            pgtrigger.Protect(
                name="once_and_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.withdrawn_at IS NOT NULL AND NEW.withdrawn_at IS DISTINCT FROM OLD.withdrawn_at"
                    " OR NEW.salt IS NOT NULL AND NEW.salt IS DISTINCT FROM OLD.salt"
                ),
            ),
            # Behind the verbs' own barrier: nothing enters a promotion that does not run, whoever writes it. What was
            # earned by a wager before the close is counted until the list is sealed.
            pgtrigger.Trigger(
                name="only_while_running",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                level=pgtrigger.Statement,
                referencing=pgtrigger.Referencing(new="entered"),
                func="""
                    IF EXISTS (
                        SELECT FROM entered e WHERE NOT EXISTS (
                            SELECT FROM promotions_entrant n
                            WHERE n.id = e.entrant_id AND n.promotion_id = e.promotion_id)
                    ) THEN
                        RAISE foreign_key_violation USING CONSTRAINT = 'promotions_entry_of_an_entrant',
                            MESSAGE = 'an entry is of an entrant of its promotion';
                    END IF;
                    IF EXISTS (
                        SELECT FROM (SELECT DISTINCT promotion_id, source FROM entered) e
                        JOIN promotions_promotion p ON p.id = e.promotion_id
                        WHERE p.status <> 'running' AND NOT (p.status = 'closed' AND e.source = 'earned')
                    ) THEN
                        RAISE check_violation USING CONSTRAINT = 'promotions_entry_only_while_running',
                            MESSAGE = 'entries are taken only while a promotion runs';
                    END IF;
                    RETURN NULL;
                """,
            ),
            # A sealed list stays as it is: nothing in it is withdrawn.
            pgtrigger.Trigger(
                name="sealed",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.AnyChange("withdrawn_at"),
                func="""
                    IF EXISTS (SELECT FROM promotions_entrylist l
                               WHERE l.promotion_id = NEW.promotion_id AND l.voided_at IS NULL) THEN
                        RAISE check_violation USING CONSTRAINT = 'promotions_entry_sealed',
                            MESSAGE = 'the list of entries is sealed';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]


class Withdrawal(models.Model):
    """What one person said of an entry: it is to be taken out. It is once another has said so, too."""

    entry = models.OneToOneField(Entry, models.PROTECT, primary_key=True, related_name="withdrawal")
    why = models.CharField(max_length=200)
    said_at = models.DateTimeField()
    said_by = models.CharField(max_length=80)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(why=""), name="promotions_withdrawal_has_a_reason"),
        ]
        triggers: ClassVar = [APPEND_ONLY]


class EntryList(models.Model):
    """The sealed list: every entry that was not withdrawn, in the order of their numbers, under one Merkle root.

    A list is void when the promotion goes back to be corrected after a doubt about its integrity; then another follows.
    """

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="lists")
    number = models.SmallIntegerField()
    root = models.BinaryField()
    count = models.BigIntegerField()
    sealed_at = models.DateTimeField()
    sealed_by = models.CharField(max_length=80)
    voided_at = models.DateTimeField(null=True)
    voided_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    void_reason = models.TextField(blank=True)

    class Meta:
        ordering = ("promotion", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["promotion", "number"], name="promotions_entrylist_numbered"),
            models.UniqueConstraint(
                fields=["promotion"], condition=Q(voided_at__isnull=True), name="promotions_entrylist_one_stands"
            ),
            models.CheckConstraint(condition=Q(number__gte=1, count__gte=0), name="promotions_entrylist_possible"),
            together("voided_at", "voided_by", name="promotions_entrylist_voided"),
            models.CheckConstraint(
                condition=Q(voided_at__isnull=True, void_reason="") | (Q(voided_at__isnull=False) & ~Q(void_reason="")),
                name="promotions_entrylist_void_says_why",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            # Behind the verb's own check: nothing that one person brought in alone is sealed, whoever writes it.
            pgtrigger.Trigger(
                name="files_confirmed",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (SELECT FROM promotions_import i WHERE i.promotion_id = NEW.promotion_id
                               AND i.entered > 0 AND i.confirmed_at IS NULL AND i.rejected_at IS NULL) THEN
                        RAISE check_violation USING CONSTRAINT = 'promotions_entrylist_files_confirmed',
                            MESSAGE = 'a file of entries has been seen by one person only';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.ReadOnly(
                name="sealed_for_good", fields=["promotion", "number", "root", "count", "sealed_at", "sealed_by"]
            ),
            pgtrigger.Protect(
                name="void_for_good", operation=pgtrigger.Update, condition=pgtrigger.Q(old__voided_at__isnull=False)
            ),
        ]


class SealedTiles(models.Model):
    """What need not be hashed again at the draw of a sealed list, and the mark it is known by (`promotions.tree`).

    A row of its own: a million entries leave 125 kB of tiles, which only the draw and proofs of entries read.
    """

    entry_list = models.OneToOneField(EntryList, models.PROTECT, primary_key=True, related_name="kept")
    tiles = models.BinaryField()
    mark = models.BinaryField()

    class Meta:
        triggers: ClassVar = [APPEND_ONLY]


class Exclusion(models.TextChoices):
    EMPLOYEE = "employee"
    HOUSEHOLD = "household", "of an employee's household"
    OTHER = "other"


class ExcludedCard(models.Model):
    """A player card that enters no promotion: an employee's, or one of an employee's household, or another's.

    One person says so; what was entered before is left out of a list or a draw once another has confirmed it. Two
    others let it enter again.
    """

    card = models.CharField(max_length=32)
    why = models.CharField(max_length=16, choices=Exclusion.choices)
    note = models.CharField(max_length=200, blank=True)
    added_at = models.DateTimeField()
    added_by = models.CharField(max_length=80)
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    readmission_said_at = models.DateTimeField(null=True)
    readmission_said_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    removed_at = models.DateTimeField(null=True)
    removed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints: ClassVar = [
            one_of("why", Exclusion, name="promotions_excludedcard_why_known"),
            models.UniqueConstraint(
                fields=["card"], condition=Q(removed_at__isnull=True), name="promotions_excludedcard_once"
            ),
            together("confirmed_at", "confirmed_by", name="promotions_excludedcard_confirmed"),
            two_people("added_by", "confirmed_by", name="promotions_excludedcard_two_people"),
            together("removed_at", "removed_by", name="promotions_excludedcard_removed"),
            together("readmission_said_at", "readmission_said_by", name="promotions_excludedcard_readmission_said"),
            two_people("added_by", "readmission_said_by", name="promotions_excludedcard_said_by_another"),
            two_people("readmission_said_by", "removed_by", name="promotions_excludedcard_readmitted_by_two"),
        ]
        triggers: ClassVar = [KEPT]
