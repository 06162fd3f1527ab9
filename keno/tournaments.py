"""Tournament play (15): approved conditions, entry fees, at most 10% retained, the balance paid as prizes.

Conditions: {"name", "entry_fee", "retained" (basis points), "prizes" (basis points of the balance, by place), "spots",
"stake", "schedule", "first_game", "last_game"}. An entry marks *spots* numbers and plays one way at *stake* in every
game of the window, by its schedule, whatever 3.1 says of stakes and 9 of caps: the conditions prevail, for these
entries only (15.3). The score is what they would have won. An invalidated game scores nothing.

Entries on the same score share the prizes of the places they take; places nobody takes are shared by those taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.gaming_days import gaming_day_at, open_gaming_day
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from house.rules import tournaments
from keno import accounts, approved
from keno.catalogue import check_code, fields, money, register, unreadable, wholes
from keno.lifecycle import OVER
from keno.models import Approved, Draw, Game, TournamentEntry
from keno.pay import THRESHOLD, identified
from keno.permissions import PAY, PAY_LARGE, SELL, TOURNAMENT
from keno.rules.schedules import Schedule, schedule_named
from keno.rules.selection import plain
from keno.shifts import hold_open_shift
from ledger.money import BASIS_POINTS, ZERO, Money
from ledger.post import Booking, post


@transaction.atomic
def enter_tournament(*, code: str, player: str, numbers: Sequence[int], by: Actor) -> TournamentEntry:
    """Take an entry and its fee, until the first game of the tournament closes."""
    by.require(SELL)
    now = timezone.now()
    day = open_gaming_day(now).date
    _hold(code)
    conditions = approved.in_force(approved.TOURNAMENT, code)
    if conditions is None or conditions.value is None:
        raise Refusal(
            "tournament-not-approved",
            f"There is no approved tournament “{code}”.",
            clause="act-keno:15.2",
            field="code",
        )
    terms = conditions.value
    if not player.strip():
        raise Refusal("player-missing", "Say who enters.", field="player")
    if len(numbers) != terms["spots"]:
        raise Refusal(
            "tournament-spots", f"Entries mark {terms['spots']} numbers.", clause="act-keno:15.3", field="numbers"
        )
    marked = plain(numbers, Money.parse(terms["stake"])).groups[0]
    begun = Game.objects.filter(number__gte=terms["first_game"]).exclude(status__in=["scheduled", "open"])
    if begun.exists():
        raise Conflict("tournament-begun", "The tournament has begun: no more entries.", clause="act-keno:15.2")
    shift = hold_open_shift(by)
    entry = TournamentEntry.objects.create(
        tournament=code,
        conditions=conditions,
        player=player.strip(),
        numbers=list(marked),
        fee=Money.parse(terms["entry_fee"]),
        entered_at=now,
        day=day,
        shift=shift,
        entered_by=by.identity,
    )
    booking = Booking(
        debit=shift.cash,
        credit=accounts.TOURNAMENTS,
        amount=entry.fee,
        kind="keno.tournament-entry",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=day, at=now)
    return entry


@transaction.atomic
def finish_tournament(*, code: str, by: Actor) -> list[TournamentEntry]:
    """Score and rank every entry once all its games are over; the balance of the fees becomes prizes, all of it."""
    by.require(TOURNAMENT)
    now = timezone.now()
    _hold(code)
    entries = list(TournamentEntry.objects.filter(tournament=code).order_by("id").select_related("conditions"))
    if not entries:
        raise NotFound("no-such-tournament", f"Nobody has entered a tournament “{code}”.")
    if entries[0].place is not None:
        raise Conflict("tournament-over", f"The tournament “{code}” is over.")
    terms = entries[0].conditions.value or {}
    draws = _draws(terms)
    schedule = schedule_named(terms["schedule"])
    for entry in entries:
        entry.score = score(entry.numbers, draws, schedule=schedule, stake=Money.parse(terms["stake"]))
    fees = Money.total(entry.fee for entry in entries)
    retained = tournaments.retained_of(fees, terms["retained"])
    ranked = sorted(entries, key=lambda entry: (-_points(entry), entry.pk))
    for entry, place, prize in share(ranked, fees - retained, terms["prizes"]):
        entry.place, entry.prize = place, prize
        entry.save(update_fields=["score", "place", "prize"])
    if retained:
        booking = Booking(
            debit=accounts.TOURNAMENTS,
            credit=accounts.TOURNAMENT_FEES,
            amount=retained,
            kind="keno.tournament-retained",
            reference=code,
        )
        post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    acts.record(
        kind="keno.tournament-finished",
        subject=f"keno-tournament:{code}",
        by=by,
        data={
            "fees": str(fees),
            "retained": str(retained),
            "places": [
                {"entry": entry.pk, "score": str(entry.score), "place": entry.place, "prize": str(entry.prize)}
                for entry in ranked
            ],
        },
    )
    return ranked


@transaction.atomic
def authorise_prize(*, entry_id: int, by: Actor) -> TournamentEntry:
    """A supervisor stands by the payment of a large prize; another person then pays it."""
    by.require(PAY_LARGE)
    entry = _lock_unpaid(entry_id)
    if entry.authorised_by is not None:
        raise Conflict("authorised-already", f"{entry.authorised_by} has authorised this payment.")
    entry.authorised_at, entry.authorised_by = timezone.now(), by.identity
    entry.save(update_fields=["authorised_at", "authorised_by"])
    acts.record(
        kind="keno.payment-authorised",
        subject=f"keno-tournament-entry:{entry.pk}",
        by=by,
        data={"amount": str(entry.prize)},
    )
    return entry


@transaction.atomic
def pay_tournament_prize(
    *, entry_id: int, by: Actor, cheque_number: str = "", identity: Mapping[str, Any] | None = None
) -> TournamentEntry:
    """Pay an entry's prize, once. $10,000 or more goes by cheque, to somebody who has shown who he is."""
    by.require(PAY)
    now = timezone.now()
    entry = _lock_unpaid(entry_id)
    assert entry.prize is not None
    _refuse_alone(entry, by)
    by_cheque = entry.prize >= THRESHOLD
    if by_cheque:
        entry.identity = identified(entry.prize, identity)
    if by_cheque != bool(cheque_number.strip()):
        raise Refusal(
            "cheque-number",
            f"A prize of ${THRESHOLD} or more is paid by cheque: write its number. Smaller ones are paid in cash.",
            field="cheque_number",
        )
    shift = hold_open_shift(by)
    entry.paid_at, entry.paid_by, entry.cheque_number = now, by.identity, cheque_number.strip()
    entry.save(update_fields=["paid_at", "paid_by", "cheque_number", "identity"])
    booking = Booking(
        debit=accounts.TOURNAMENTS,
        credit=accounts.BANK if by_cheque else shift.cash,
        amount=entry.prize,
        kind="keno.tournament-prize",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    return entry


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """Where a tournament stands and what its money comes to: fees = retained + prizes, to the cent (15.4)."""

    code: str
    conditions: Approved
    entries: int
    fees: Money
    retained: Money  # while it is played: what would be retained of the fees so far
    paid: Money
    state: str  # open, playing, played, finished

    @property
    def terms(self) -> dict[str, Any]:
        return self.conditions.value or {}

    @property
    def prizes(self) -> Money:
        return self.fees - self.retained


def find_tournament(code: str) -> TournamentStanding:
    """By the conditions that somebody entered under, or else by those in force."""
    entered = TournamentEntry.objects.filter(tournament=code).select_related("conditions").first()
    conditions = entered.conditions if entered else approved.in_force(approved.TOURNAMENT, code)
    if conditions is None:
        raise NotFound("no-such-tournament", f"There is no approved tournament “{code}”.")
    return standing_of(conditions)


def standing_of(conditions: Approved) -> TournamentStanding:
    terms, entries = conditions.value or {}, TournamentEntry.objects.filter(tournament=conditions.code)
    money = entries.aggregate(
        count=Count("id"),
        ranked=Count("place"),
        fees=Sum("fee"),
        prizes=Sum("prize"),
        paid=Sum("prize", filter=Q(paid_at__isnull=False)),
    )
    fees = money["fees"] or ZERO
    finished = bool(money["ranked"])
    return TournamentStanding(
        code=conditions.code,
        conditions=conditions,
        entries=money["count"],
        fees=fees,
        retained=fees - money["prizes"] if finished else tournaments.retained_of(fees, terms["retained"]),
        paid=money["paid"] or ZERO,
        state="finished" if finished else _playing(terms),
    )


def _playing(terms: dict[str, Any]) -> str:
    first, last = terms["first_game"], terms["last_game"]
    if not Game.objects.filter(number__gte=first).exclude(status__in=["scheduled", "open"]).exists():
        return "open"
    over = Game.objects.filter(number__gte=first, number__lte=last, status__in=OVER).count()
    return "played" if over == last - first + 1 else "playing"


def scores_so_far(entries: Sequence[TournamentEntry], terms: dict[str, Any]) -> list[Money]:
    """What each would score if the tournament ended with the games settled by now."""
    draws, schedule = _drawn(terms), schedule_named(terms["schedule"])
    return [score(entry.numbers, draws, schedule=schedule, stake=Money.parse(terms["stake"])) for entry in entries]


def _lock_unpaid(entry_id: int) -> TournamentEntry:
    entries = TournamentEntry.objects.select_for_update(of=("self",))
    entry = entries.filter(pk=entry_id).first() if entry_id < 2**63 else None
    if entry is None:
        raise NotFound("no-such-entry", f"There is no tournament entry {entry_id}.")
    if entry.paid_at is not None:
        raise Conflict("already-paid", "This prize has been paid.")
    if not entry.prize:
        raise Conflict("nothing-to-pay", "This entry has won nothing.", clause="act-keno:15.4")
    return entry


def _refuse_alone(entry: TournamentEntry, by: Actor) -> None:
    """Above the venue's limit one person authorises, and another pays: as with tickets."""
    assert entry.prize is not None
    limit = approved.amount(approved.SUPERVISED_ABOVE)
    if entry.authorised_by == by.identity:
        raise Forbidden("two-people-needed", "Who authorised the payment cannot make it: another person has to.")
    if entry.prize > limit and entry.authorised_by is None:
        raise Forbidden(
            "supervisor-needed",
            f"${entry.prize} is above ${limit}: a supervisor has to authorise this payment first.",
        )


def score(numbers: Sequence[int], draws: Sequence[frozenset[int]], *, schedule: Schedule, stake: Money) -> Money:
    """What the way would have won, without the caps of 9: these are points, not prizes."""
    table = schedule.table(len(numbers))
    assert table is not None  # checked when the conditions were approved
    figures = [table.prizes[sum(number in drawn for number in numbers)] for drawn in draws]
    return Money(sum(figure.micros for figure in figures) * stake.micros // Money.dollars(1).micros)


def share(
    ranked: Sequence[TournamentEntry], balance: Money, table: Sequence[int]
) -> list[tuple[TournamentEntry, int, Money]]:
    """(entry, place, prize): the whole balance, by the table, equal scores sharing the places they take (15.4)."""
    placed = tournaments.share([_points(entry) for entry in ranked], balance, table)
    return [(entry, each.place, each.prize) for entry, each in zip(ranked, placed, strict=True)]


def _points(entry: TournamentEntry) -> int:
    assert entry.score is not None
    return entry.score.micros


def _draws(terms: dict[str, Any]) -> list[frozenset[int]]:
    first, last = terms["first_game"], terms["last_game"]
    over = Game.objects.filter(number__gte=first, number__lte=last, status__in=OVER).count()
    if over != last - first + 1:
        raise Conflict("tournament-playing", f"Games {first} to {last} are not all over yet.", clause="act-keno:15.2")
    return _drawn(terms)


def _drawn(terms: dict[str, Any]) -> list[frozenset[int]]:
    first, last = terms["first_game"], terms["last_game"]
    drawn = Draw.objects.filter(game__number__gte=first, game__number__lte=last, game__status="settled", voided_at=None)
    return [frozenset(draw.numbers) for draw in drawn]


def _hold(code: str) -> None:
    """Entries and the end of one tournament, one at a time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"keno.tournament:{code}"])


def _check(code: str, new: Any) -> None:
    check_code(code)
    if TournamentEntry.objects.filter(tournament=code).exists():
        raise Conflict("tournament-entered", "Somebody has entered under these conditions: they stand.", field="new")
    terms = fields(
        new,
        {
            "name": str,
            "entry_fee": str,
            "retained": int,
            "prizes": list,
            "spots": int,
            "stake": str,
            "schedule": str,
            "first_game": int,
            "last_game": int,
        },
    )
    if not money(terms["entry_fee"], "entry_fee") > ZERO or not money(terms["stake"], "stake") > ZERO:
        raise unreadable("A tournament has an entry fee and a stake.")
    if not 0 <= terms["retained"] <= tournaments.MOST_RETAINED:
        raise Refusal(
            "retained-too-much", "At most 10% of the entry fees is retained.", clause="act-keno:15.4", field="new"
        )
    if sum(wholes(terms["prizes"], "prizes")) != BASIS_POINTS or min(terms["prizes"]) <= 0:
        raise Refusal(
            "prizes-not-whole",
            "The prizes by place add up to the whole balance: 10000 basis points.",
            clause="act-keno:15.4",
            field="new",
        )
    if not 1 <= terms["first_game"] <= terms["last_game"]:
        raise Refusal("window-impossible", "The games go from a first one to a last one.", field="new")
    schedule = schedule_named(terms["schedule"])  # special 3 may change meanwhile, and is not offered
    if schedule.table(terms["spots"]) is None:
        raise Refusal("spots-not-in-schedule", f"{schedule.code} has no prizes for that many numbers.", field="new")


CONDITIONS = register(
    approved.TOURNAMENT,
    label="Tournament",
    check=_check,
    describe=lambda code, new: (
        f"Tournament {code}, “{new['name']}”: ${new['entry_fee']} to enter, {new['retained'] / 100:g}% retained, "
        f"games {new['first_game']} to {new['last_game']}, {len(new['prizes'])} prizes."
    ),
)
