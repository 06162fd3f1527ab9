"""Links that ended, in an export: retired into another, or paid out as an authority said. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jackpot.acts import LinkRetired
from jackpot.books_on_record import PAY_OUT, PAYMENT, RETIREMENT, BooksOnRecord, Group
from jackpot.link_acts import LinkPaidOut, PayoutPaid
from jackpot.links_on_record import LinkOnRecord, LinksOnRecord, Moved, booked
from jackpot.rules import pay_out
from jackpot.rules.pool import WINNERS
from kernel.export_check import ActOnRecord, Doubt
from kernel.money import ZERO, Money


@dataclass(frozen=True, slots=True)
class _Owed:
    link: str
    amount: Money
    people: frozenset[str]  # who proposed and who decided it


@dataclass(slots=True)
class EndsOnRecord:
    record: LinksOnRecord
    books: BooksOnRecord
    owed: dict[int, _Owed] = field(default_factory=dict)  # payouts that are not paid yet
    known: set[int] = field(default_factory=set)  # proposals
    numbered: set[int] = field(default_factory=set)  # every payout that ever was

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case LinkRetired() as act:
                self._retired(act, row)
            case LinkPaidOut() as act:
                self._paid_out(act, row)
            case PayoutPaid() as act:
                self._payout(act, row)
            case _:
                pass

    def _retired(self, act: LinkRetired, row: ActOnRecord) -> None:
        old, new = self.record.link(act.link, row), self.record.link(act.into, row)
        approved = self.record.approved(act.proposal, ("jackpot.retirement",), row.subject, row)
        if approved != {"into": act.into} or old.ended:
            raise Doubt(f"{act.link} was not to be retired into {act.into}.", line=row.line)
        old.retired_into, old.ended = new, True
        moved: tuple[Moved, ...] = tuple(
            (purse, new.same_purse(purse), held.micros) for purse, held in act.moved.items() if held > ZERO
        )
        group = self.books.groups.get((RETIREMENT, act.link, ""))
        if group is not None:
            self._when_retired(old, act, group)
            group.moved.sort()
            moved = tuple(sorted(moved))
        self.books.expect((RETIREMENT, act.link, ""), moved, row, f"the retirement of {act.link}")

    def _when_retired(self, old: LinkOnRecord, act: LinkRetired, group: Group) -> None:
        def check(held: Mapping[str, Money]) -> None:
            if old.players(held) != dict(act.moved):
                raise Doubt(f"{act.link}: its purses did not hold what was moved.", line=group.first.line)

        old.purses.when_seen(old.seen(group.memo.get("seen"), group.first), check)

    def _paid_out(self, act: LinkPaidOut, row: ActOnRecord) -> None:
        """Everything that its purses held, to those and in those shares that were approved."""
        link = self.record.link(act.link, row)
        approved = self.record.approved(act.proposal, ("jackpot.pay-out",), row.subject, row)
        if link.retired_into is not None or act.proposal in self.known:
            raise Doubt(f"{act.link} cannot be paid out.", line=row.line)
        self.known.add(act.proposal)
        link.ended = True
        moves = pay_out.gather(act.held, into=link.levels[0])
        due = [part for part in pay_out.parts(moves, [each["share"] for each in approved["payees"]]) if part > ZERO]
        if [each.amount for each in act.owed] != due:
            raise Doubt(f"{act.link}: other shares of it were approved.", line=row.line)
        found = self.record.proposals[act.proposal]
        for each in act.owed:
            if each.payout in self.numbered:
                raise Doubt(f"payout {each.payout} is owed twice.", line=row.line)
            self.numbered.add(each.payout)
            self.owed[each.payout] = _Owed(act.link, each.amount, frozenset({found.by, found.decided_by}))

        def check(held: Mapping[str, Money]) -> None:
            if link.players(held) != dict(act.held):
                raise Doubt(f"{act.link}: its purses did not hold what was paid out.", line=row.line)

        link.purses.when_seen(link.seen(act.seen, row), check)
        key = (PAY_OUT, act.link, f"proposal/{act.proposal}")
        self.books.expect(key, booked(moves), row, f"what was in {act.link}")

    def _payout(self, act: PayoutPaid, row: ActOnRecord) -> None:
        owed = self.owed.pop(act.payout, None)
        if owed is None or (owed.link, owed.amount) != (act.link, act.amount):
            raise Doubt(f"payout {act.payout} of {act.link} is paid, and it was not owed so.", line=row.line)
        if row.actor in owed.people:
            raise Doubt(f"payout {act.payout} is paid by {row.actor}, who proposed or decided it.", line=row.line)
        moved = ((WINNERS, act.method, act.amount.micros),)
        key = (PAYMENT, act.link, f"payout/{act.payout}")
        self.books.expect(key, moved, row, f"the payment of payout {act.payout}")
