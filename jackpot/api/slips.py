"""Paper about hits: slips, and the threshold reports of cash payments."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

from house.cash.identity import Identity
from house.cash.queries import reports_seen_by
from house.cash.threshold import report_sent
from house.models import ThresholdReport
from house.permissions import REPORT_THRESHOLD, REPORTS
from jackpot import permissions, slips
from kernel.actors import Actor
from web.fields import Choice, InstantField, MoneyField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.files import FileAnswer
from web.view import ByDay, HouseView, listing, read, verb

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
    def get(self, by: Actor, asked: SlipAsked, *, id: int) -> dict[str, object] | FileAnswer:
        """The slip of a hit that was verified, paid or denied: its lines, a PDF, or bytes for the printer."""
        if asked.format == "pdf":
            return FileAnswer(PDF, slips.as_pdf(hit_id=id), f"hit-{id}.pdf")
        if asked.format == "escpos":
            return FileAnswer(ESCPOS, slips.as_escpos(hit_id=id), f"hit-{id}.bin")
        hit = slips.decided(id)
        return {"title": slips.title(hit), "lines": [{"name": name, "text": text} for name, text in slips.lines(hit)]}


class ThresholdOut(StrictSerializer):
    id = WholeNumber()
    hit = WholeNumber(source="payment")
    amount = MoneyField(source="cash")
    name = Text(allow_blank=True, help_text="This and what follows: empty without the right to see who received it.")
    date_of_birth = Text(allow_blank=True)
    address = Text(allow_blank=True)
    document = Text(allow_blank=True, help_text="What was shown, and its number.")
    made_at = InstantField()
    made_by = Text()
    sent_at = InstantField(source="reported_at", allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, object]:
        who = Identity.read(getattr(instance, "shown_identity", {}))
        instance.name, instance.date_of_birth = who.name, who.born.isoformat() if who.born else ""
        instance.address, instance.document = who.address, who.document_shown
        return super().to_representation(instance)


class ThresholdReports(HouseView):
    @listing(permission=REPORTS, gives=ThresholdOut, asks=ByDay)
    def get(self, by: Actor, asked: ByDay) -> QuerySet[ThresholdReport]:
        """Threshold reports that a hit paid in cash made; `cash/reports` has those of every room."""
        return reports_seen_by(by, room="jackpot", day=asked.gaming_day)


class Reported(HouseView):
    @verb(permission=REPORT_THRESHOLD, gives=ThresholdOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> ThresholdReport:
        """Note that a threshold report went to the authority."""
        return report_sent(report_id=id, by=by, room="jackpot")
