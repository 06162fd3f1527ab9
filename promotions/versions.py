"""Which terms hold. Players see the version in force; before the start, the one the regulator was sent last."""

from __future__ import annotations

from datetime import datetime

from kernel.refusal import Conflict
from promotions.models import Prize, Promotion, TermsVersion
from promotions.rules.editions import Edition, edition
from promotions.rules.terms import PrizeTerms, Terms, read


def edition_of(promotion: Promotion) -> Edition:
    return edition(promotion.edition)


def in_force(promotion: Promotion, *, at: datetime | None = None) -> TermsVersion | None:
    """The version in force, at a moment or now. None before the start."""
    versions = TermsVersion.objects.filter(promotion=promotion, in_force_from__isnull=False)
    if at is not None:
        versions = versions.filter(in_force_from__lte=at)
    return versions.order_by("-number").first()


def on_show(promotion: Promotion) -> TermsVersion | None:
    """What the public sees: the version in force, else the one that was submitted last. Never a draft."""
    submitted = TermsVersion.objects.filter(promotion=promotion, submitted_at__isnull=False)
    return in_force(promotion) or submitted.order_by("-number").first()


def draft_of(promotion: Promotion) -> TermsVersion:
    """The version that is being written."""
    return TermsVersion.objects.get(promotion=promotion, submitted_at__isnull=True)


def terms_of(version: TermsVersion) -> Terms:
    return read(version.data, edition_of(version.promotion))


def terms_in_force(promotion: Promotion) -> tuple[TermsVersion, Terms]:
    version = in_force(promotion)
    if version is None:
        raise Conflict("promotion-not-started", f"Promotion {promotion.code} has not started: no terms are in force.")
    return version, terms_of(version)


def next_number(promotion: Promotion) -> int:
    last = TermsVersion.objects.filter(promotion=promotion).order_by("-number").first()
    return last.number + 1 if last else 1


def single_prizes(version: TermsVersion) -> list[Prize]:
    """Each single prize in the order of drawing: three of a kind are three lines."""
    return [prize for prize in version.prizes.order_by("place") for _ in range(prize.quantity)]


def write_prizes(version: TermsVersion, prizes: tuple[PrizeTerms, ...]) -> None:
    """The prizes as rows, once the version stands: what draws and winners refer to."""
    Prize.objects.bulk_create(
        Prize(
            version=version,
            place=place,
            name=prize.name.strip(),
            kind=prize.kind,
            value=prize.value,
            quantity=prize.quantity,
            alternates=prize.alternates,
            alternative=prize.alternative,
            payment=list(prize.payment),
            details=dict(prize.details),
        )
        for place, prize in enumerate(prizes, start=1)
    )
