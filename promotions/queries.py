"""What is read of promotions: by pages and calls alike, and by what the room does by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce

from house import people
from house.models import Staff
from kernel.actors import Actor
from kernel.refusal import NotFound
from promotions import steps
from promotions.attempts import current_draw
from promotions.import_steps import unconfirmed_imports
from promotions.lifecycle import OPEN_IN, OVER, PUBLIC, Status, Step
from promotions.locks import find_promotion
from promotions.models import (
    Claim,
    ClaimStatus,
    Draw,
    Entry,
    EntryList,
    ExcludedCard,
    Import,
    ImportRow,
    LossCase,
    Notification,
    Payment,
    Person,
    Promotion,
    Source,
    Submission,
    TermsVersion,
    Win,
)
from promotions.permissions import DECIDE_CLAIM, LOSE, PAY
from promotions.versions import in_force, on_show, terms_in_force

MOST_ENTERED_SHOWN: Final = 10
PUBLIC_ROWS: Final = 200  # promotions on the public's page


# Promotions and their terms


def promotions(*, status: str | None = None) -> QuerySet[Promotion]:
    found = Promotion.objects.all()
    return found if status is None else found.filter(status=status)


def promotions_over() -> QuerySet[Promotion]:
    """Those that are finished or cancelled, with the moment it was."""
    return Promotion.objects.filter(status__in=OVER).annotate(over_at=Coalesce("finished_at", "cancelled_at"))


def running() -> QuerySet[Promotion]:
    return Promotion.objects.filter(status=Status.RUNNING).order_by("title")


def public_promotions() -> Sequence[Promotion]:
    """The newest first; never a draft."""
    return list(Promotion.objects.filter(status__in=PUBLIC).order_by("-starts_at", "-id")[:PUBLIC_ROWS])


def public_promotion(code: str) -> Promotion | None:
    return Promotion.objects.filter(code=code, status__in=PUBLIC).first()


def find(code: str) -> Promotion | None:
    return Promotion.objects.filter(code=code).first()


def with_wins() -> QuerySet[Promotion, str]:
    """Codes of promotions that somebody won something in."""
    return Promotion.objects.filter(wins__isnull=False).distinct().values_list("code", flat=True)


def with_claims() -> QuerySet[Promotion, str]:
    return Promotion.objects.filter(claims__isnull=False).distinct().values_list("code", flat=True)


def versions(code: str) -> QuerySet[TermsVersion]:
    return TermsVersion.objects.filter(promotion=find_promotion(code))


def versions_in_force(promotion: Promotion) -> Sequence[TermsVersion]:
    """Every version that is or was in force, the oldest first."""
    return list(TermsVersion.objects.filter(promotion=promotion, in_force_from__isnull=False).order_by("number"))


def newest_version(promotion: Promotion) -> TermsVersion:
    """In force, or where none is yet, the one last written."""
    return in_force(promotion) or TermsVersion.objects.filter(promotion=promotion).latest("number")


def public_version(promotion: Promotion, number: int | None = None) -> TermsVersion | None:
    """On show, or the numbered one if it was ever in force."""
    if number is None:
        return on_show(promotion)
    return TermsVersion.objects.filter(promotion=promotion, number=number, in_force_from__isnull=False).first()


def version_status(version: TermsVersion) -> str:
    if version.submitted_at is None:
        return "draft"
    if version.in_force_from is None:
        return "submitted"
    later = TermsVersion.objects.filter(
        promotion=version.promotion, number__gt=version.number, in_force_from__isnull=False
    )
    return "superseded" if later.exists() else "in-force"


def submissions(promotion: Promotion | None = None) -> QuerySet[Submission]:
    found = Submission.objects.select_related("promotion", "version").defer("pdf")
    return found if promotion is None else found.filter(promotion=promotion)


def find_submission(submission_id: int) -> Submission:
    found = Submission.objects.filter(pk=submission_id).select_related("promotion", "version").first()
    if found is None:
        raise NotFound("no-such-submission", f"There is no submission {submission_id}.")
    return found


# Entries and who made them


def sealed_list(promotion: Promotion) -> EntryList | None:
    """The list that is sealed and not void."""
    return EntryList.objects.filter(promotion=promotion, voided_at=None).first()


def entry_count(promotion: Promotion) -> int:
    """How many are in the draw; a sealed list has been counted."""
    sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).only("count").first()
    return sealed.count if sealed else entries_now(promotion)


def entries_now(promotion: Promotion) -> int:
    return Entry.objects.filter(promotion=promotion, withdrawn_at=None).count()


def entrant_count(promotion: Promotion) -> int:
    return promotion.entrants.count()


def known_people(promotion: Promotion) -> int:
    """Entrants who have not been forgotten."""
    return promotion.entrants.filter(identity__isnull=False).count()


def entries(promotion: Promotion, *, with_people: bool = False) -> QuerySet[Entry]:
    found = Entry.objects.filter(promotion=promotion)
    return found.select_related("entrant__person") if with_people else found


def imports(promotion: Promotion) -> QuerySet[Import]:
    return Import.objects.filter(promotion=promotion).select_related("promotion")


def most_entered(promotion: Promotion) -> list[tuple[int, int]]:
    """Which entrants files have entered most often, and how often: what a second person looks at."""
    entered = Entry.objects.filter(promotion=promotion, source=Source.CSV, withdrawn_at=None).values("entrant_id")
    often = entered.annotate(often=Count("pk")).order_by("-often", "entrant_id")
    return list(often.values_list("entrant_id", "often")[:MOST_ENTERED_SHOWN])


def refused_rows(made: Import) -> QuerySet[ImportRow]:
    return ImportRow.objects.filter(of=made)


def excluded_cards() -> QuerySet[ExcludedCard]:
    return ExcludedCard.objects.all()


def find_exclusion(number: int) -> ExcludedCard:
    found = ExcludedCard.objects.filter(pk=number).first()
    if found is None:
        raise NotFound("not-excluded", f"There is no exclusion {number}.")
    return found


# Draws, winners, claims


def draws_under_way() -> Sequence[str]:
    """Codes of promotions whose witness is asked, and whose winners are not on record yet."""
    return list(Promotion.objects.filter(status=Status.DRAWING).order_by("id").values_list("code", flat=True))


def draws_due(now: datetime) -> Sequence[str]:
    """Codes of promotions whose draw is due and needs nobody: no scrutineer, no winners to be called."""
    codes = []
    for promotion in Promotion.objects.filter(status=Status.SEALED, draw_at__lte=now).order_by("id"):
        version, terms = terms_in_force(promotion)
        overseen = steps.is_overseen(version.prizes.all())
        if not overseen and not terms.must_be_present and current_draw(promotion) is not None:
            codes.append(promotion.code)
    return codes


def staff_with(permission: str) -> QuerySet[Staff]:
    """People who may do this, each with an account that he signs in with himself."""
    here = Staff.objects.filter(is_active=True, signs_in=True, must_change_password=False)
    return here.filter(roles__grants__permission=permission).distinct().order_by("name")


def wins(*, promotion: str | None = None, status: str | None = None) -> QuerySet[Win]:
    found = Win.objects.select_related("promotion", "prize", "pick")
    if promotion is not None:
        found = found.filter(promotion__code=promotion)
    return found if status is None else found.filter(status=status)


def wins_with_attempts() -> QuerySet[Win]:
    """With how often somebody has tried to tell them."""
    return wins().annotate(attempts=Count("notifications"))


def wins_of(draw: Draw) -> Sequence[Win]:
    """In the order of the prizes; who lost one before who won it instead."""
    found = Win.objects.filter(pick__draw=draw).select_related("pick", "prize", "promotion")
    return list(found.order_by("pick__prize", "pick__place"))


def loss_cases(win: Win) -> Sequence[LossCase]:
    """What was said of this winner's loss, the latest first, with the names of those who said it."""
    found = list(LossCase.objects.filter(win=win).order_by("-id"))
    names = people.names(who for case in found for who in (case.noted_by, case.seconded_by, case.signed_by) if who)
    for case in found:
        case.people = [  # type: ignore[attr-defined]
            names[who] for who in (case.noted_by, case.seconded_by, case.signed_by) if who
        ]
    return found


