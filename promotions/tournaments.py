"""Tournaments of any game; Keno, which scores its own, has its own. Approved conditions, entry fees, at most 10%
retained, the balance paid as prizes to the cent (act-cp:16, and the same rule of every other game of the order).

Conditions: {"name", "game", "entry_fee", "retained" (basis points), "prizes" (basis points of the balance, by
place), "play" (how it is played and scored; prevails over the rules of the game for its duration), "closes_at" (the
last moment to enter), "most_entries"?}. A score is points or chips, the more the better; scores are entered by one
person and the tournament is finished by another.

Acts: ``tournament.entered`` {"entry", "fee"}, ``tournament.scored`` {"scores"}, ``tournament.finished`` {"fees",
"retained", "places"}, ``tournament.cancelled`` {"why", "refunds"}.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from house import acts
from house.actors import Actor
from house.approvals import approvable
from house.gaming_days import gaming_day_at, open_gaming_day
from house.models import Proposal
from house.refusal import Conflict, Malformed, NotFound, Refusal
from house.rules import tournaments as rules
from house.times import for_people
from ledger.money import Money
from ledger.post import Booking, post, post_many
from promotions import accounts
from promotions.clock import database_time
from promotions.draw_permissions import DECIDE_TOURNAMENT, ENTER_TOURNAMENT, RUN_TOURNAMENT
from promotions.models import Tournament, TournamentConditions, TournamentEntry
from promotions.rules.editions import CASH, CHEQUE, TRANSFER
from promotions.rules.terms import instant, is_amount, is_instant

APPROVED_BY_RULE: Final = "act-cp:16.2"
SHARE_RULE: Final = "act-cp:16.4"
PREVAILS: Final = "act-cp:16.3"
PAID_BY: Final = {CASH: accounts.CAGE, CHEQUE: accounts.BANK, TRANSFER: accounts.BANK}
_CODE: Final = re.compile(r"[A-Z][A-Z0-9]{0,15}", re.ASCII)
_TEXTS: Final = {"name": 120, "game": 60, "play": 4_000}
_KEYS: Final = frozenset({*_TEXTS, "entry_fee", "retained", "prizes", "closes_at", "most_entries"})


@transaction.atomic
def enter_tournament(*, code: str, player: str, by: Actor, now: datetime | None = None) -> TournamentEntry:
    """Take an entry and its fee, in cash, until the conditions say that entries close."""
    by.require(ENTER_TOURNAMENT)
    now = now or database_time()
    day = open_gaming_day(now).date
    tournament = _open_tournament(code, now)
    terms = _terms(tournament)
    if not 0 < len(player.strip()) <= 120:
        raise Refusal("player-missing", "Say who enters, in up to 120 characters.", field="player")
    if tournament.scored_at is not None or now > instant(terms["closes_at"]):
        raise Conflict(
            "tournament-begun",
            f"Entries closed {for_people(instant(terms['closes_at']))}.",
            clause=APPROVED_BY_RULE,
        )
    most = terms.get("most_entries")
    if most is not None and tournament.entries.count() >= most:
        raise Conflict("tournament-full", f"All {most} places are taken.", clause=APPROVED_BY_RULE)
    entry = TournamentEntry.objects.create(
        tournament=tournament,
        player=player.strip(),
        fee=Money.parse(terms["entry_fee"]),
        entered_at=now,
        day=day,
        entered_by=by.identity,
    )
    booking = Booking(
        debit=accounts.CAGE,
        credit=accounts.TOURNAMENTS,
        amount=entry.fee,
        kind="promotions.tournament-entry",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=day, at=now)
    _note("entered", tournament, by, {"entry": entry.pk, "fee": str(entry.fee)})
    return entry


@transaction.atomic
def score_tournament(
    *, code: str, scores: Mapping[int, int], by: Actor, now: datetime | None = None
) -> list[TournamentEntry]:
    """Write down the score of every entry; again, as long as it is not finished."""
    by.require(RUN_TOURNAMENT)
    tournament = _lock(code)
    _refuse_over(tournament)
    now = now or database_time()
    closes = instant(_terms(tournament)["closes_at"])
    if now <= closes:
        raise Conflict("tournament-open", f"Entries are taken until {for_people(closes)}.", clause=APPROVED_BY_RULE)
    entries = list(tournament.entries.select_for_update().order_by("id"))
    if set(scores) != {entry.pk for entry in entries}:
        raise Refusal("scores-incomplete", "Write the score of every entry, and of no other.", field="scores")
    for entry in entries:
        entry.score = scores[entry.pk]
        entry.save(update_fields=["score"])
    tournament.scored_at, tournament.scored_by = now, by.identity
    tournament.save(update_fields=["scored_at", "scored_by"])
    _note("scored", tournament, by, {"scores": {str(entry.pk): entry.score for entry in entries}})
    return entries


@transaction.atomic
def finish_tournament(*, code: str, by: Actor, now: datetime | None = None) -> list[TournamentEntry]:
    """Rank the entries, by another person than the one who scored them: the balance of the fees becomes prizes."""
    by.require(RUN_TOURNAMENT)
    tournament = _lock(code)
    _refuse_over(tournament)
    if tournament.scored_at is None:
        raise Conflict("not-scored", "The scores have not been written down yet.", clause=APPROVED_BY_RULE)
    if tournament.scored_by == by.identity:
        raise Conflict("same-person", "Who wrote down the scores does not finish the tournament.")
    now = now or database_time()
    terms = _terms(tournament)
    entries = list(tournament.entries.select_for_update())
    ranked = sorted(entries, key=lambda entry: (-_points(entry), entry.pk))
    fees = Money.total(entry.fee for entry in ranked)
    retained = rules.retained_of(fees, terms["retained"])
    placed = rules.share([_points(entry) for entry in ranked], fees - retained, terms["prizes"])
    for entry, each in zip(ranked, placed, strict=True):
        entry.place, entry.prize = each.place, each.prize
        entry.save(update_fields=["place", "prize"])
    tournament.finished_at, tournament.finished_by = now, by.identity
    tournament.fees, tournament.retained = fees, retained
    tournament.save(update_fields=["finished_at", "finished_by", "fees", "retained"])
    if retained:
        booking = Booking(
            debit=accounts.TOURNAMENTS,
            credit=accounts.TOURNAMENT_FEES,
            amount=retained,
            kind="promotions.tournament-retained",
            reference=code,
        )
        post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    places = [
        {"entry": entry.pk, "score": entry.score, "place": entry.place, "prize": str(entry.prize)} for entry in ranked
    ]
    _note("finished", tournament, by, {"fees": str(fees), "retained": str(retained), "places": places})
    return ranked


@transaction.atomic
def pay_tournament_prize(
    *, entry_id: int, by: Actor, method: str = CASH, now: datetime | None = None
) -> TournamentEntry:
    """Pay an entry's prize, once."""
    by.require(RUN_TOURNAMENT)
    now = now or database_time()
    seen = TournamentEntry.objects.filter(pk=entry_id).select_related("tournament").first()
    if seen is None:
        raise NotFound("no-such-entry", f"There is no tournament entry {entry_id}.")
    _lock(seen.tournament.code)
    entry = TournamentEntry.objects.select_for_update().get(pk=entry_id)
    if entry.paid_at is not None:
        raise Conflict("already-paid", "This prize has been paid.")
    if not entry.prize:
        raise Conflict("nothing-to-pay", "This entry has won nothing.", clause=SHARE_RULE)
    if method not in PAID_BY:
        raise Refusal("method-unknown", f"A prize is paid by {' or '.join(PAID_BY)}.", field="method")
    entry.paid_at, entry.paid_by, entry.paid_how = now, by.identity, method
    entry.save(update_fields=["paid_at", "paid_by", "paid_how"])
    booking = Booking(
        debit=accounts.TOURNAMENTS,
        credit=PAID_BY[method],
        amount=entry.prize,
        kind="promotions.tournament-prize",
        reference=str(entry.pk),
    )
    post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    return entry


