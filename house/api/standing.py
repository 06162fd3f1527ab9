"""By whose word a value is in force, as every answer about one says it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from house.approvals import Standing
from web.fields import StrictSerializer


class WithStanding(StrictSerializer):
    """A row that was approved, or that the demo began with. The subclass says whose standing it is."""

    authority = serializers.SerializerMethodField(help_text="Whose approval the rule asks for.")
    basis = serializers.SerializerMethodField(
        help_text="`decided` by the authority itself, by `letter`, or of the `demo`: then nobody has approved it."
    )
    by_letter = serializers.SerializerMethodField(help_text="In force by a letter that two people put on record.")
    countersigned_at = serializers.SerializerMethodField(
        help_text="When an inspector countersigned that letter in his own name; null until then."
    )

    def standing_of(self, row: Any) -> Standing:
        raise NotImplementedError

    def _standing(self, row: Any) -> Standing:
        if not hasattr(row, "_standing"):
            row._standing = self.standing_of(row)
        found: Standing = row._standing
        return found

    def get_authority(self, row: object) -> str:
        return str(self._standing(row).authority)

    def get_basis(self, row: object) -> str:
        return str(self._standing(row).basis)

    def get_by_letter(self, row: object) -> bool:
        return self._standing(row).by_letter

    def get_countersigned_at(self, row: object) -> str | None:
        at: datetime | None = self._standing(row).countersigned_at
        return None if at is None else timezone.localtime(at).isoformat()
