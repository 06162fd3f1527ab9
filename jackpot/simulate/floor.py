"""The tables of a simulated month: rounds that take their time, wins, voids and denials, on every kind of link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from random import Random
from typing import Final

from draws.commit import publish
from draws.models import Commitment
from house.approvals import approve, propose
from house.simulate import Clock, Figure, Part
from jackpot import pools, terms
from jackpot.finish_round import finish_round
from jackpot.hits import deny_hit, pay_hit, verify_hit
from jackpot.links import find_link
from jackpot.models import Batch, Hit, MeterSeal, Round, RoundStatus, Table
from jackpot.rules.must_hit_by import PURPOSE
from jackpot.simulate import link_book
from jackpot.simulate.controllers import Controllers
from jackpot.simulate.hands import CARDS, TILES, deal, laid
from jackpot.simulate.levels import Levels
from jackpot.simulate.link_book import (
    ADVANCE,
    DROP,
    HOUSE,
    PAID,
    PRIZE,
    RESERVE,
    WAGERS,
    WINNERS,
    LinkBook,
    Played,
    Won,
)
from jackpot.simulate.retirements import TABLE as OLD_TABLE
from jackpot.simulate.retirements import Retirements
from jackpot.simulate.staff import CEILING, MYSTERY, MYSTERY_TABLE, WINNER, People, at_work
from jackpot.start_round import Offer, start_round
from jackpot.terms import LinkTerms
from jackpot.tick import tick
from jackpot.void_round import invalidate_round, void_round
from kernel.money import Money
from ledger.balance import balance

KINDS: Final = {
    "CSP": link_book.CARIBBEAN_STUD,
    "BOOM": link_book.BOOMERANG,
    "GJ": link_book.GEE_JUN,
    MYSTERY: link_book.MYSTERY,
}
DEALT_AT: Final = {"CSP-01": "CSP", "CSP-02": "CSP", "BOOM-01": "BOOM", "GJ-01": "GJ"}
METHODS: Final = ("cash", "cheque", "chips", "transfer")
PURSES: Final = (PRIZE, RESERVE, HOUSE, ADVANCE, WAGERS, WINNERS, DROP)
CAMERA: Final = "CAM-7"


@dataclass(slots=True)
class OnTable:
    """A round that is under way, and what lies there."""

    round: Round
    played: Played
    hands: dict[int, str]


class Floor(Part):
    name = "Tables"

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.people: People
        self.books: dict[str, LinkBook] = {}
        self.controllers: Controllers
        self.retirements: Retirements
        self.levels: Levels
        self.tables: dict[str, OnTable] = {}
        self.hits: list[tuple[LinkBook, Played | None, list[tuple[Hit, Won]]]] = []  # claimed: to be seen to
        self.hits_expected, self.hits_before = 0, 0
        self.decided = 0

    def begin(self) -> None:
        self.people = at_work()
        tick(self.clock.now)
        self._publish()
        for left in Round.objects.filter(status=RoundStatus.OPEN, table__code__in=[*DEALT_AT, MYSTERY_TABLE]):
            void_round(round_id=left.pk, by=self.people.supervisor)
        tick(self.clock.now)
        for code, kind in KINDS.items():
            self.books[code] = LinkBook(kind, {purse: _held(code, purse) for purse in (*PURSES, PAID)})
        self.books["BOOM"].change(_shares(terms.of(terms.in_force(find_link("BOOM")))), self.clock.now)
        self.decided = MeterSeal.objects.filter(link__code=MYSTERY).count()
        self.hits_before = _hits()
        self.controllers = Controllers(self, self.people, self.books)
        self.retirements = Retirements(self, self.people)
        self.levels = Levels(self, self.people)

    def _publish(self) -> None:
        """What decides a must-hit-by link is public before a wager counts on it."""
        for promised in Commitment.objects.filter(purpose=PURPOSE, master=None):
            publish(promised)

    def moment(self, chance: Random) -> None:
        for table in DEALT_AT:
            if chance.random() < 0.35:
                self.do("round", partial(self._round, table), chance)
        acts: tuple[tuple[str, float, Callable[[Random], bool]], ...] = (
            ("mystery round", 0.3, self._mystery),
            ("round for three levels", 0.4, self.levels.round),
            ("message", 0.3, self.controllers.message),
            ("reading of a meter", 0.2, self.controllers.reading),
            ("heartbeat", 0.1, self.controllers.silent),
            ("table moved", 0.03, self.controllers.move),
            ("message too large", 0.02, self.controllers.too_many),
            ("terms changed", 0.02, self._change_terms),
            ("message of an old link", 0.1, self.retirements.message),
            ("link retired", 0.03, self.retirements.retire),
            ("hits seen to", 0.4, self._see_to_hits),
            ("hits of levels seen to", 0.3, self.levels.see_to_hits),
        )
        for name, often, act in acts:
            if chance.random() < often:
                self.do(name, act, chance)
        if chance.random() < 0.25:
            self._tick()

    def end(self, chance: Random) -> None:
        for table in list(self.tables):
            self._finish(table, chance)
        self.do("link retired", self.retirements.retire, chance)
        self._tick()
        while self.hits:
            self._see_to_hits(chance)
        self.levels.see_to_hits(chance)
        self._tick()

    # Rounds

    def _round(self, table: str, chance: Random) -> bool:
        """Begins one, or ends the one that is open: others play meanwhile."""
        if table in self.tables:
            return self._finish(table, chance)
        boxes = sorted(chance.sample(range(1, 8), chance.randint(1, 5)))
        book = self.books[DEALT_AT[table]]
        started = start_round(table=table, wagers=[Offer(box=box) for box in boxes], by=self.people.dealer)
        played = book.start(boxes)
        self.expect(f"What {table} shows", str(Money(played.shown)), started.displayed[PRIZE])
        game = TILES if table == "GJ-01" else CARDS
        never = ("dead-mans-hand",) if book.kind is link_book.CARIBBEAN_STUD else ()
        self.tables[table] = OnTable(started, played, deal(game, boxes, chance, never=never))
        return True

    def _finish(self, table: str, chance: Random) -> bool:
        on_table, book = self.tables.pop(table), self.books[DEALT_AT[table]]
        if chance.random() < 0.05:
            cause = chance.choice(("misdeal", "foreign-card"))
            void_round(round_id=on_table.round.pk, cause=cause, by=self.people.dealer)
            book.void(on_table.played)
            self.done["round void"] += 1
            return True
        game = TILES if table == "GJ-01" else CARDS
        sent = laid(game, on_table.hands)
        hits = finish_round(round_id=on_table.round.pk, hands=sent, by=self.people.dealer)
        won = book.finish(on_table.played, on_table.hands)
        self.hits_expected += len(won)
        own = [(each.box, Money(each.amount), Money(each.from_pool)) for each in won]
        self.expect(f"Round {on_table.round.pk}", own, [(hit.box, hit.amount, hit.from_pool) for hit in hits])
        if len(hits) != len(won):
            return True  # a surprise, told above
        if hits and chance.random() < 0.08:
            why = "A card of another deck lay on the table."
            invalidate_round(round_id=on_table.round.pk, cause="fraud", why=why, by=self.people.manager)
            book.void(on_table.played)
            self.done["round invalidated"] += 1
        elif hits:
            self.hits.append((book, on_table.played, list(zip(hits, won, strict=True))))
        return True

    # What was won

    def _see_to_hits(self, chance: Random) -> bool:
        """The oldest round with a win: cards seen by one, paid by another, in order; now and then denied."""
        if not self.hits:
            return False
        book, played, claimed = self.hits.pop(0)
        for hit, won in claimed:
            if played is not None and chance.random() < 0.06:
                deny_hit(hit_id=hit.pk, reason="Not seen by surveillance.", by=self.people.manager)
                book.deny(played, won)
                self.done["hit denied"] += 1
                continue
            seen = f"{CAMERA} {self.clock.now:%H:%M}"
            verify_hit(hit_id=hit.pk, cards=hit.dealt or None, surveillance=seen, by=self.people.supervisor)
            pay_hit(hit_id=hit.pk, identity=WINNER, payment_reference=f"J{hit.pk:07d}", by=self.people.manager)
            book.pay(won)
            self.done["hit paid"] += 1
        return True

    # Other terms

    def _change_terms(self, chance: Random) -> bool:
        """Other shares of a Boomerang wager, as an inspector approves them (act-cp:10.5): rounds that are open keep
        theirs, and late messages count by when they were played."""
        in_force = terms.of(terms.in_force(find_link("BOOM")))
        prize = 7_000 if in_force.parameters.reserve_rate == 4_000 else 6_000
        (level,) = in_force.parameters.levels
        parameters = replace(
            in_force.parameters, levels=(replace(level, increment_rate=prize),), reserve_rate=10_000 - prize
        )
        new = replace(in_force, parameters=parameters)
        made = propose(
            kind="jackpot.terms",
            subject="jackpot:BOOM",
            new=terms.write(new),
            why="A faster meter, or a fuller reserve.",
            by=self.people.supervisor,
        )
        approve(proposal_id=made.pk, by=self.people.inspector)
        self.books["BOOM"].change(_shares(new), self.clock.now)
        return True

    # The must-hit-by link, whose falls nobody can foresee: they are published, and the book goes on from there

    def _mystery(self, chance: Random) -> bool:
        boxes = sorted(chance.sample(range(1, 8), chance.randint(1, 7)))
        book = self.books[MYSTERY]
        started = start_round(table=MYSTERY_TABLE, wagers=[Offer(box=box) for box in boxes], by=self.people.dealer)
        played = book.start(boxes)
        finish_round(round_id=started.pk, hands=[], by=self.people.dealer)
        book.finish(played, {})
        return True

    def _tick(self) -> None:
        """What the house does by itself."""
        tick(self.clock.now)
        self._publish()
        for book in self.books.values():
            if book.kind.topped_up:
                book.top_up()
        self.levels.look()
        seals = MeterSeal.objects.filter(link__code=MYSTERY, decided_at__isnull=False, number__gt=self.decided)
        for seal in seals.order_by("number"):
            self.decided = seal.number
            for fell in seal.falls or ():
                self._fell(int(Decimal(fell["point"]) * link_book.DOLLAR), Hit.objects.get(pk=fell["hit"]))

    def _fell(self, point: int, hit: Hit) -> None:
        """It falls between its seed and its ceiling, and is paid down to the cent; what is left of the cent stays."""
        book = self.books[MYSTERY]
        kind = book.kind
        within = kind.seed * link_book.DOLLAR < point <= CEILING.micros
        self.expect(f"{Money(point)} between {kind.seed} and {CEILING}", True, within)
        won = Won(hit.box or 0, link_book.cents(point), link_book.cents(point), 100)
        self.hits_expected += 1
        book.purses[PRIZE] -= won.from_pool
        book.purses[WINNERS] += won.amount
        missing = kind.seed * link_book.DOLLAR - (point - won.amount)
        reserve = min(missing, book.purses[RESERVE])
        book.restart(reserve, missing - reserve)
        self.hits.append((book, None, [(hit, won)]))
        self.done["mystery jackpot"] += 1

    # Beside the house

    def figures(self) -> list[Figure]:
        links = [
            Figure(f"{code}: {purse}", Money(book.purses[purse]), Money(_held(code, purse)))
            for code, book in self.books.items()
            for purse in (*PURSES, PAID)
        ]
        sent = self.controllers
        batches = Batch.objects.filter(received_by=self.people.controllers.identity, at__gte=sent.stood[0][0])
        batches = batches.exclude(table__code=OLD_TABLE)
        counted = sum(batches.filter(status__in=["counted", "released"]).values_list("wagers", flat=True))
        moved = Table.objects.get(code="BOOM-02").link.code
        return [
            *super().figures(),
            *links,
            *self.retirements.figures(),
            *self.levels.figures(),
            Figure("Wagers counted by controllers", sent.wagers, counted),
            Figure("Hits", self.hits_expected, _hits() - self.hits_before),
            Figure("Links that BOOM-02 moved to", int(sent.stood[-1][1] == moved), 1),
        ]


def _hits() -> int:
    return Hit.objects.filter(link__code__in=KINDS).count()


def _shares(of_link: LinkTerms) -> dict[str, int]:
    """In percent of a wager."""
    (level,) = of_link.parameters.levels
    return {PRIZE: level.increment_rate // 100, RESERVE: of_link.parameters.reserve_rate // 100}


def _held(code: str, purse: str) -> int:
    """What the ledger has, in micro-dollars."""
    if purse == PAID:
        return -sum(balance(pools.account(code, method)).amount.micros for method in METHODS if method != "chips")
    return balance(pools.account(code, purse)).amount.micros
