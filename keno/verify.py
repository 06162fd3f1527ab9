"""Keno's part of the offline check of an export: every draw, every ticket, every prize and every cent of it. Pure.

In the order of the log each game is followed from its promise to its numbers (``on_record/games.py``), with what was
sold, paid, given back and contributed beside it. Then come the tickets, bound by the ticket roots: each is held against
its sale, and every game is settled again from them by ``keno/rules`` (``on_record/walk.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from draws.record import KINDS as DRAWS
from house.approval_acts import ChangeEffective
from house.approvals_on_record import ApprovalsOnRecord
from keno.acts import (
    CancellationAsked,
    GameClosed,
    GameInvalidated,
    GameOpened,
    GameSettled,
    PaymentAuthorised,
    RedemptionAuthorised,
    ShiftClosed,
    ShiftOpened,
    TicketCancelled,
    WagersVoided,
)
from keno.chart import (
    BANK,
    BONUSES,
    PRIZES,
    PRIZES_OWING,
    REFUNDS_OWING,
    STAKES,
    STAKES_HELD,
    UNCLAIMED,
    VOUCHERS,
)  # fmt: skip
from keno.counter_acts import ClaimMade, ClaimPaid, TenderTaken, VoucherIssued, VouchersRegistered
from keno.game_on_record import RNG
from keno.on_record import (
    games,
    holds,
    overpayments,
    paid_plainly,
    payments,
    pools,
    resettlements,
    shifts,
    summary,
    sweeps,
    tenders,
    values,
    void_wins,
    vouchers,
)
from keno.on_record.answers import Answers
from keno.on_record.batches import Batch, BatchReader, Outcome
from keno.on_record.claims import Claims
from keno.on_record.game import GameMoney
from keno.on_record.games import GamesOnRecord
from keno.on_record.marks import Marks
from keno.on_record.sales import Sales, pack
from keno.on_record.sold import Sold, sold
from keno.on_record.summary import count
from keno.on_record.tickets import TicketReader
from keno.on_record.tournaments import TournamentsOnRecord
from keno.on_record.walk import Walk
from keno.prize_acts import DisputeReviewed, PaperTicked, PrizeHeld, PrizeReleased, TicketContinued, WinVoided
from keno.resettle_acts import GameResettled
from keno.resettle_kinds import BONUS_AGAIN, BONUS_BACK
from keno.ticket_lines import ATTACHMENT
from keno.void_win_kinds import BONUS_VOID
from kernel.acts import Act
from kernel.export_check import (
    NOTHING_WANTED,
    ActOnRecord,
    Doubt,
    RoomCheck,
    TransferOnRecord,
    Transfers,
    Wanted,
)
from tournaments.acts import TournamentCalledOff, TournamentEntered, TournamentRefunded, TournamentScored

BONUS: Final = "keno.bonus"
_OF_COUNTER: Final[tuple[type[Act], ...]] = (
    TenderTaken, VoucherIssued, VouchersRegistered, ClaimMade, ClaimPaid, PaymentAuthorised, RedemptionAuthorised,
    ShiftOpened, ShiftClosed, CancellationAsked, WinVoided, TicketContinued, PrizeHeld, PrizeReleased, DisputeReviewed,
    GameResettled, PaperTicked, *overpayments.ACTS,
)  # fmt: skip
_OF_TOURNAMENTS: Final[tuple[type[Act], ...]] = (
    TournamentEntered, TournamentScored, TournamentCalledOff, TournamentRefunded,
)  # fmt: skip
# The accounts between which a game's own transfers go: what is debited, what is credited.
_OF_GAMES: Final = {
    "keno.stakes": (STAKES_HELD, STAKES),
    "keno.prizes": (PRIZES, PRIZES_OWING),
    "keno.refunds": (STAKES_HELD, REFUNDS_OWING),
}


class Check(RoomCheck):
    """Reads acts and transfers, then the entries; raises Doubt at the first thing that does not fit. *approvals*: what
    the house's check has read so far."""

    name = "Keno"
    acts = frozenset(act.kind for act in (*games.ACTS, *_OF_COUNTER, *_OF_TOURNAMENTS)) | DRAWS | values.KINDS
    transfers = (
        frozenset({tenders.SALE, paid_plainly.KIND, vouchers.PAID, sweeps.KIND, BONUS, *_OF_GAMES})
        | tenders.KINDS
        | (pools.KINDS - {pools.TAKEN_BACK})
        | shifts.KINDS
        | void_wins.KINDS
        | resettlements.KINDS
        | overpayments.KINDS
    )
    reduced = frozenset({tenders.SALE, paid_plainly.KIND})
    attachment = ATTACHMENT

    def __init__(self, wanted: Wanted = NOTHING_WANTED, *, approvals: ApprovalsOnRecord) -> None:
        super().__init__(wanted)
        self.values = values.Values()
        self.games = GamesOnRecord(self.values, approvals.people)
        self.tournaments = TournamentsOnRecord(self.values, self.games.money)
        self.sales = Sales()
        self.sweeps = sweeps.Sweeps()
        self.marked = Marks()
        self.void_wins = void_wins.VoidWins(self.values, self.sweeps, self.marked)
        self.pools = pools.Pools(self.values, self.void_wins)
        self.holds = holds.Holds(approvals)
        self.resettlements = resettlements.Resettlements(self.values)
        self.overpayments = overpayments.Overpayments(self.values, approvals, self.resettlements)
        self.payments = payments.Payments(self.values, self.sweeps, self.holds, self.resettlements, self.marked)
        self.vouchers = vouchers.VouchersOnRecord(self.values, approvals, self.marked)
        self.claims = Claims(approvals, self.payments, self.vouchers)
        self.tenders = tenders.Tenders(self.vouchers, self.payments, self.marked)
        self.shifts = shifts.Shifts(self.values)
        self.answers = Answers(wanted, self.shown)
        if self.answers.serial is not None:
            self.marked.add(self.answers.serial.encode())
        self.walk = Walk(
            games=self.games, pools=self.pools, sales=self.sales,
            tenders=self.tenders, payments=self.payments, void_wins=self.void_wins, answers=self.answers,
        )  # fmt: skip
        self.held: Mapping[str, int] = {}
        self.fund = 0  # what the unclaimed prizes hold
        self.bonus_spent: dict[str, int] = {}

    def act(self, row: ActOnRecord) -> None:
        if row.kind in DRAWS:
            self.games.of_record(row)
            return
        if row.kind in values.KINDS:
            self._approval(row)
            return
        act = row.act
        if isinstance(act, games.ACTS):
            self.games.act(row)
        match act:
            case GameOpened():
                self.sales.on_sale = act.game
            case GameClosed():
                self._closed(act.game)
                self.pools.closed(act.game, act.jackpot_stakes)
            case GameInvalidated():
                self._closed(act.game)
            case GameSettled():
                self._settled(act)
            case TenderTaken() | TicketCancelled() | WagersVoided() | CancellationAsked():
                self.tenders.act(act, row)
            case TournamentEntered() | TournamentScored() | TournamentCalledOff() | TournamentRefunded():
                self.tournaments.act(act, row)
            case _:
                self._of_counter(act, row)

    def _approval(self, row: ActOnRecord) -> None:
        adjusted = dict(self.values.adjusted)
        self.values.act(row)
        if isinstance(row.act, ChangeEffective) and row.act.kind_ == values.ADJUSTMENT:
            self.fund += self.values.adjusted.get(UNCLAIMED, 0) - adjusted.get(UNCLAIMED, 0)

    def _closed(self, game: int) -> None:
        if self.sales.on_sale == game:
            self.sales.on_sale = game + 1

    def _settled(self, act: GameSettled) -> None:
        """Its bonuses were booked just before; they could cost what the fund held before them."""
        money = self.games.money[act.game]
        self._before_bonuses(money)
        if money.device != RNG:
            self.pools.settled(act.game)

    def _before_bonuses(self, money: GameMoney) -> None:
        paid = {code: money.booked.get(f"bonus {code}", 0) for code, _ in money.bonuses}
        money.spent = {code: self.bonus_spent.get(code, 0) - micros for code, micros in paid.items()}
        money.fund = self.fund + sum(paid[code] for code, bonus in money.bonuses if bonus.fund == "unclaimed")

    def _of_counter(self, act: object, row: ActOnRecord) -> None:
        match act:
            case VoucherIssued():
                self.vouchers.issued(act)
            case VouchersRegistered():
                self.vouchers.register(act, row)
            case ClaimMade() | ClaimPaid():
                self.claims.act(act, row)
            case PaymentAuthorised():
                self.payments.authorise(act, row)
            case RedemptionAuthorised():
                self.vouchers.authorise(act, row)
            case ShiftOpened() | ShiftClosed():
                self.shifts.act(act, row.index)
            case WinVoided():
                self.void_wins.act(act, row)
            case GameResettled():
                self._before_bonuses(self.resettlements.act(act, row, self.games.money.get(act.game)))
            case PaperTicked() | TicketContinued():
                self.payments.of_paper(act, row)
            case _ if isinstance(act, overpayments.ACTS):
                self.overpayments.act(act, row)
            case PrizeHeld() | PrizeReleased() | DisputeReviewed():
                if isinstance(act, PrizeHeld):
                    self.marked.add(act.ticket.encode())
                self.holds.act(act, row)

    @staticmethod
    def reduce(rows: Transfers) -> Sold:
        """Sales and payments."""
        return sold(rows)

    def merge(self, part: Sold) -> None:
        if part.elsewhere:
            raise Doubt(f"the price of ticket {part.elsewhere.decode()} does not go to {STAKES_HELD}.")
        for account, actor in sorted(part.drawers):
            self.shifts.moves(account.decode(), actor.decode())
        if part.packed:
            self.sales.add(part.packed)
        for serial, debit, micros in part.papers:
            self.tenders.sold(serial.decode(), debit.decode(), micros)
        self.payments.plain.add(part.paid)
        for paid in part.paid.others:
            self._paid(paid)

    def _paid(self, paid: TransferOnRecord) -> None:
        """A payment that is not of the plain sort."""
        try:
            self.transfer(paid)
        except Doubt as doubt:
            doubt.row = doubt.row or paid.id
            raise

    def transfer(self, row: TransferOnRecord) -> None:
        kind = row.kind
        if row.reverses is not None:
            raise Doubt(f"{kind} {row.reference} takes another transfer back, which nothing of Keno does.")
        if kind == tenders.SALE:
            self._sale(row)
        elif kind in _OF_GAMES:
            self._of_game(row)
        elif kind == BONUS:
            self._bonus(row)
        elif kind in pools.KINDS:
            self.fund -= row.micros if kind == pools.ADDED else 0
            self.pools.transfer(row)
        elif kind in shifts.KINDS:
            self.shifts.transfer(row)
        elif kind == paid_plainly.KIND:
            self._out_of_drawer(row, BANK, VOUCHERS)
            self.fund -= row.micros if row.debit == UNCLAIMED else 0
            self.payments.transfer(row)
        elif kind == vouchers.PAID:
            self._out_of_drawer(row, BANK)
            self.vouchers.paid(row)
        elif kind == sweeps.KIND:
            self.fund += row.micros
            self.sweeps.transfer(row)
        elif kind in tenders.KINDS:
            self._out_of_drawer(row, VOUCHERS, REFUNDS_OWING)
            self.tenders.transfer(row)
        elif kind in void_wins.KINDS | resettlements.KINDS | overpayments.KINDS:
            self._put_right(row)
        else:
            raise Doubt(f"a transfer of the kind {kind} takes nothing back that may be taken back.")

    def _out_of_drawer(self, row: TransferOnRecord, *others: str) -> None:
        """What goes over the counter comes out of the drawer of whoever hands it out; else to one of these accounts."""
        if row.credit not in others:
            self.shifts.moves(row.credit, row.actor)
        if row.kind == tenders.CHANGE and row.debit not in tenders.PAPERS:
            self.shifts.moves(row.debit, row.actor)

    def _sale(self, row: TransferOnRecord) -> None:
        """One that is not plain."""
        if row.credit != STAKES_HELD:
            raise Doubt(f"the price of ticket {row.reference} does not go to {STAKES_HELD}.")
        if row.debit not in tenders.PAPERS:
            self.shifts.moves(row.debit, row.actor)
        serial = row.reference.partition("/")[0]
        self.sales.add(pack(serial.encode(), row.micros))
        self.tenders.sold(serial, row.debit, row.micros)

    def _of_game(self, row: TransferOnRecord) -> None:
        prefix, _, game = row.reference.partition("/")
        if prefix != "game" or not game.isdigit() or (row.debit, row.credit) != _OF_GAMES[row.kind]:
            raise Doubt(f"{row.kind} {row.reference} goes where the money of no game goes.")
        self.games.booked(int(game), row.kind, row.micros, day=row.day)

    def _bonus(self, row: TransferOnRecord) -> None:
        code, _, game = row.reference.rpartition("/")
        if row.credit != PRIZES_OWING or row.debit not in (BONUSES, UNCLAIMED) or not game.isdigit():
            raise Doubt(f"bonus {row.reference} is no bonus of a game.")
        self.fund -= row.micros if row.debit == UNCLAIMED else 0
        self.bonus_spent[code] = self.bonus_spent.get(code, 0) + row.micros
        self.games.booked(int(game), f"bonus {code}", row.micros, day=row.day)

    def _put_right(self, row: TransferOnRecord) -> None:
        """A winning wager voided after the draw, a game settled again, what was paid too much."""
        self.fund += row.micros if row.credit == UNCLAIMED else -row.micros if row.debit == UNCLAIMED else 0
        if row.kind in (BONUS_VOID, BONUS_BACK, BONUS_AGAIN):
            code = row.reference.partition("/")[0]
            more = row.micros if row.kind == BONUS_AGAIN else -row.micros
            self.bonus_spent[code] = self.bonus_spent.get(code, 0) + more
        if row.kind in overpayments.KINDS:
            self.overpayments.transfer(row, self.shifts)
        elif row.kind in resettlements.KINDS:
            self.resettlements.transfer(row)
        else:
            self.void_wins.transfer(row)

    def balances(self, held: Mapping[str, int]) -> None:
        self.held = held
        self.payments.rows_over()
        self.walk.days = {number: money.day for number, money in self.games.money.items()}
        self.pools.work_off()
        self.pools.balances(held)
        self.resettlements.balances()
        self.overpayments.balances()
        self.shifts.balances(held)
        self.vouchers.balances(held)
        if held.get(UNCLAIMED, 0) < 0:
            raise Doubt("more was taken out of the unclaimed prizes than there was.")

    def ended_before(self, tx: int, *, at: datetime) -> None:
        self.payments.ended_before(tx)

    def reader(self) -> BatchReader:
        for money in self.games.money.values():
            money.limits = self.values.limits(money.opened_at)
        outcomes = {number: Outcome.of(money) for number, money in self.games.money.items()}
        plain = self.payments.plain
        return BatchReader(
            TicketReader(self.values), outcomes, marked=self.marked, paid=plain.marks, payments=plain.reader()
        )

    def attached(self, part: Batch) -> None:
        self.walk.attached(part)

    def answers_used(self) -> list[tuple[str, str, int]]:
        return self.games.record.answers_used()

    def end(self, *, attached: bool) -> list[str]:
        if attached:
            self.games.end()
            self.walk.end()
            self.tenders.end()
            self.payments.end()
            self.resettlements.end()
            self.overpayments.end()
            self.vouchers.end()
            self.void_wins.end()
            self.sweeps.end()
            self.payments.balances(self.held)
        elif self.games.money:
            raise Doubt("the tickets of Keno are missing.")
        self._attend()
        self.figures += summary.figures(self.games)
        if not (self.games.recomputed or self.games.by_balls):
            return []
        said = summary.drawn(self.games)
        if attached:
            said += summary.tickets(self.walk)
        said += summary.put_right(self.games, void_wins=self.void_wins.total, again=len(self.resettlements.games))
        return [said + ".", *([summary.money(self.games, paid=self.payments.paid)] if attached else [])]

    def _attend(self) -> None:
        record = self.games.record
        if record.unwitnessed:
            self.attention.append(
                f"{count(record.unwitnessed, 'Keno draw')} had no witness: an inspector’s dice or a public round "
                "stand in its place."
            )
        if record.restored:
            self.attention.append(f"{count(record.restored, 'master')} of Keno draws came back from escrow.")


__all__ = ["ATTACHMENT", "Check"]
