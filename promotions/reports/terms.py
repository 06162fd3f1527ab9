"""The register of promotions, and what the regulator was sent."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django.db.models import Count, Q

from house.venue import zone
from kernel.money import Money
from promotions.models import EntryList, Prize, Promotion, Submission
from promotions.versions import edition_of, on_show
from web.reports import Report, report


def register(first: date, last: date) -> Report:
    """Every promotion that was drafted, or ran, on one of these days."""
    begin, end = span(first, last)
    touched = Q(made_at__gte=begin, made_at__lt=end) | Q(starts_at__lt=end, closes_at__gte=begin)
    promotions = Promotion.objects.filter(touched).annotate(
        people=Count("entrants", distinct=True),
    )
    rows = []
    for promotion in promotions.order_by("id"):
        version = on_show(promotion)
        prizes = list(Prize.objects.filter(version=version)) if version else []
        sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).first()
        rows.append(
            (
                promotion.code,
                promotion.title,
                f"{promotion.edition} ({edition_of(promotion).clauses['rule']})",
                promotion.status,
                at(promotion.submitted_at),
                at(promotion.started_at or promotion.starts_at),
                at(promotion.closed_at or promotion.closes_at),
                at(promotion.drawn_at or promotion.draw_at),
                version.number if version else 0,
                sum(prize.quantity for prize in prizes),
                Money.total(prize.value * prize.quantity for prize in prizes),
                promotion.people,
                sealed.count if sealed else promotion.entries.filter(withdrawn_at=None).count(),
            )
        )
    return report(
        "Promotions: register",
        (
            "Code",
            "Title",
            "Edition",
            "Status",
            "Submitted",
            "Starts",
            "Closes",
            "Draw",
            "Terms",
            "Prizes",
            "Value",
            "Entrants",
            "Entries",
        ),
        rows,
        add=("Prizes", "Value", "Entries") if rows else (),
    )


def submissions(first: date, last: date) -> Report:
    """What was sent to the regulator on these days: 17.12, 17.12.1, 15.9, 15.9.1."""
    begin, end = span(first, last)
    sent = Submission.objects.filter(at__gte=begin, at__lt=end).select_related("promotion", "version").defer("pdf")
    rows = []
    for each in sent.order_by("id"):
        rules = edition_of(each.promotion)
        rows.append(
            (
                at(each.at),
                each.promotion.code,
                each.version.number,
                rules.clause("submission" if each.reason == "before-start" else "amendment"),
                each.reason,
                each.to,
                each.how,
                each.reference,
                each.by,
                at(each.version.in_force_from),
                each.sha256,
            )
        )
    return report(
        "Promotions: submissions to the regulator",
        (
            "At",
            "Promotion",
            "Terms",
            "Clause",
            "Reason",
            "To",
            "How",
            "Reference",
            "By",
            "In force from",
            "SHA-256 of the paper",
        ),
        rows,
    )


def span(first: date, last: date) -> tuple[datetime, datetime]:
    """From the first moment of the first day to the first moment after the last, on the venue's clock."""
    clock = zone()
    return (
        datetime.combine(first, time(0), tzinfo=clock),
        datetime.combine(last + timedelta(days=1), time(0), tzinfo=clock),
    )


def at(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(zone()).isoformat(sep=" ", timespec="seconds")
