"""The register of approved vouchers (4.6): which were issued, and what each is worth."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q, Value

from ledger.fields import MoneyField

REFERENCE_LETTERS_LIMIT = 64


class ApprovedVoucher(models.Model):
    """One voucher of an approved type, as whoever issued it numbered it. Taken in once: `keno_tender_once`."""

    reference = models.CharField(max_length=REFERENCE_LETTERS_LIMIT, unique=True, db_collation="C")
    type = models.CharField(max_length=16)
    amount = MoneyField()
    proposal = models.BigIntegerField(null=True, help_text="that put it on the register; none in the demo")
    registered_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="keno_approvedvoucher_positive"),
            models.CheckConstraint(condition=~Q(reference=""), name="keno_approvedvoucher_named"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]
