"""What happens at tables and cash desks, act by act: which transfers each makes due. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from house.approval_acts import ChangeWaitsAgain
from jackpot import rounds_on_record as rounds
from jackpot.acts import MovementSealed, RoundInvalidated, RoundVoided, TableJoined, TableMoved, WagersRefunded
from jackpot.at_once_on_record import LockOnRecord, LocksOnRecord, win_key
from jackpot.books_on_record import (
    CONTRIBUTION,
    FORFEITED,
    HELD_WAGERS,
    KEPT,
    OVERFLOW,
    REFUND,
    RESTART,
    VOID_HAND,
    WIN,
    BooksOnRecord,
)
from jackpot.handpay_on_record import HandpayOnRecord
from jackpot.hit_acts import HitAct, HitAuthorised, HitClaimed, HitDenied, HitPaid, HitVerified
from jackpot.kept_rounds import KeptRounds
from jackpot.link_acts import TermsRestored
from jackpot.links_on_record import ABOUT, LinksOnRecord, Moved, back, booked, moment
from jackpot.round_acts import HandClaimedLate, HitShared, RoundFinished, RoundStarted
from jackpot.rounds_on_record import DENIED, Ended, HitOnRecord, RoundOnRecord
from jackpot.rules import pool
from jackpot.rules.at_once import Joined
from jackpot.rules.payouts import Evaluation
from jackpot.rules.policies import Kind
from jackpot.rules.pool import DROP, HOUSE, WAGERS, WINNERS, Movement, overflow_of
from kernel.export_check import REVERSAL, ActOnRecord, Doubt, Figure, RowOnRecord
from kernel.money import ZERO, Money

BOXES_LIMIT = 20  # at a table


@dataclass(slots=True)
class Figures:
    """The day's figures, for the summary."""

    days: dict[tuple[str, str], int] = field(default_factory=dict)
    contributed: int = 0  # wagers

    def wagers(self, row: RowOnRecord, many: int, wager: Money) -> None:
        self.contributed += many
        self.add(row, "Jackpot wagers", (wager * many).micros)

    def add(self, row: RowOnRecord, what: str, micros: int) -> None:
        self.days[row.day, what] = self.days.get((row.day, what), 0) + micros

    def all(self) -> list[Figure]:
        return [Figure(day, what, micros) for (day, what), micros in sorted(self.days.items())]


