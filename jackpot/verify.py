"""Jackpots' part of the offline check of an export. Pure.

From the acts and the transfers, in the order of the log: every contribution by the terms then in force; every amount
that was displayed, and every pool when it was won, from the transfers that were there; every hit from its hands, the
order of payment and the displayed amount; restarts, top-ups and what the house made good; payments of what was owed,
once, by somebody who had no part in it before; rounds taken back with all that had followed. Must-hit-by links are
decided again movement by movement (``meters_on_record.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from draws.record import KINDS as OF_DRAWS
from house.approval_acts import (
    ChangeApproved,
    ChangeEffective,
    ChangeProposed,
    ChangeTakenUp,
    ChangeWaitsAgain,
    ValueInstalled,
)
from jackpot.acts import (
    ContributionsHeld,
    ContributionsRejected,
    ContributionsReleased,
    LinkAdjusted,
    LinkOpened,
    LinkRetired,
    MeterBounded,
    MovementDecided,
    MovementSealed,
    RoundInvalidated,
    RoundVoided,
    TableJoined,
    TableMoved,
    TermsSet,
    WagersRefunded,
)
from jackpot.books_on_record import ADJUSTMENT, CONTRIBUTION, KINDS, SEED, BooksOnRecord, Group, Key
from jackpot.contributions_on_record import ContributionsOnRecord
from jackpot.ends_on_record import EndsOnRecord
from jackpot.hit_acts import HitAct, HitAuthorised, HitClaimed, HitDenied, HitPaid, HitVerified, InstalmentPaid
from jackpot.link_acts import LinkPaidOut, MeterAgrees, MeterDisagrees, MeterExplained, PayoutPaid, TermsRestored
from jackpot.links_on_record import LinkOnRecord, LinksOnRecord, seed_of
from jackpot.meters_on_record import MetersOnRecord
from jackpot.play_on_record import PlayOnRecord
from jackpot.round_acts import HandClaimedLate, HitShared, RoundFinished, RoundStarted
from jackpot.rounds_on_record import CLAIMED, VERIFIED
from jackpot.rules import must_hit_by
from jackpot.rules.pool import HOUSE
from kernel.acts import Act
from kernel.export_check import NOTHING_WANTED, ActOnRecord, Doubt, RoomCheck, RowOnRecord, TransferOnRecord, Wanted
from kernel.money import ZERO, Money

_READ: Final[tuple[type[Act], ...]] = (
    *(ChangeApproved, ChangeEffective, ChangeProposed, ChangeTakenUp, ChangeWaitsAgain),
    *(LinkOpened, TermsSet, TermsRestored, LinkAdjusted, LinkRetired, TableJoined, TableMoved),
    *(RoundStarted, RoundFinished, HandClaimedLate, RoundVoided, RoundInvalidated, WagersRefunded),
    *(ContributionsHeld, ContributionsReleased, ContributionsRejected),
    *(MeterDisagrees, MeterAgrees, MeterExplained, LinkPaidOut, PayoutPaid),
    *(HitClaimed, HitShared, HitVerified, HitAuthorised, HitPaid, HitDenied, InstalmentPaid),
    ValueInstalled,
    *(MeterBounded, MovementSealed, MovementDecided),
)


@dataclass(eq=False, slots=True)
class _Transaction:
    tx: int
    acts: list[ActOnRecord]
    groups: dict[Key, Group]


class Check(RoomCheck):
    """Reads acts and transfers; raises Doubt at the first thing that does not fit."""

    name = "Jackpots"
    acts = frozenset(act.kind for act in _READ) | OF_DRAWS
    transfers = KINDS

    def __init__(self, wanted: Wanted = NOTHING_WANTED) -> None:
        super().__init__(wanted)
        self.record = LinksOnRecord()
        self.books = BooksOnRecord(self.record)
        self.play = PlayOnRecord(self.record, self.books)
        self.counted = ContributionsOnRecord(self.record, self.books, self.play)
        self.ends = EndsOnRecord(self.record, self.books)
        self.meters = MetersOnRecord()
        self.tx, self.now = 0, list[ActOnRecord]()  # the transaction that is being read, and its acts
        self.overtaken: list[_Transaction] = []  # read, and begun before another that won before it

    # Row by row

    def act(self, row: ActOnRecord) -> None:
        self._reach(row)
        if row.kind in self.meters.kinds:
            self.meters.act(row)
        match row.act:
            case ChangeProposed() | ChangeTakenUp() | ChangeApproved() as act:
                self.record.about(act, row)
            case ChangeEffective() as act:
                self._ledger_adjusted(act, row)
                self.play.handpay.in_force(act, row)
            case ValueInstalled() as act:
                self.play.handpay.in_force(act, row)
            case LinkOpened() as act:
                self.record.opened(act, row)
            case TermsSet() as act:
                self.record.terms_set(act, row)
            case _:
                self.now.append(row)

    def transfer(self, row: TransferOnRecord) -> None:
        self._reach(row)
        self.books.transfer(row)

    def ended_before(self, tx: int, *, at: datetime) -> None:
        self._close()  # a seal is over whole transactions
        self.record.seals.add(tx, at)
        self._close_overtaken(before=self.record.seals.settled)
        for link in self.record.links.values():
            link.purses.seal(self.record.seals)
        waiting = [min(seen.oldest, seen.tx) for link in self.record.links.values() for seen, _ in link.purses.waiting]
        self.play.rounds.ended_before(min([self.record.seals.settled, *waiting]))

    def _reach(self, row: RowOnRecord) -> None:
        if row.tx != self.tx:
            self._close()
            self.tx = row.tx
            for link in self.record.links.values():
                if link.purses.waiting:
                    link.purses.read_upto(row.tx)

    def _close(self) -> None:
        """A transaction has been read whole, and follows on those before, or waits for them.

        The log is in the order in which transactions began, wins are in the order in which their link was held: who
        began first may be overtaken. The other may come with a later seal: one between them was under way still.
        """
        read = _Transaction(self.tx, self.now, self.books.groups)
        self.now, self.books.groups = [], {}
        self.overtaken.append(read)
        while (ready := next(filter(self._is_next, self.overtaken), None)) is not None:
            self.overtaken.remove(ready)
            self._follow(ready)

    def _close_overtaken(self, *, before: int | None = None) -> None:
        """Nothing more comes that those *before* could have waited for (None: any of them)."""
        left = [each for each in self.overtaken if before is None or each.tx < before]
        self.overtaken = [each for each in self.overtaken if each not in left]
        for each in left:
            self._follow(each)

    def _is_next(self, read: _Transaction) -> bool:
        """Whether everything that was won on its links before is known."""
        first: dict[str, int] = {}
        for row in read.acts:
            if isinstance(row.act, HitClaimed):
                first.setdefault(row.act.link, row.act.sequence)
        links = self.record.links
        return all(code not in links or number <= links[code].sequence + 1 for code, number in first.items())

    def _follow(self, read: _Transaction) -> None:
        """What the acts of a transaction say is compared with what it moved."""
        acts, self.books.groups = read.acts, read.groups
        for row in acts:
            self._done(row, acts)
        for (kind, code, reference), group in list(self.books.groups.items()):
            if kind == SEED:
                link = self.record.link(code, group.first)
                if reference != "opened" or link.opened_tx != read.tx or not link.versions:
                    raise Doubt(f"{code} is seeded a second time.", line=group.first.line)
                self.books.expect((SEED, code, "opened"), seed_of(link), group.first, f"the seed of {code}")
            elif kind == CONTRIBUTION and reference.startswith("batch/"):
                self.counted.batch(code, reference, group)
        self.counted.close()
        self.play.close()
        self.books.close()

    def _ledger_adjusted(self, act: ChangeEffective, row: ActOnRecord) -> None:
        """An adjustment of the ledger (the house's) may move a purse of ours, too."""
        if act.kind_ != "ledger.adjustment" or act.outcome:
            return
        for side, sign in (("debit", -1), ("credit", 1)):
            room, _, rest = str(act.new[side]).partition(":")
            code, _, purse = rest.partition(":")
            if room == "jackpot" and code in self.record.links:
                moved = sign * Money.parse_exact(act.new["amount"]).micros
                self.record.links[code].purses.move(row.tx, row.id, "adjusted", purse, moved)

    # What an act makes due

    def _done(self, row: ActOnRecord, acts: list[ActOnRecord]) -> None:
        match row.act:
            case TableJoined() | TableMoved() as act:
                self.play.placed(act, row)
            case RoundStarted() as act:
                self.play.started(act, row)
            case RoundFinished() | HandClaimedLate() as act:
                claims = [each for each in acts if isinstance(each.act, HitClaimed) and each.act.round == act.round]
                self.play.ended(act, row, claims)
            case RoundVoided() | RoundInvalidated() as act:
                self.play.taken_back(act, row)
            case WagersRefunded() as act:
                self.play.refunded(act, row)
            case HitAct() | InstalmentPaid():
                self._of_hit(row)
            case MovementSealed() | MovementDecided():
                self._of_meter(row)
            case TermsRestored() as act:
                self.play.terms_restored(act, row)
            case ChangeWaitsAgain() as act:
                self.play.waits(act, row)
            case LinkAdjusted() as act:
                self._adjusted(act, row)
            case LinkRetired() | LinkPaidOut() | PayoutPaid():
                self.ends.act(row)
            case _:
                self.counted.act(row)

    def _of_meter(self, row: ActOnRecord) -> None:
        match row.act:
            case MovementSealed() as act:
                self.play.sealed(act, row)
            case MovementDecided() as act:
                for fell in act.falls:
                    point, amount, start, ceiling = (
                        each.micros for each in (fell.point, fell.amount, fell.start, fell.ceiling)
                    )
                    self.books.fell(
                        act.code, act.level, fell.hit, must_hit_by.Fall(point, amount, 0, start, ceiling), row
                    )

    def _of_hit(self, row: ActOnRecord) -> None:
        match row.act:
            case HitClaimed() as act:
                self.play.claimed(act, row)
            case HitShared() as act:
                self.play.shared(act, row)
            case HitVerified() as act:
                self.play.verified(act, row)
            case HitAuthorised() as act:
                self.play.authorised(act, row)
            case HitPaid() as act:
                self.play.pay(act, row)
            case InstalmentPaid() as act:
                self.play.handpay.instalment(act, row)
            case HitDenied() as act:
                self.play.deny(act, row)

    def _adjusted(self, act: LinkAdjusted, row: ActOnRecord) -> None:
        new = self.record.approved(act.proposal, ("jackpot.adjustment",), row.subject, row)
        if new != {"purse": act.purse, "amount": str(act.amount), "cause": act.cause}:
            raise Doubt(f"{act.link}: another adjustment was approved.", line=row.line)
        moved = (HOUSE, act.purse, act.amount.micros) if act.amount > ZERO else (act.purse, HOUSE, -act.amount.micros)
        key = (ADJUSTMENT, act.link, f"proposal/{act.proposal}")
        self.books.expect(key, (moved,), row, f"the adjustment of {act.link}")

    # The end

    def balances(self, held: Mapping[str, int]) -> None:
        self._close()
        self._close_overtaken()
        for link in self.record.links.values():
            link.purses.read_upto(self.record.seals.upto or self.tx + 1)
            if link.versions:
                self._check_purses(link, held)
        self.meters.balances(held)

    def _check_purses(self, link: LinkOnRecord, held: Mapping[str, int]) -> None:
        """All of it has been explained: what the accounts hold is what was added up here, and nothing is below zero."""
        for purse in link.players_purses:
            stands = held.get(f"jackpot:{link.code}:{purse}", 0)
            if stands != link.purses.balances.get(purse, 0):
                raise Doubt(f"{link.code}: something moved its {purse} that was nobody’s act.")
            if stands < 0:
                raise Doubt(f"{link.code}: its {purse} holds {Money(stands).said}.")

    def answers_used(self) -> list[tuple[str, str, int]]:
        return self.meters.draws.answers_used()

    def end(self, *, attached: bool) -> list[str]:
        """What was checked, in words."""
        said = self.meters.end()
        self.attention += self.meters.attention
        self.figures += self.play.figures.all()
        links = [link for link in self.record.links.values() if link.versions]
        if not links:
            return said
        hits = self.play.hits.values()
        waiting = sum(hit.status in (CLAIMED, VERIFIED) for hit in hits)
        hidden = sum(len(each.sealed) for each in self.play.rounds.values())
        fresh = sum(len(link.purses.waiting) for link in links)
        said.append(
            f"{_count(self.play.figures.contributed, 'wager')} of {_count(len(links), 'link')} and "
            f"{_count(len(self.play.rounds), 'round')}: every contribution by the terms then in force, every pool, "
            f"{_count(len(hits), 'hit')} computed again, {self.play.paid:,} paid."
        )
        if waiting:
            said.append(f"{_count(waiting, 'hit')} neither paid nor denied yet.")
        if disputed := len(self.counted.disagreements):
            said.append(f"{_count(disputed, 'table')} whose meter and what was counted differ, not explained yet.")
        if unpaid := len(self.ends.owed):
            said.append(f"{_count(unpaid, 'share')} of links that have ended, not paid yet.")
        if owed := self.play.handpay.waiting:
            said.append(f"{_count(owed, 'instalment')} of hits, not paid yet.")
        if hidden:
            said.append(f"{_count(hidden, 'hand')} sealed and not shown yet: cards of hits that wait to be verified.")
        if fresh:
            said.append(f"{_count(fresh, 'amount')} of the last moment, which later rows will show.")
        nobodys = [link.code for link in links if link.installed]
        if nobodys:
            said.append(f"Terms that the installation began with, and nobody has approved: {', '.join(nobodys)}.")
        if self.wanted.link is not None:
            self.shown += self._tell(self.wanted.link)
        return said

    def _tell(self, code: str) -> list[str]:
        """A link in plain sentences."""
        link = self.record.links.get(code)
        if link is None or not link.versions:
            return []
        parameters = link.newest.terms.parameters
        stands = ", ".join(f"{purse} {Money(link.purses.balances.get(purse, 0)).said}" for purse in link.players_purses)
        gone = f" It was retired into {link.retired_into.code}." if link.retired_into else ""
        gone = " It has ended, and was paid out." if link.ended and not gone else gone
        told = [
            f"{code}: {link.newest.terms.rules.title}, version {link.newest.number} of its terms, wager "
            f"{parameters.wager.said}. It holds: {stands}.{gone}"
        ]
        for hit in self.play.hits.values():
            act = hit.act
            if act.link == code:
                on = f", measured on {act.measured_on.said}" if act.measured_on is not None else ""
                told.append(
                    f"Hit {act.sequence} at {act.table}, box {act.box}: {act.hand or 'bonus'}, {act.amount.said}{on}; "
                    f"{act.from_pool.said} from the pool, {act.from_house.said} from the house; {hit.status}."
                )
        return told


def _count(many: int, noun: str) -> str:
    return f"{many:,} {noun}{'' if many == 1 else 's'}"
