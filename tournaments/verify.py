"""Tournaments' part of the offline check of an export, of every game: fees, places, prizes, refunds. Pure.

A tournament is played under the conditions that an inspector had approved when its first entry came. Each entry paid
the fee, and each rebuy its price, as often and as long as they say; no player is in more often than they allow. Of all
of it at most a tenth is retained; the rest is shared by the approved places, ties to the cent; each prize is paid once,
or what was paid goes back, as one said and another did it. A tournament that is called off one proposed and another
decided, and a third hands the fees back. Seats are those that house and witness drew of the sealed entries. Scores that
a person wrote down another wrote down alike; above the limit one authorised a payment and another paid. Who is in a
final follows from the heats; its ranking has the prizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from chance import two_party
from draws.record import KINDS as OF_DRAWS
from draws.record import DrawsOnRecord
from house.approvals_on_record import ApprovalsOnRecord
from kernel.export_check import NOTHING_WANTED, ActOnRecord, Doubt, Figure, RoomCheck, TransferOnRecord, Wanted
from kernel.merkle import root_of
from kernel.money import Money
from tournaments import acts as of_tournaments
from tournaments.on_record import (
    AUTHORISED_ABOVE,
    CALLED_OFF,
    ENTRY,
    PRIZE,
    REBUY,
    REFUND,
    RETAINED,
    ROOMS,
    Room,
    TournamentOnRecord,
)
from tournaments.rules.final import BY_LOT, FINAL, TIES, by_order, qualifiers, tied
from tournaments.rules.money import RETAINED_BASIS_POINTS_LIMIT, retained_of, share
from tournaments.rules.seats import ASSIGNED, LOT, PURPOSE, by_lot, lot_leaf, lot_name, seats_fault

_BY_NAME: Final = {room.of: room for room in ROOMS}
_BY_TRANSFER: Final = {
    f"{room.transfers}-{what}": (room, what) for room in ROOMS for what in (ENTRY, REBUY, PRIZE, RETAINED, REFUND)
}


class Check(RoomCheck):
    """*approvals*: what the house's check has read so far."""

    name = "Tournaments"
    acts = frozenset(
        act.kind
        for act in (
            of_tournaments.TournamentEntered,
            of_tournaments.TournamentRebought,
            of_tournaments.TournamentSeated,
            of_tournaments.TournamentScored,
            of_tournaments.TournamentScoresConfirmed,
            of_tournaments.TournamentQualified,
            of_tournaments.TournamentFinished,
            of_tournaments.TournamentCalledOff,
            of_tournaments.TournamentRefundAuthorised,
            of_tournaments.TournamentRefundSeconded,
            of_tournaments.TournamentRefunded,
            of_tournaments.TournamentPaymentAuthorised,
        )
    )
    acts |= OF_DRAWS
    transfers = frozenset(_BY_TRANSFER)

    def __init__(self, wanted: Wanted = NOTHING_WANTED, *, approvals: ApprovalsOnRecord) -> None:
        super().__init__(wanted)
        self.approvals = approvals
        self.tournaments: dict[tuple[str | None, str], TournamentOnRecord] = {}
        self.entries: dict[int, TournamentOnRecord] = {}
        self.booked: dict[tuple[str, str], TransferOnRecord] = {}  # and not yet said by an act
        self.paid = 0
        self.lots = DrawsOnRecord(PURPOSE)

    def act(self, row: ActOnRecord) -> None:
        if row.kind in OF_DRAWS:
            self.lots.take(row.act)
            return
        match row.act:
            case of_tournaments.TournamentEntered() as act:
                self._entered(act, row)
            case of_tournaments.TournamentRebought() as act:
                self._rebought(self._running(act), act, row)
            case of_tournaments.TournamentSeated() as act:
                self._seated(self._running(act), act)
            case of_tournaments.TournamentScored() as act:
                _scored(self._running(act), act, row)
            case of_tournaments.TournamentScoresConfirmed() as act:
                self._confirmed(self._running(act), act, row)
            case of_tournaments.TournamentQualified() as act:
                self._qualified(self._running(act), act)
            case of_tournaments.TournamentFinished() as act:
                self._finished(self._running(act), act, row)
            case _:
                self._paid_or_given_back(row)

    def _paid_or_given_back(self, row: ActOnRecord) -> None:
        match row.act:
            case of_tournaments.TournamentCalledOff() as act:
                self._called_off(self._running(act), act, row)
            case of_tournaments.TournamentRefundAuthorised() as act:
                found = self._running(act)
                if found.fees.get(act.entry) != act.amount or act.entry in found.refunds:
                    raise Doubt(f"{found.name}: no fee of {act.amount.said} can go back to entry {act.entry}.")
                found.refunds[act.entry] = row.actor
            case of_tournaments.TournamentRefundSeconded() as act:
                found = self._running(act)
                if not self.approvals.people.are_others(row.actor, found.refunds.get(act.entry, row.actor)):
                    raise Doubt(f"{found.name}: the refund of entry {act.entry} is seconded by no second person.")
                found.seconded.add(act.entry)
            case of_tournaments.TournamentRefunded() as act:
                self._refunded(self._of(act), act, row)
            case of_tournaments.TournamentPaymentAuthorised() as act:
                found = self._of(act)
                if found.prizes.get(act.entry) != act.amount or act.entry in found.authorised:
                    raise Doubt(f"{found.name}: the payment of {act.amount.said} to entry {act.entry} is not owed.")
                found.authorised[act.entry] = row.actor

    def _of(self, act: of_tournaments._OfTournament) -> TournamentOnRecord:
        found = self.tournaments.get((act.of, act.tournament))
        if found is None:
            raise Doubt(f"there is word of a tournament {act.tournament} that nobody has entered.")
        return found

    def _running(self, act: of_tournaments._OfTournament) -> TournamentOnRecord:
        found = self._of(act)
        if found.over:
            raise Doubt(f"{found.name} is {found.over}, and yet something is done with it.")
        return found

    def _entered(self, act: of_tournaments.TournamentEntered, row: ActOnRecord) -> None:
        room = _BY_NAME.get(act.of)
        if room is None:
            raise Doubt(f"no room holds the tournament {act.tournament} of {act.of}.")
        key = (act.of, act.tournament)
        if key not in self.tournaments:
            terms = self.approvals.values.get((room.conditions, act.tournament))
            if not isinstance(terms, dict) or not 0 <= terms["retained"] <= RETAINED_BASIS_POINTS_LIMIT:
                raise Doubt(f"tournament {act.tournament} is entered under conditions that nobody has approved.")
            self.tournaments[key] = TournamentOnRecord(act.tournament, room, terms)
        found = self._running(act)
        most = found.terms.get("most_entries")
        if act.entry in self.entries or found.heats.scored_by or (most is not None and len(found.fees) >= most):
            raise Doubt(f"{found.name}: entry {act.entry} is one too many, or comes too late.")
        if act.fee != Money.parse(found.terms["entry_fee"]):
            raise Doubt(
                f"{found.name}: entry {act.entry} pays {act.fee.said}, and the fee is "
                f"{Money.parse(found.terms['entry_fee']).said}."
            )
        if sum(whose == act.whose for whose in found.whose.values()) >= found.terms.get("entries_a_player", 1):
            raise Doubt(f"{found.name}: player {act.whose} is in with entry {act.entry} once too often.")
        self._take(found, ENTRY, str(act.entry), act.fee)
        found.fees[act.entry], found.whose[act.entry] = act.fee, act.whose
        self.entries[act.entry] = found
        self.figures.append(Figure(row.day, "Entry fees", act.fee.micros))

    def _rebought(self, found: TournamentOnRecord, act: of_tournaments.TournamentRebought, row: ActOnRecord) -> None:
        allowed, taken = found.terms.get("rebuys"), found.rebuys.get(act.entry, 0)
        if allowed is None or act.entry not in found.fees or found.heats.scored_by:
            raise Doubt(f"{found.name}: entry {act.entry} buys in again, and may not.")
        if act.number != taken + 1 or act.number > allowed["most"] or act.price != Money.parse(allowed["price"]):
            raise Doubt(f"{found.name}: rebuy {act.number} of entry {act.entry} is not as the conditions say.")
        if datetime.fromisoformat(row.at) > datetime.fromisoformat(allowed["until"]):
            raise Doubt(f"{found.name}: entry {act.entry} buys in after {allowed['until']}.")
        self._take(found, REBUY, f"{act.entry}/{act.number}", act.price)
        found.rebuys[act.entry] = act.number
        found.fees[act.entry] = Money.total([found.fees[act.entry], act.price])
        self.figures.append(Figure(row.day, "Entry fees", act.price.micros))

    def _seated(self, found: TournamentOnRecord, act: of_tournaments.TournamentSeated) -> None:
        """As the two parties drew it of the sealed entries, or as assigned where the conditions say so."""
        held, seating, entries = found.round(act.round), found.seating(act.round), found.in_round(act.round)
        how = ASSIGNED if found.terms.get("seats_assigned") else LOT
        if held.seated or seating is None or act.how != how:
            raise Doubt(f"{found.name}: the entries are seated again, otherwise than by the conditions, or nowhere.")
        seats = [(each.entry, each.heat, each.table, each.seat) for each in act.seats]
        if fault := seats_fault(seats, entries=entries, seating=seating):
            raise Doubt(f"{found.name}: the seating is not possible ({fault}).")
        if how == LOT:
            drawn = by_lot(entries, self._drawn(found, act.round, entries), seating=seating)
            if sorted(seats) != sorted((entry, *place) for entry, place in drawn):
                raise Doubt(f"{found.name}: its seats are not those that the two parties drew.")
        held.seated = True
        if act.round is None:
            found.heat_of = {each.entry: each.heat for each in act.seats}

    def _drawn(self, found: TournamentOnRecord, what: str | None, entries: list[int]) -> Sequence[int]:
        """The order of these entries, as the two parties drew it."""
        name = lot_name(found.room.of, found.code, what)
        sealed, promised = self.lots.occasion(name), self.lots.promise(name)
        root = root_of(lot_leaf(entry, found.whose[entry]) for entry in entries)
        if (sealed.root, sealed.count) != (root, len(entries)) or len(sealed.attempts) != 1 or promised.master is None:
            raise Doubt(f"{found.name}: a lot was drawn of other entries, more than once, or from an unknown master.")
        return two_party.numbers(promised.master, self.lots.said(name, 1), pool=len(entries), count=len(entries))

    def _qualified(self, found: TournamentOnRecord, act: of_tournaments.TournamentQualified) -> None:
        """Who is in the final follows from the scores of the heats, and from what decided the ties."""
        final = found.final
        if final is None or found.into is not None or not found.heats.confirmed:
            raise Doubt(f"{found.name}: a final is filled again, without the conditions, or before the heats stand.")
        concerned, decided = tied(found.results, final), {}
        if concerned and final.ties == BY_LOT:
            decided = by_order(concerned, self._drawn(found, TIES, concerned))
        elif concerned and found.round(TIES).confirmed:
            decided = found.round(TIES).scores
        if list(act.tied) != concerned or tied(found.results, final, decided):
            raise Doubt(f"{found.name}: entries tie for the last place of the final, and nothing decided between them.")
        found.into = qualifiers(found.results, final, decided)
        if list(act.entries) != found.into:
            raise Doubt(f"{found.name}: those in the final are not those whom the heats and the conditions put there.")

    def answers_used(self) -> list[tuple[str, str, int]]:
        return self.lots.answers_used()

    def _confirmed(
        self, found: TournamentOnRecord, act: of_tournaments.TournamentScoresConfirmed, row: ActOnRecord
    ) -> None:
        held = found.round(act.round)
        if held.confirmed or dict(act.scores) != held.scores:
            raise Doubt(f"{found.name}: scores are confirmed that are not those written down.")
        if not self.approvals.people.are_others(row.actor, held.scored_by):
            raise Doubt(f"{found.name}: {row.actor} confirms the scores that he wrote down.")
        held.confirmed = True

    def _finished(self, found: TournamentOnRecord, act: of_tournaments.TournamentFinished, row: ActOnRecord) -> None:
        held = found.round(None if found.final is None else FINAL)
        if not held.scored_by:
            raise Doubt(f"{found.name} is finished, and nobody has written its scores down.")
        if not found.room.scored_by_draws and not held.confirmed:
            raise Doubt(f"{found.name} is finished on scores that one person wrote down.")
        points = found.points()
        fees = Money.total(found.fees.values())
        retained = retained_of(fees, found.terms["retained"])
        if (act.fees, act.retained) != (fees, retained):
            raise Doubt(
                f"{found.name}: of {fees.said} in fees {retained.said} is retained, not {act.retained.said} of "
                f"{act.fees.said}."
            )
        ranked = sorted(points, key=lambda entry: (-points[entry], entry))
        placed = share([points[entry] for entry in ranked], fees - retained, found.terms["prizes"])
        due = [(entry, each.place, each.prize) for entry, each in zip(ranked, placed, strict=True)]
        if [(place.entry, place.place, place.prize) for place in act.places] != due:
            raise Doubt(f"{found.name}: places and prizes are not those of the scores and the approved conditions.")
        if any(_points(place.score) != points[place.entry] for place in act.places):
            raise Doubt(f"{found.name}: a score is told otherwise than it was written down.")
        if retained:
            self._take(found, RETAINED, found.code, retained)
        found.prizes = {entry: prize for entry, _, prize in due if prize}
        found.over = "finished"

    def _called_off(self, found: TournamentOnRecord, act: of_tournaments.TournamentCalledOff, row: ActOnRecord) -> None:
        """As one person proposed and another decided just now."""
        by_two = self.approvals.numbered(act.proposal)
        if by_two is None or by_two not in self.approvals.under_way(found.room.call_off, act.subject):
            raise Doubt(f"{found.name} is called off by {row.actor} alone: nobody had proposed it and another decided.")
        if by_two.decided_by != row.actor:
            raise Doubt(f"{found.name} is called off by {row.actor}, and {by_two.decided_by} decided it.")
        if act.owed != Money.total(found.fees.values()) or found.heats.confirmed:
            raise Doubt(f"{found.name} is called off, and what is owed is not every fee that was paid.")
        found.over, found.called_off_by = CALLED_OFF, (by_two.by, by_two.decided_by)

    def _refunded(self, found: TournamentOnRecord, act: of_tournaments.TournamentRefunded, row: ActOnRecord) -> None:
        """One says that a fee goes back, another hands it over; it is in no ranking and no prize from then on."""
        if found.over not in ("", CALLED_OFF) or found.fees.get(act.entry) != act.amount:
            raise Doubt(f"{found.name}: {act.amount.said} goes back to entry {act.entry}, which is not owed it.")
        said = found.called_off_by or (found.refunds.get(act.entry, ""),)
        if not all(said) or not self.approvals.people.are_others(row.actor, *said):
            raise Doubt(f"{found.name}: the fee of entry {act.entry} goes back, and nobody else has said so.")
        on_the_floor = row.actor.startswith("device:") and not found.called_off_by
        if on_the_floor and act.entry not in found.seconded:
            raise Doubt(f"{found.name}: the fee of entry {act.entry} goes back at a device, by the word of one person.")
        self._take(found, REFUND, str(act.entry), act.amount)
        del found.fees[act.entry], found.whose[act.entry]

    # Money

    def transfer(self, row: TransferOnRecord) -> None:
        room, what = _BY_TRANSFER.get(row.kind, (None, ""))
        if room is None or row.reverses is not None:
            raise Doubt(f"{row.kind} {row.reference} takes back what is never taken back.")
        right = {
            ENTRY: row.credit == room.fees,
            REBUY: row.credit == room.fees,
            RETAINED: (row.debit, row.credit) == (room.fees, room.retained),
            PRIZE: row.debit == room.fees,
            REFUND: row.debit == room.fees,
        }[what]
        if not right:
            raise Doubt(f"{row.kind} {row.reference} is booked through accounts that are not its own.")
        if what == PRIZE:
            self._paid(row)
        else:
            self.booked[row.kind, row.reference] = row

    def _take(self, found: TournamentOnRecord, what: str, reference: str, amount: Money) -> TransferOnRecord:
        row = self.booked.pop((f"{found.room.transfers}-{what}", reference), None)
        if row is None or row.micros != amount.micros:
            raise Doubt(f"{found.name}: {amount.said} should be booked as {what} ({reference}), and is not.")
        return row

    def _paid(self, row: TransferOnRecord) -> None:
        entry = int(row.reference) if row.reference.isdecimal() else 0
        found = self.entries.get(entry)
        prize = None if found is None else found.prizes.pop(entry, None)
        if found is None or prize is None:
            raise Doubt(f"a prize is paid to tournament entry {row.reference}, which won none, or was paid.")
        if prize.micros != row.micros:
            raise Doubt(f"{found.name}: entry {entry} won {prize.said} and is paid {Money(row.micros).said}.")
        if prize > self._limit(found.room):
            authorised_by = found.authorised.get(entry, "")
            if not authorised_by or not self.approvals.people.are_others(row.actor, authorised_by):
                raise Doubt(f"{found.name}: {prize.said} is paid to entry {entry}, and nobody else has authorised it.")
        self.paid += 1
        self.figures.append(Figure(row.day, "Prizes paid", row.micros))

    def _limit(self, room: Room) -> Money:
        value = self.approvals.values.get(room.authorised_above)
        return Money.parse(value) if isinstance(value, str) else AUTHORISED_ABOVE

    def balances(self, held: Mapping[str, int]) -> None:
        """What is held for the players: every fee of those that run, every prize that is not paid."""
        for room in ROOMS:
            due = sum(_held(found) for found in self.tournaments.values() if found.room is room)
            stands = held.get(room.fees, 0) - self.approvals.adjusted.get(room.fees, 0)
            if stands != due:
                raise Doubt(f"{room.fees} should hold {Money(due).said}, and holds {Money(stands).said}.")

    def end(self, *, attached: bool) -> list[str]:
        if self.booked:
            kind, reference = min(self.booked)
            raise Doubt(f"{kind} {reference} is booked, and nothing in the log says why.")
        self.attention += self.lots.remarks()
        if not self.tournaments:
            return []
        over = sum(found.over == "finished" for found in self.tournaments.values())
        return [
            f"Tournaments: {len(self.tournaments):,} under approved conditions, {over:,} ranked again from their "
            f"scores, {self.paid:,} prizes paid as they were won."
        ]


def _scored(found: TournamentOnRecord, act: of_tournaments.TournamentScored, row: ActOnRecord) -> None:
    held = found.round(act.round)
    if sorted(act.scores) != found.in_round(act.round):
        raise Doubt(f"{found.name}: scores are written down of others than those who play.")
    if held.confirmed:
        raise Doubt(f"{found.name}: scores that stood are written down anew.")
    held.scores, held.scored_by = dict(act.scores), row.actor


def _held(found: TournamentOnRecord) -> int:
    if found.over == "finished":
        return Money.total(found.prizes.values()).micros
    return Money.total(found.fees.values()).micros if found.over in ("", CALLED_OFF) else 0


def _points(score: int | Money) -> int:
    return score.micros if isinstance(score, Money) else score