@transaction.atomic
def cancel_tournament(*, code: str, why: str, by: Actor, now: datetime | None = None) -> Tournament:
    """Give it up before it is finished: every fee goes back, all of it."""
    by.require(RUN_TOURNAMENT)
    tournament = _lock(code)
    _refuse_over(tournament)
    if not why.strip():
        raise Refusal("reason-missing", "Say why: it stays on record.", field="why")
    now = now or database_time()
    entries = list(tournament.entries.select_for_update().order_by("id"))
    tournament.cancelled_at, tournament.cancelled_by, tournament.cancel_reason = now, by.identity, why.strip()
    tournament.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
    for entry in entries:
        entry.refunded_at, entry.refunded_by = now, by.identity
        entry.save(update_fields=["refunded_at", "refunded_by"])
    bookings = [
        Booking(
            debit=accounts.TOURNAMENTS,
            credit=accounts.CAGE,
            amount=entry.fee,
            kind="promotions.tournament-refund",
            reference=str(entry.pk),
        )
        for entry in entries
    ]
    post_many(bookings=bookings, by=by, day=gaming_day_at(now).date, at=now)
    refunds = Money.total(entry.fee for entry in entries)
    _note("cancelled", tournament, by, {"why": tournament.cancel_reason, "refunds": str(refunds)})
    return tournament


def conditions_in_force(code: str) -> TournamentConditions | None:
    latest = TournamentConditions.objects.filter(code=code).order_by("-id").first()
    return latest if latest is not None and latest.value is not None else None


