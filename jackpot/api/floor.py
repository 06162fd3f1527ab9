"""Tables, their rounds, the versions of a link's terms, and contributions that were held back."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.standing import WithStanding
from house.approvals import Standing
from jackpot import permissions, queries
from jackpot.api import contributions, fields
from jackpot.models import BatchStatus, Payout, PayoutMethod, Table, Terms
from jackpot.pay_out import pay_payout
from jackpot.tables import BOXES_DEFAULT, join_table
from kernel.actors import Actor
from web.fields import Choice, InstantField, MoneyField, StrictSerializer, Text, WholeNumber, shown
from web.view import ByDay, HouseView, Paging, listing, verb


class JoinIn(StrictSerializer):
    code = Text(max_length=16)
    link = Text(max_length=16)
    boxes = WholeNumber(required=False, min_value=1, max_value=20)
    example = shown({"code": "CSP-05", "link": "CSP", "boxes": 7})


class TablesAsked(Paging):
    link = Text(required=False, max_length=16)


class _TableRow(fields.TableOut):
    link = Text(source="link.code")


class Tables(HouseView):
    @listing(permission=permissions.VIEW, gives=_TableRow, asks=TablesAsked, order="id")
    def get(self, by: Actor, asked: TablesAsked) -> QuerySet[Table]:
        """The tables, and whether each one's jackpot is open."""
        return queries.tables(link=asked.link)

    @verb(permission=permissions.TABLES, takes=JoinIn, gives=_TableRow, status=201)
    def post(self, by: Actor, data: JoinIn) -> Table:
        """Put a table on a link: wager, pay table, rates and seed are the link's."""
        return join_table(code=data.code, link=data.link, boxes=data.boxes or BOXES_DEFAULT, by=by)


class TermsOut(WithStanding):
    version = WholeNumber()
    effective_at = InstantField()
    set_by = Text()
    proposal = WholeNumber(source="proposal_id", allow_null=True, help_text="The approval it came from.")
    terms = serializers.DictField(source="data")

    def standing_of(self, row: Terms) -> Standing:
        return queries.standing(row)


class TermsVersions(HouseView):
    @listing(permission=permissions.VIEW, gives=TermsOut, asks=Paging, order="-version")
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[Terms]:
        """Every approved version of a link's terms, the newest first."""
        return queries.versions_of(code)


class LinkPayoutOut(StrictSerializer):
    id = WholeNumber()
    link = Text(source="link.code")
    payee = Text()
    amount = MoneyField()
    paid_at = InstantField(allow_null=True)
    method = Text(allow_null=True)
    proposal = WholeNumber(source="proposal_id", help_text="The approval that it comes from.")


class PayPayoutIn(StrictSerializer):
    method = Choice(choices=PayoutMethod.values)
    reference = Text(max_length=200, help_text="The number of the cheque or the transfer.")
    example = shown({"method": "transfer", "reference": "TRF 20261117-3"})


class Payouts(HouseView):
    @listing(permission=permissions.REPORTS, gives=LinkPayoutOut, asks=TablesAsked, order="id")
    def get(self, by: Actor, asked: TablesAsked) -> QuerySet[Payout]:
        """Who is owed, or has got, a share of what was in a link when it ended (approval `jackpot.pay-out`)."""
        return queries.payouts(link=asked.link)


class PayPayout(HouseView):
    @verb(permission=permissions.PAY, takes=PayPayoutIn, gives=LinkPayoutOut)
    def post(self, by: Actor, data: PayPayoutIn, *, id: int) -> Payout:
        """Pay one of them, by cheque or transfer; never who proposed or decided it."""
        return pay_payout(payout_id=id, method=data.method, reference=data.reference, by=by)


class BatchesAsked(ByDay):
    status = Choice(choices=BatchStatus.values, required=False)


class BatchRow(contributions.BatchOut):
    table = Text(source="table.code")