@dataclass(slots=True)
class PlayOnRecord:
    record: LinksOnRecord
    books: BooksOnRecord
    figures: Figures = field(default_factory=Figures)
    tables: dict[str, list[tuple[datetime, str]]] = field(default_factory=dict)  # from when on, on which link
    boxes: dict[str, int] = field(default_factory=dict)  # of each table, as it was put on its first link
    rounds: KeptRounds = field(init=False)
    open: dict[str, int] = field(default_factory=dict)  # rounds, by table
    hits: dict[int, HitOnRecord] = field(default_factory=dict)
    paid: int = 0  # hits
    moved: set[tuple[str, str | None]] = field(default_factory=set)  # counted wagers that moved a must-hit-by meter
    terms_due: dict[int, int] = field(default_factory=dict)  # by the hit denied: in which transaction it was won
    waits_again: set[int] = field(default_factory=set)  # proposals whose terms are in force no more
    locks: LocksOnRecord = field(init=False)
    handpay: HandpayOnRecord = field(init=False)

    def __post_init__(self) -> None:
        self.rounds = KeptRounds(self.record)
        self.locks = LocksOnRecord(self.books, self.rounds)
        self.handpay = HandpayOnRecord(self.record, self.books)

    def placed(self, act: TableJoined | TableMoved, row: ActOnRecord) -> None:
        self.record.link(act.link, row)
        stood = self.tables.setdefault(act.table, [])
        if isinstance(act, TableMoved) != bool(stood) or act.table in self.open:
            raise Doubt(f"table {act.table} is put on {act.link}, and cannot be.", line=row.line)
        if isinstance(act, TableMoved) and act.from_ != stood[-1][1]:
            raise Doubt(f"table {act.table} is moved from {act.from_}, and was on {stood[-1][1]}.", line=row.line)
        if isinstance(act, TableJoined):
            if not 1 <= act.boxes <= BOXES_LIMIT:
                raise Doubt(f"table {act.table} is said to have {act.boxes} boxes.", line=row.line)
            self.boxes[act.table] = act.boxes
        stood.append((moment(row.at, row), act.link))

    def _must_have(self, table: str, boxes: Iterable[int], row: ActOnRecord) -> None:
        for box in boxes:
            if not 1 <= box <= self.boxes.get(table, 0):
                raise Doubt(f"table {table} has no box {box}.", line=row.line)

    def was_on(self, table: str, code: str, first: datetime, last: datetime) -> bool:
        """Whether the table played for that link from then to then. Before its first link there was only that."""
        stood = self.tables.get(table, [])
        ends = [since for since, _ in stood[1:]]
        return any(
            link == code and (at == 0 or since - ABOUT <= first) and (at == len(ends) or last <= ends[at] + ABOUT)
            for at, (since, link) in enumerate(stood)
        )

    def sealed(self, act: MovementSealed, row: ActOnRecord) -> None:
        """Each wager of a movement was made in a round that has ended, or counted in a message; each moves it once."""
        for each in act.wagers:
            what, _, rest = each.wager.partition("/")
            number, _, box = rest.rpartition("/")
            found = self.rounds.get(int(number)) if what == "round" and number.isdigit() else None
            if what == "round" and (found is None or found.state != rounds.FINISHED or each.table != found.table):
                raise Doubt(f"{act.occasion}: {each.wager} is of no round that has ended.", line=row.line)
            if found is not None and (int(box) not in found.boxes or int(box) != each.box):
                raise Doubt(f"{act.occasion}: there was no wager on box {box} of {found.named}.", line=row.line)
            if found is not None and each.increment != _increment(found, act.level):
                raise Doubt(f"{act.occasion}: {each.wager} moves the meter by another share.", line=row.line)
            moved = found.moved if found is not None else self.moved
            if (each.wager, act.level) in moved:
                raise Doubt(f"{act.occasion}: {each.wager} moves the meter a second time.", line=row.line)
            moved.add((each.wager, act.level))

    def verified(self, act: HitVerified, row: ActOnRecord) -> None:
        found, hit = self.hit(act, row)
        rounds.verify(None if act.kind_ == Kind.MYSTERY else found, hit, act, row)

    def _round(self, number: int, row: ActOnRecord) -> RoundOnRecord:
        found = self.rounds.get(number)
        if found is None:
            raise Doubt(f"round {number} never began.", line=row.line)
        said = (getattr(row.act, "table", found.table), getattr(row.act, "link", found.link.code))
        if said != (found.table, found.link.code):
            raise Doubt(f"{found.named} is at another table, or of another jackpot.", line=row.line)
        return found

    def hit(self, act: HitAct, row: ActOnRecord) -> tuple[RoundOnRecord | None, HitOnRecord]:
        found = self.hits.get(act.hit)
        if found is None:
            raise Doubt(f"hit {act.hit} was never claimed.", line=row.line)
        return self.rounds.get(act.round) if act.round is not None else None, found

    def started(self, act: RoundStarted, row: ActOnRecord) -> None:
        link = self.record.link(act.link, row)
        stood = self.tables.get(act.table)
        if act.round in self.rounds or not stood or stood[-1][1] != act.link or act.table in self.open:
            raise Doubt(f"round {act.round} begins at {act.table} and cannot.", line=row.line)
        self._must_have(act.table, act.boxes, row)
        started = rounds.begin(act, row, link)
        self.rounds.add(started)
        self.open[act.table] = act.round
        parameters, key = started.version.terms.parameters, f"round/{act.round}"
        many = len(act.boxes)
        if started.at_once:
            moved = started.version.contributed(many)
            self.books.expect((CONTRIBUTION, link.code, key), moved, row, f"what {started.named} contributed")
            self.figures.wagers(row, many, parameters.wager)
        elif many:
            moved = ((DROP, WAGERS, (parameters.wager * many).micros),)
            self.books.expect((HELD_WAGERS, link.code, key), moved, row, f"the wagers of {started.named}")

    def ended(self, act: RoundFinished | HandClaimedLate, row: ActOnRecord, claims: list[ActOnRecord]) -> None:
        if isinstance(act, HandClaimedLate):
            self.claimed_late(act, row, claims)
        else:
            self.finished(act, row, claims)

    def finished(self, act: RoundFinished, row: ActOnRecord, claims: list[ActOnRecord]) -> None:
        found = self._round(act.round, row)
        self._must_have(found.table, [*(hand.box for hand in act.hands), *act.folded], row)
        if not found.link.must_hit_by:
            joined: list[tuple[LockOnRecord, Joined]] = []

            def instead(result: Evaluation) -> Evaluation:
                result, others = self.locks.instead(found, result)
                joined.extend(others)
                return result

            ended = rounds.finish(found, act, row, claims, instead)
            if ended.result is not None:
                self.locks.won(found, act, row, ended.result, joined)
            given_back = [Movement(WINNERS, each.level, each.back) for _, each in joined]
            self._won(found, ended, found.hits, row, under=f"round/{found.number}", given_back=given_back)
            self.hits |= {hit.act.hit: hit for hit in found.hits}
        else:
            found.state, found.fed, found.ended = rounds.FINISHED, len(found.boxes), (row.tx, row.id)
            found.people.add(row.actor)
        self.open.pop(found.table, None)
        parameters, code, key = found.version.terms.parameters, found.link.code, f"round/{act.round}"
        if not found.at_once:
            fed = booked(pool.contribute(parameters, wagers=found.fed))
            kept = booked(pool.keep(parameters, wagers=found.kept))
            self.books.expect((CONTRIBUTION, code, key), fed, row, f"what {found.named} contributed")
            self.books.expect((KEPT, code, key), kept, row, f"what the house keeps of {found.named}")
            self.figures.wagers(row, found.fed, parameters.wager)
        self.books.expect((VOID_HAND, code, key), self._void_hands(found), row, f"the void hands of {found.named}")
        gone = self.books.groups.get((VOID_HAND, code, key))
        if found.at_once and found.hits and gone is not None and gone.first.id > row.id:
            raise Doubt(f"{found.named} won what wagers on void hands had brought in.", line=gone.first.line)

    def _void_hands(self, found: RoundOnRecord) -> tuple[Moved, ...]:
        parameters = found.version.terms.parameters
        if not found.void:
            return ()
        if found.at_once:
            return back(booked(pool.contribute(parameters, wagers=len(found.void)), wagers=DROP))
        return ((WAGERS, DROP, (parameters.wager * len(found.void)).micros),)

    def claimed_late(self, act: HandClaimedLate, row: ActOnRecord, claims: list[ActOnRecord]) -> None:
        found = self._round(act.round, row)
        new = self.record.approved(act.proposal, ("jackpot.late-claim",), row.subject, row)
        if (new["round"], new["box"], new["pieces"]) != (act.round, act.box, list(act.pieces)):
            raise Doubt(f"{found.named}: another late claim was approved.", line=row.line)
        ended, hits = rounds.claim_late(found, act, row, claims)
        self.hits |= {hit.act.hit: hit for hit in hits}
        self._won(found, ended, hits, row, under=f"late/{act.round}/{act.box}")

    def _won(
        self,
        found: RoundOnRecord,
        ended: Ended,
        hits: list[HitOnRecord],
        row: ActOnRecord,
        *,
        under: str,
        given_back: Sequence[Movement] = (),
    ) -> None:
        if ended.result is None:
            return
        link = found.link
        self.books.expect((OVERFLOW, link.code, under), booked(ended.aside), row, f"the overflow of {link.code}")
        for hit in hits:
            self._expect_win(hit, row)
        after = pool.apply(ended.balances, [*given_back, *pool.pay(ended.result)])
        found.restarted_levels |= set(ended.result.restarts)
        terms = link.newest.terms
        moves = pool.after_win(terms.rules, terms.parameters, after, ended.result)
        for level in link.levels:
            moved = booked(move for move in moves if move.target == level)
            found.restarted[level] = f"{under}/{level}", moved
            found.won_in[under] = row.tx
            self.books.expect((RESTART, link.code, f"{under}/{level}"), moved, row, f"the restart of {link.code}")

    def _expect_win(self, hit: HitOnRecord, row: ActOnRecord) -> None:
        act = hit.act
        moves = [
            Movement(source, WINNERS, amount)
            for source, amount in ((act.level or HOUSE, act.from_pool), (HOUSE, act.from_house))
            if amount > ZERO
        ]
        self.books.expect((WIN, act.link, f"hit/{act.hit}"), booked(moves), row, f"what {hit.named} sets aside")
        self.figures.add(row, "Jackpots won", act.amount.micros)

    def claimed(self, act: HitClaimed, row: ActOnRecord) -> None:
        """A hand's hit was looked at with its round; what is left is what a must-hit-by movement gave."""
        if act.kind_ != Kind.MYSTERY:
            if act.hit not in self.hits:
                raise Doubt(f"hit {act.hit} of {act.link} was won in no round that ended with it.", line=row.line)
            return
        link = self.record.link(act.link, row)
        link.sequence += 1
        if act.sequence != link.sequence or act.hit in self.hits or not link.must_hit_by:
            raise Doubt(f"hit {act.hit}: it is not the next one won on {act.link}.", line=row.line)
        hit = self.hits[act.hit] = HitOnRecord(act, row.actor, claimed_at=row.at)
        if act.round is not None:
            self._round(act.round, row).hits.append(hit)
        self._expect_win(hit, row)

    def shared(self, act: HitShared, row: ActOnRecord) -> None:
        _, hit = self.hit(act, row)
        was = hit.act.amount
        self.locks.shared(hit, act, row)
        rounds.must_go_on(hit, act, row, hit.status)
        self.figures.add(row, "Jackpots won", (act.amount - was).micros)

    def authorised(self, act: HitAuthorised, row: ActOnRecord) -> None:
        self.handpay.authorised(self.hit(act, row)[1], act, row)

    def pay(self, act: HitPaid, row: ActOnRecord) -> None:
        found, hit = self.hit(act, row)
        rounds.pay(None if act.kind_ == Kind.MYSTERY else found, hit, act, row)
        self.locks.must_not_wait(hit, row)
        self.paid += 1
        self.handpay.paid(hit, act, row)
        self.figures.add(row, "Jackpots paid", act.amount.micros)

    def deny(self, act: HitDenied, row: ActOnRecord) -> None:
        found, hit = self.hit(act, row)
        mystery = act.kind_ == Kind.MYSTERY
        rounds.deny(None if mystery else found, hit, act, row)
        parts = [Movement(act.level or HOUSE, WINNERS, act.from_pool)] if act.from_pool else []
        parts += [Movement(HOUSE, WINNERS, act.from_house)] if act.from_house else []
        key, what = win_key(hit), f"what was set aside for {hit.named}"
        self.books.expect((WIN + REVERSAL, act.link, key), back(booked(parts)), row, what)
        if mystery and act.level is not None:
            moved = booked([Movement(act.level, overflow_of(act.level), act.from_pool)])
            self.books.expect((OVERFLOW, act.link, f"denied/{act.hit}"), moved, row, what)
        elif act.level is not None and found is not None:
            others = self.locks.denied(hit)
            if others is None:
                others = [each for each in found.hits if each.act.level == act.level and each.status != DENIED]
            began_in = self.locks.restarted_in(hit, found)
            if not others and act.level in began_in.restarted:
                key, moved = began_in.restarted.pop(act.level)
                self.books.expect((RESTART + REVERSAL, act.link, key), back(moved), row, f"the restart of {act.link}")
                self._terms_go(began_in, key, act)

    def _terms_go(self, began_in: RoundOnRecord, key: str, act: HitDenied) -> None:
        """Terms that had waited for the win that is denied are due to go, unless others followed, or another level of
        the same round is won."""
        if key.startswith("round/") and began_in.restarted_levels & began_in.restarted.keys():
            return
        won_in = began_in.won_in.get(key.rpartition("/")[0], 0)
        link = began_in.link
        if link.newest.tx == won_in and link.newest.number > 1:
            self.terms_due[act.hit] = won_in

    def terms_restored(self, act: TermsRestored, row: ActOnRecord) -> None:
        won_in = self.terms_due.pop(act.hit, None)
        if won_in is None:
            raise Doubt(f"{act.link}: terms are restored, and no win was denied.", line=row.line)
        self.waits_again |= set(self.record.terms_restored(act, row, won_in=won_in))

    def waits(self, act: ChangeWaitsAgain, row: ActOnRecord) -> None:
        if act.kind_ == "jackpot.terms" and act.proposal not in self.waits_again:
            raise Doubt(f"proposal {act.proposal} waits again, and nothing was denied.", line=row.line)
        self.waits_again.discard(act.proposal)

    def close(self) -> None:
        """A transaction has been read whole."""
        self.locks.close()
        if self.terms_due or self.waits_again:
            raise Doubt("a win was denied, and the terms that had waited for it are left in force.")

    def taken_back(self, act: RoundVoided | RoundInvalidated, row: ActOnRecord) -> None:
        found = self._round(act.round, row)
        void = isinstance(act, RoundVoided)
        if (
            found.state not in ((rounds.OPEN,) if void else (rounds.OPEN, rounds.FINISHED))
            or act.link != found.link.code
        ):
            raise Doubt(f"{found.named} is {found.state}: it cannot be taken back so.", line=row.line)
        parameters, key = found.version.terms.parameters, f"round/{act.round}"
        was_open = found.state == rounds.OPEN
        found.ended = (row.tx, row.id) if was_open else found.ended
        found.state = rounds.VOID if void else rounds.INVALIDATED
        self.open.pop(found.table, None)
        fed = pool.contribute(parameters, wagers=found.fed)
        held: tuple[Moved, ...] = ()
        if not found.at_once and found.boxes:
            held = ((DROP, WAGERS, (parameters.wager * len(found.boxes)).micros),)
        undo = {
            VOID_HAND: self._void_hands(found),
            KEPT: booked(pool.keep(parameters, wagers=found.kept)),
            CONTRIBUTION: booked(fed, wagers=DROP) if found.at_once else () if was_open else booked(fed),
            HELD_WAGERS: held,
        }
        for kind, moved in undo.items():
            self.books.expect((kind + REVERSAL, act.link, key), back(moved), row, f"{kind} of {found.named}")
        kept = (parameters.wager * len(act.forfeited)).micros
        if not set(act.forfeited) <= set(found.boxes):
            raise Doubt(f"{found.named}: a wager is forfeited that was not made.", line=row.line)
        if kept:
            what = f"what was forfeited in {found.named}"
            self.books.expect((FORFEITED, act.link, key), ((DROP, HOUSE, kept),), row, what)
        back_again = len(found.boxes) - len(found.void) - len(act.forfeited)
        if act.refunded != parameters.wager * back_again:
            raise Doubt(f"{found.named}: {act.refunded.said} is said to have been refunded.", line=row.line)
        if any(hit.status == rounds.PAID for hit in found.hits):
            raise Doubt(f"{found.named} is taken back, and something won in it was paid.", line=row.line)
        self.figures.wagers(row, -found.fed, parameters.wager)

    def refunded(self, act: WagersRefunded, row: ActOnRecord) -> None:
        found = self._round(act.round, row)
        self.record.approved(act.proposal, ("jackpot.refund",), row.subject, row)
        due = found.version.terms.parameters.wager * len(found.boxes)
        if act.refunded != due or found.state != rounds.FINISHED:
            raise Doubt(f"{found.named}: {act.refunded.said} is refunded, and {due.said} was wagered.", line=row.line)
        found.state = rounds.INVALIDATED
        moved = ((HOUSE, DROP, due.micros),)
        self.books.expect((REFUND, act.code, f"round/{act.round}"), moved, row, f"the refund of {found.named}")


def _increment(found: RoundOnRecord, level: str | None) -> Money:
    """By how much a wager of the round moves the meter of a level."""
    parameters = found.version.terms.parameters
    rate = next((each.increment_rate for each in parameters.levels if level in (None, each.name)), 0)
    return parameters.wager.basis_points(rate)
