"""Winners, claims and payments of promotions, by log and books: owed once won, paid once, and to who won. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from house.people_on_record import PeopleOnRecord
from kernel.export_check import Doubt, TransferOnRecord
from kernel.money import Money
from kernel.refusal import Refusal
from promotions.acts import prizes as acts
from promotions.draw_on_record import DrawOnRecord
from promotions.rules.claims import ISSUED_KINDS, MONEY, Offer, Part, plan
from promotions.rules.editions import CASH, CHEQUE, DEPOSIT, ISSUED, TRANSFER, Edition
from promotions.rules.terms import PrizeTerms

PRIZE, LOST, PAID, EXCHANGED, ALTERNATIVE = (
    "promotions.prize",
    "promotions.prize-lost",
    "promotions.payment",
    "promotions.prize-exchanged",
    "promotions.alternative",
)
TRANSFERS: Final = frozenset({PRIZE, LOST, PAID, EXCHANGED, ALTERNATIVE})
_OWING: Final = "promotions:prizes-owing"
_PRIZES: Final = "promotions:prizes"
_TO: Final = {
    PRIZE: (_PRIZES, _OWING),
    ALTERNATIVE: (_PRIZES, _OWING),
    LOST: (_OWING, _PRIZES),
    EXCHANGED: (_OWING, _PRIZES),
}
_FROM: Final = {
    CASH: "promotions:cage",
    CHEQUE: "promotions:bank",
    TRANSFER: "promotions:bank",
    DEPOSIT: "promotions:player-accounts",
    ISSUED: "promotions:issued",
}
_BOOKED: Final = frozenset({MONEY, *ISSUED_KINDS})


@dataclass(slots=True)
class WinOnRecord:
    number: int
    draw: DrawOnRecord
    edition: Edition
    place: int
    entry: int
    prize: int
    terms: PrizeTerms
    value: Money
    state: str = "won"  # then paid, or lost

    @property
    def name(self) -> str:
        return f"prize {self.prize} of {self.draw.name} (win {self.number})"


@dataclass(slots=True)
class ClaimOnRecord:
    code: str
    value: Money
    win: int | None
    age: str | None = None  # by what it was known
    household: bool | None = None
    accepted_by: str = ""
    denied: bool = False


@dataclass(slots=True)
class WinsOnRecord:
    people: PeopleOnRecord
    wins: dict[int, WinOnRecord] = field(default_factory=dict)
    claims: dict[int, ClaimOnRecord] = field(default_factory=dict)
    # Booked, and not yet said by an act: by kind and reference.
    booked: dict[tuple[str, str], TransferOnRecord] = field(default_factory=dict)
    payments: set[int] = field(default_factory=set)
    paid_micros: int = 0

    def transfer(self, row: TransferOnRecord) -> None:
        if row.reverses is not None:
            raise Doubt(f"a booking of promotions ({row.kind} {row.reference}) is taken back, and nothing ever is.")
        if row.kind == PAID:
            method = row.reference.partition("/")[2]
            right = row.debit == _OWING and _FROM.get(method) == row.credit
        else:
            right = (row.debit, row.credit) == _TO[row.kind]
        if not right:
            raise Doubt(f"{row.kind} {row.reference} is booked through accounts that are not its own.")
        self.booked[row.kind, row.reference] = row

    def _take(self, kind: str, reference: str, amount: Money, what: str) -> None:
        row = self.booked.pop((kind, reference), None)
        if row is None or row.micros != amount.micros:
            booked = "nothing" if row is None else Money(row.micros).said
            raise Doubt(f"{what}: {amount.said} should be booked ({kind}), and {booked} is.")

    # Won and lost

    def won(self, act: acts.PrizesWon, draw: DrawOnRecord, edition: Edition) -> None:
        held = {each.place: each for each in draw.winners()}
        known = {win.place for win in self.of_draw(draw)}
        for each in act.won:
            outcome = held.get(each.place)
            if outcome is None or each.place in known or (outcome.entry, outcome.prize) != (each.entry, each.prize):
                raise Doubt(
                    f"{draw.name}: prize {each.prize} is written down for entry {each.entry}, which did not win."
                )
            terms = draw.prizes[each.prize - 1]
            if each.win in self.wins or each.value != terms.value:
                worth = terms.value.said
                raise Doubt(f"{draw.name}: prize {each.prize} is worth {worth}, or win {each.win} is doubled.")
            win = WinOnRecord(each.win, draw, edition, each.place, each.entry, each.prize, terms, each.value)
            self.wins[each.win] = win
            if terms.kind in _BOOKED:
                self._take(PRIZE, str(each.win), each.value, win.name)
        self.all_written(draw)

    def all_written(self, draw: DrawOnRecord) -> None:
        written = {win.place for win in self.of_draw(draw)}
        missing = [each for each in draw.winners() if each.place not in written]
        if missing:
            first = missing[0]
            raise Doubt(f"{draw.name}: entry {first.entry} won prize {first.prize}, and it is owed to nobody.")

    def of_draw(self, draw: DrawOnRecord) -> list[WinOnRecord]:
        return [win for win in self.wins.values() if win.draw is draw]

    def lost(self, draw: DrawOnRecord, place: int) -> None:
        win = next((each for each in self.of_draw(draw) if each.place == place), None)
        if win is None or win.state != "won":
            raise Doubt(f"{draw.name}: what was won at place {place} is lost, and was paid, or is lost already.")
        win.state = "lost"
        if win.terms.kind in _BOOKED:
            self._take(LOST, str(win.number), win.value, win.name)

    def voided(self, draw: DrawOnRecord) -> None:
        for win in self.of_draw(draw):
            if win.state == "paid":
                raise Doubt(f"{draw.name} is declared void, and {win.name} was paid.")
            if win.state == "won":
                self.lost(draw, win.place)

    # Claims

    def held(self, number: int | None, what: str) -> WinOnRecord:
        win = self.wins.get(number) if number is not None else None
        if win is None or win.state != "won":
            raise Doubt(f"{what}, and nobody holds that prize (win {number}).")
        win.draw.must_be_published(what)
        return win

    def claim(self, act: acts.ClaimMade) -> None:
        if act.claim in self.claims:
            raise Doubt(f"claim {act.claim} is made twice.")
        if act.win is not None:
            win = self.held(act.win, f"claim {act.claim} is made")
            if win.draw.code != act.promotion or win.value != act.value:
                raise Doubt(f"claim {act.claim} is for another prize than {win.name}, worth {win.value.said}.")
            if win.draw.terms is not None and win.draw.terms.must_be_present and win.place not in win.draw.present:
                raise Doubt(f"claim {act.claim} is for {win.name}, whose winner never came forward when called.")
        self.claims[act.claim] = ClaimOnRecord(act.promotion, act.value, act.win, act.age, act.household)

    def decide(self, act: acts.ClaimAccepted | acts.ClaimDenied, *, by: str) -> None:
        claim = self.claims.get(act.claim)
        if claim is None or claim.code != act.promotion or claim.accepted_by or claim.denied:
            raise Doubt(f"claim {act.claim} is decided twice, or nobody made it.")
        if isinstance(act, acts.ClaimDenied):
            if act.value != claim.value:
                raise Doubt(f"claim {act.claim} is denied as one of another value.")
            claim.denied = True
            return
        win = self.held(claim.win, f"claim {act.claim} is accepted")
        if win.place in win.draw.cases:
            raise Doubt(f"claim {act.claim} is accepted, and it is said that {win.name} is lost.")
        terms = win.draw.terms
        assert terms is not None
        if terms.minimum_age is not None and claim.age is None:
            raise Doubt(f"claim {act.claim} is accepted, and nobody saw how old its claimant is, as the terms ask.")
        if (terms.households_excluded and claim.household is None) or (
            claim.household and terms.households_excluded is not False
        ):
            raise Doubt(f"claim {act.claim} is accepted, of an employee's household or unasked, against the terms.")
        claim.accepted_by = by

    # Payments

    def pay(self, act: acts.PrizePaid, *, by: str) -> None:
        win = self.held(act.win, "a prize is paid")
        claim = self.claims.get(act.claim) if act.claim is not None else None
        if claim is None or claim.win != win.number or not claim.accepted_by:
            raise Doubt(f"{win.name} is paid, and no claim for it was accepted.")
        if not self.people.are_others(by, claim.accepted_by):
            raise Doubt(f"{win.name} is paid by {by}, who accepted the claim: two people do.")
        if win.draw.code != act.promotion or win.prize != act.prize or win.place in win.draw.cases:
            raise Doubt(f"{win.name} is paid as another, or while it is said to be lost.")
        amount = self._amount(win, act)
        if amount != act.amount or act.payment is None or act.payment in self.payments:
            raise Doubt(f"{win.name} is paid with {act.amount.said}; by its terms it is {amount.said}, once.")
        self.payments.add(act.payment)
        if act.alternative:
            if win.terms.kind in _BOOKED:
                self._take(EXCHANGED, str(win.number), win.value, win.name)
            self._take(ALTERNATIVE, str(win.number), amount, win.name)
        for part in act.parts:
            if part.method in _FROM:
                self._take(PAID, f"{act.payment}/{part.method}", part.amount, win.name)
        win.state = "paid"
        self.paid_micros += amount.micros

    def _amount(self, win: WinOnRecord, act: acts.PrizePaid) -> Money:
        terms = win.terms
        offer = Offer(terms.kind, terms.value, tuple(terms.payment), terms.alternative)
        parts = [Part(part.method, part.amount) for part in act.parts]
        try:
            return plan(win.edition, offer, parts, alternative=act.alternative)
        except Refusal as refusal:
            raise Doubt(f"{win.name} is paid as the rules do not allow: {refusal.detail}") from refusal

    def end(self) -> None:
        if self.booked:
            kind, reference = min(self.booked)
            row = self.booked[kind, reference]
            raise Doubt(f"{kind} {reference} is booked, and nothing in the log says why.", line=row.line)