def _open_tournament(code: str, now: datetime) -> Tournament:
    """The tournament, its row locked; the first entry opens it under the conditions in force."""
    conditions = conditions_in_force(code)
    if conditions is None:
        raise Refusal(
            "tournament-not-approved",
            f"There is no approved tournament “{code}”.",
            clause=APPROVED_BY_RULE,
            field="code",
        )
    Tournament.objects.get_or_create(code=code, defaults={"conditions": conditions, "opened_at": now})
    tournament = _lock(code)
    _refuse_over(tournament)
    return tournament


def _lock(code: str) -> Tournament:
    tournament = Tournament.objects.select_for_update().filter(code=code).first()
    if tournament is None:
        raise NotFound("no-such-tournament", f"Nobody has entered a tournament “{code}”.")
    return tournament


def _terms(tournament: Tournament) -> dict[str, Any]:
    assert tournament.conditions.value is not None
    terms: dict[str, Any] = tournament.conditions.value
    return terms


def _refuse_over(tournament: Tournament) -> None:
    if tournament.finished_at is not None or tournament.cancelled_at is not None:
        how = "finished" if tournament.finished_at is not None else "cancelled"
        raise Conflict("tournament-over", f"The tournament “{tournament.code}” is {how}.")


def _points(entry: TournamentEntry) -> int:
    assert entry.score is not None
    return entry.score


def _note(what: str, tournament: Tournament, by: Actor, data: dict[str, Any]) -> None:
    acts.record(kind=f"tournament.{what}", subject=tournament.subject, by=by, data=data)


# Approved conditions (act-cp:16.2)


def _code_of(subject: str) -> str:
    prefix, _, code = subject.partition(":")
    if prefix != "tournament" or _CODE.fullmatch(code) is None:
        raise NotFound(
            "no-such-subject",
            "Write the subject like tournament:SPRING, up to 16 capitals and digits.",
            field="subject",
        )
    return code


def _check(subject: str, new: Any) -> None:
    code = _code_of(subject)
    if Tournament.objects.filter(code=code).exists():
        raise Conflict("tournament-entered", "Somebody has entered under these conditions: they stand.", field="new")
    if new is None:
        if conditions_in_force(code) is None:
            raise Refusal("nothing-changes", "There is nothing in force to withdraw.", field="new")
        return
    if not isinstance(new, dict):
        raise _unreadable("Write an object.")
    if strange := sorted(set(new) - _KEYS):
        raise _unreadable(f"There is no “{strange[0]}” here.")
    for key, most in _TEXTS.items():
        if not isinstance(new.get(key), str) or not 0 < len(new[key].strip()) <= most:
            raise _unreadable(f"“{key}” is a text of up to {most} characters.")
    if not is_amount(new.get("entry_fee")):
        raise _unreadable("“entry_fee” is an amount like 50.00.")
    if not is_instant(new.get("closes_at")):
        raise _unreadable("“closes_at” is a time with its offset, like 2026-12-24T20:00:00+11:00.")
    most_entries = new.get("most_entries", 1)
    if type(most_entries) is not int or most_entries < 1:
        raise _unreadable("“most_entries” is a whole number from 1.")
    _check_money(new)


def _check_money(new: dict[str, Any]) -> None:
    retained, prizes = new.get("retained"), new.get("prizes")
    if type(retained) is not int or not isinstance(prizes, list) or not all(type(each) is int for each in prizes):
        raise _unreadable("“retained” is in basis points, “prizes” a list of them by place.")
    match rules.conditions_fault(retained=retained, prizes=prizes):
        case "retained-too-much":
            words = "At most 10% of the entry fees is retained."
            raise Refusal("retained-too-much", words, clause=SHARE_RULE, field="new")
        case "prizes-not-whole":
            words = "The prizes by place add up to the whole balance: 10000 basis points."
            raise Refusal("prizes-not-whole", words, clause=SHARE_RULE, field="new")


def _unreadable(words: str) -> Malformed:
    return Malformed("value-not-readable", words, field="new")


def _apply(proposal: Proposal, by: Actor) -> None:
    TournamentConditions.objects.create(
        code=_code_of(proposal.subject),
        value=proposal.new,
        approved_at=database_time(),
        approved_by=by.identity,
        proposal=proposal.pk,
    )


def _describe(subject: str, old: Any, new: Any) -> str:
    code = subject.partition(":")[2]
    if new is None:
        return f"Tournament {code} is withdrawn."
    return (
        f"Tournament {code}, “{new['name']}” of {new['game']}: ${new['entry_fee']} to enter, "
        f"{new['retained'] / 100:g}% retained, {len(new['prizes'])} prizes."
    )


def _current(subject: str) -> Any:
    conditions = conditions_in_force(_code_of(subject))
    return None if conditions is None else conditions.value


KIND = approvable(
    kind="promotions.tournament",
    label="Tournament",
    permission=DECIDE_TOURNAMENT,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