def notifications(win: Win) -> QuerySet[Notification]:
    return Notification.objects.filter(win=win)


def person_of(win: Win) -> Person | None:
    """Whom to tell; None where nothing is known, or not any more."""
    return Person.objects.filter(entrant=win.pick.entry.entrant_id).first()


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won, as far as it is known."""

    identity: str | None
    name: str = ""
    address: str = ""
    telephone: str = ""
    email: str = ""


def winner_of(win: Win) -> Winner:
    identity, person = win.pick.entry.entrant.identity, person_of(win)
    if person is None:
        return Winner(identity)
    return Winner(identity, person.name, person.address, person.telephone, person.email)


def claims(*, promotion: str | None = None, status: str | None = None) -> QuerySet[Claim]:
    found = Claim.objects.select_related("promotion", "win")
    if promotion is not None:
        found = found.filter(promotion__code=promotion)
    return found if status is None else found.filter(status=status)


def claims_of(win: Win) -> Sequence[Claim]:
    """The latest first."""
    return list(Claim.objects.filter(win=win).order_by("-id"))


def payment_of(claim: Claim) -> Payment | None:
    return Payment.objects.filter(claim=claim).prefetch_related("parts").first()


# What waits for somebody


def wins_to_tell_before(moment: datetime) -> QuerySet[Win]:
    """Winners whom nobody has told yet, the first due first."""
    owed = Win.objects.filter(told_at=None, status="drawn", notify_by__lt=moment)
    return owed.select_related("promotion", "prize", "pick").order_by("notify_by", "id")


def claims_for(actor: Actor) -> QuerySet[Claim]:
    """The claims whose next step this person may take: decided by one, paid by another."""
    wanted = Claim.objects.none()
    if actor.may(DECIDE_CLAIM):
        wanted = wanted | Claim.objects.filter(status=ClaimStatus.MADE)
    if actor.may(PAY):
        accepted = Claim.objects.filter(status=ClaimStatus.ACCEPTED, win__status="claimed")
        wanted = wanted | accepted.exclude(decided_by=actor.identity)
    return wanted.select_related("promotion", "win").order_by("id")


def promotions_to_draw(now: datetime) -> QuerySet[Promotion]:
    """Whose draw is due and waits for a person."""
    return Promotion.objects.filter(status="sealed", draw_at__lte=now).order_by("draw_at")


def promotions_drawing() -> QuerySet[Promotion]:
    """Whose witness is asked and has not answered."""
    return Promotion.objects.filter(status=Status.DRAWING).order_by("draw_at")


def imports_for(actor: Actor) -> QuerySet[Import]:
    """Files whose list is not sealed until somebody else than who brought them in has looked: this person may."""
    waits = unconfirmed_imports().filter(finished_at__isnull=False, promotion__status__in=OPEN_IN[Step.WITHDRAW])
    own = Q(made_by=actor.identity, rejection_said_by=None) | Q(rejection_said_by=actor.identity)
    return waits.exclude(own).select_related("promotion").order_by("promotion__draw_at", "id")


def losses_for(actor: Actor) -> QuerySet[Win]:
    """Winners whose loss this person may second or, as the scrutineer, sign."""
    noted = LossCase.objects.filter(withdrawn_at=None, signed_at=None)
    wanted = noted.filter(seconded_at__isnull=False, win__pick__draw__scrutineer=actor.identity)
    if actor.may(LOSE):
        wanted = wanted | noted.filter(seconded_at=None).exclude(noted_by=actor.identity)
    found = Win.objects.filter(pk__in=wanted.values("win"))
    return found.select_related("promotion", "prize", "pick").order_by("id")


def wins_unclaimed(now: datetime) -> QuerySet[Win]:
    """Prizes that nobody claimed in time, and of which nobody has said so yet."""
    late = Win.objects.filter(status="drawn", claim_by__lt=now, promotion__status=Status.DRAWN)
    said = LossCase.objects.filter(withdrawn_at=None).values("win")
    open_claims = Claim.objects.filter(status=ClaimStatus.MADE, win__isnull=False).values("win")
    found = late.exclude(pk__in=said).exclude(pk__in=open_claims)
    return found.select_related("promotion", "prize", "pick").order_by("claim_by", "id")


def draws_scrutinised_by(identity: str) -> QuerySet[Draw]:
    """Draws that this person oversees and has not signed."""
    mine = Draw.objects.filter(scrutineer=identity, voided_at=None, signed_at=None)
    return mine.exclude(promotion__status="finished").select_related("promotion").order_by("id")
