"""Paper about hits: slips, and the threshold reports of cash payments."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

from house.actors import Actor
from house.api.fields import Choice, DayField, InstantField, MoneyField, StrictSerializer, Text, Whole, shown
from house.api.view import ByDay, HouseView, Paper, listing, read, verb
from jackpot import permissions, slips
from jackpot.hits import threshold_reported
from jackpot.models import ThresholdReport

PDF: Final = "application/pdf"
ESCPOS: Final = "application/octet-stream"


class SlipAsked(StrictSerializer):
    format = Choice(choices=["json", "pdf", "escpos"], default="json", help_text="`escpos`: for an 80 mm printer.")


class SlipLineOut(StrictSerializer):
    name = Text()
    text = Text(allow_blank=True)


class SlipOut(StrictSerializer):
    title = Text()
    lines = SlipLineOut(many=True)
    example = shown({"title": "JACKPOT PAYMENT", "lines": [{"name": "Amount", "text": "$50003.50"}]})


class Slip(HouseView):
    @read(permission=permissions.SLIPS, gives=SlipOut, asks=SlipAsked, also=(PDF, ESCPOS))
    def get(self, by: Actor, asked: dict[str, Any], *, id: int) -> dict[str, Any] | Paper:
        """The slip of a hit that was verified, paid or denied: its lines, a PDF, or bytes for the printer."""
        if asked["format"] == "pdf":
            return Paper(PDF, slips.as_pdf(hit_id=id), f"hit-{id}.pdf")
        if asked["format"] == "escpos":
            return Paper(ESCPOS, slips.as_escpos(hit_id=id), f"hit-{id}.bin")
        hit = slips.decided(id)
        return {"title": slips.title(hit), "lines": [{"name": name, "text": text} for name, text in slips.lines(hit)]}


class ThresholdOut(StrictSerializer):
    id = Whole()
    hit = Whole(source="hit_id")
    amount = MoneyField()
    name = Text()
    date_of_birth = DayField()
    address = Text()
    document = Text()
    made_at = InstantField()
    made_by = Text()
    sent_at = InstantField(allow_null=True)


class ThresholdReports(HouseView):
    @listing(permission=permissions.THRESHOLD, gives=ThresholdOut, asks=ByDay)
    def get(self, by: Actor, asked: dict[str, Any]) -> QuerySet[ThresholdReport]:
        """Hits of $10,000 or more paid in cash, with who received it."""
        rows = ThresholdReport.objects.all()
        return rows.filter(hit__paid_day=asked["gaming_day"]) if "gaming_day" in asked else rows


class Reported(HouseView):
    @verb(permission=permissions.THRESHOLD, gives=ThresholdOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> ThresholdReport:
        """Note that a threshold report went to the authority."""
        return threshold_reported(report_id=id, by=by)
