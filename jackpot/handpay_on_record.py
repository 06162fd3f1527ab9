"""How hits were paid, in an export: by the figures in force when each was won, and instalments each once. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from house.approval_acts import ChangeEffective, ValueInstalled
from jackpot.books_on_record import INSTALMENT, PAYMENT, TAX_WITHHELD, BooksOnRecord
from jackpot.hit_acts import HitAuthorised, HitPaid, InstalmentPaid
from jackpot.links_on_record import ABOUT, LinksOnRecord, moment
from jackpot.rounds_on_record import VERIFIED, HitOnRecord, must_be_another, must_go_on
from jackpot.rules.handpay import INSTALMENTS, TAX, Due, HandpayRules, read_written
from jackpot.rules.pool import WINNERS
from kernel.export_check import ActOnRecord, Doubt
from kernel.money import ZERO, Money

KIND, PLAN = "jackpot.handpay", "jackpot.instalments"


@dataclass(slots=True)
class _Owed:
    link: str
    left: list[Due]
    paid: int
    people: frozenset[str]  # who dealt and verified it, who proposed and who decided the instalments


@dataclass(slots=True)
class HandpayOnRecord:
    record: LinksOnRecord
    books: BooksOnRecord
    versions: list[tuple[datetime, HandpayRules]] = field(default_factory=list)
    owed: dict[int, _Owed] = field(default_factory=dict)  # by hit

    def in_force(self, act: ChangeEffective | ValueInstalled, row: ActOnRecord) -> None:
        if act.kind_ != KIND or (isinstance(act, ChangeEffective) and act.outcome):
            return
        new = act.new if isinstance(act, ChangeEffective) else act.value
        try:
            self.versions.append((moment(row.at, row), read_written(new)))
        except (KeyError, TypeError, ValueError) as wrong:
            raise Doubt(f"what payments ask for cannot be read: {wrong}.", line=row.line) from wrong

    def _rules_when_won(self, hit: HitOnRecord, row: ActOnRecord) -> list[HandpayRules]:
        """Those in force then; two where they changed within seconds."""
        won = moment(hit.claimed_at, row)
        before = [rules for since, rules in self.versions if since <= won - ABOUT]
        about = [rules for since, rules in self.versions if won - ABOUT < since <= won + ABOUT]
        return [before[-1] if before else HandpayRules(), *about]

    def authorised(self, hit: HitOnRecord, act: HitAuthorised, row: ActOnRecord) -> None:
        must_go_on(hit, act, row, VERIFIED)
        must_be_another(None, hit, row, "authorised")
        if hit.status != VERIFIED or hit.authorised_by:
            raise Doubt(f"{hit.named} is authorised, and it was {hit.status}.", line=row.line)
        hit.authorised_by = row.actor

    def paid(self, hit: HitOnRecord, act: HitPaid, row: ActOnRecord) -> None:
        withheld = act.withheld or ZERO
        fitting = [each for each in self._rules_when_won(hit, row) if each.withheld(act.amount) == withheld]
        if not fitting:
            raise Doubt(f"{hit.named}: {withheld.said} was withheld, and another tax was in force.", line=row.line)
        if all(each.asks_authorisation(act.amount) for each in fitting) and not hit.authorised_by:
            raise Doubt(f"{hit.named} is paid, and nobody had authorised it.", line=row.line)
        handed = act.amount - withheld
        if (act.method == INSTALMENTS) != (act.instalments is not None):
            raise Doubt(f"{hit.named} is paid by {act.method}, and instalments are said otherwise.", line=row.line)
        if act.instalments is not None:
            self._owe(hit, act, row, handed)
        key = f"hit/{act.hit}"
        moved = ((WINNERS, act.method, handed.micros),)
        self.books.expect((PAYMENT, act.link, key), moved, row, f"the payment of {hit.named}")
        tax = ((WINNERS, TAX, withheld.micros),) if withheld else ()
        self.books.expect((TAX_WITHHELD, act.link, key), tax, row, f"the tax of {hit.named}")

    def _owe(self, hit: HitOnRecord, act: HitPaid, row: ActOnRecord, handed: Money) -> None:
        dues = list(act.instalments or ())
        approved = self.record.approved(act.proposal, (PLAN,), row.subject, row)
        said = [Due(due=date.fromisoformat(each["due"]), amount=Money.parse(each["amount"])) for each in
                approved["instalments"]]  # fmt: skip
        if approved["hit"] != act.hit or said != dues or Money.total(each.amount for each in dues) != handed:
            raise Doubt(f"{hit.named}: other instalments were approved.", line=row.line)
        found = self.record.proposals[act.proposal or 0]
        people = frozenset({found.by, found.decided_by})
        if row.actor in people:
            raise Doubt(f"{hit.named} is paid by {row.actor}, who proposed or decided its instalments.", line=row.line)
        self.owed[act.hit] = _Owed(act.link, dues, 0, people | {hit.claimed_by, hit.verified_by})

    def instalment(self, act: InstalmentPaid, row: ActOnRecord) -> None:
        owed = self.owed.get(act.hit)
        if owed is None or not owed.left or act.number != owed.paid + 1 or owed.link != act.link:
            raise Doubt(f"instalment {act.number} of hit {act.hit} is paid, and it was not owed so.", line=row.line)
        due = owed.left.pop(0)
        owed.paid += 1
        if (due.due, due.amount) != (act.due, act.amount) or act.owed != Money.total(each.amount for each in owed.left):
            raise Doubt(f"instalment {act.number} of hit {act.hit} is not what was approved.", line=row.line)
        if date.fromisoformat(row.day) < due.due:
            raise Doubt(f"instalment {act.number} of hit {act.hit} is paid before it was due.", line=row.line)
        if row.actor in owed.people:
            raise Doubt(f"instalment {act.number} of hit {act.hit}: {row.actor} had a part in it.", line=row.line)
        moved = ((INSTALMENTS, act.method, act.amount.micros),)
        key = (INSTALMENT, act.link, f"hit/{act.hit}/{act.number}")
        self.books.expect(key, moved, row, f"instalment {act.number} of hit {act.hit}")

    @property
    def waiting(self) -> int:
        """Instalments that are not paid yet."""
        return sum(len(each.left) for each in self.owed.values())
