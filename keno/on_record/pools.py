"""The jackpots' purses as the log tells them, moved again by the rules (5.2, 5.3, 9.5). Pure.

Whoever moves money of a pool holds its lock, so that the numbers of its transfers are in their true order, which the
order of transactions need not be. They are read in that order: kept for a while, sorted, then worked off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from keno.chart import CONTRIBUTIONS, PRIZES_OWING, UNCLAIMED
from keno.on_record.values import Values
from keno.on_record.void_wins import VoidWins
from keno.resettle_kinds import JACKPOT_CORRECTED
from keno.rules.jackpots import (
    CONTRIBUTION,
    Booked,
    Move,
    Purse,
    Purses,
    contribute,
    give_back,
    reverse,
    top_up,
    unwin,
    win,
    win_then,
)
from keno.rules.schedules import GUARANTEES
from keno.void_win_kinds import JACKPOT_RETURNED
from kernel.export_check import Doubt, TransferOnRecord
from kernel.money import BASIS_POINTS, ZERO, Money

BEGUN: Final = "keno.jackpot-begun"
FED: Final = "keno.jackpot-contribution"
TAKEN_BACK: Final = f"{FED}.reversal"
WON: Final = "keno.jackpot-won"
ADDED: Final = "keno.unclaimed-to-jackpot"
KINDS: Final = frozenset({BEGUN, FED, TAKEN_BACK, WON, ADDED, JACKPOT_RETURNED, JACKPOT_CORRECTED})
CODES: Final[Mapping[str, int]] = {f"KENO-{spots}": spots for spots in GUARANTEES}
_KEPT: Final = 4_096  # transfers, until those that may come before them have surely been read
_PURSES: Final = {Purse.PRIZE: "prize", Purse.SECONDARY: "reserve", Purse.REIMBURSEMENT: "reimbursement"}
_OWED: Final = "advance"


@dataclass(slots=True)
class Pool:
    code: str
    spots: int
    purses: Purses = field(default_factory=Purses)
    fed: dict[tuple[int, str], dict[Purse, Money]] = field(default_factory=dict)  # by game and turn, not taken back
    won: dict[int, int] = field(default_factory=dict)  # by game: what its winners share, in micro-dollars
    wins: dict[int, tuple[Move, ...]] = field(default_factory=dict)  # by game: what moved with the win
    won_again: dict[int, tuple[int, int]] = field(default_factory=dict)  # settled again: what is shared, from the pool
    so_far: int = 0  # in the prize purse, as the log goes
    shown_then: dict[int, int] = field(default_factory=dict)  # by game of balls: displayed when it was settled

    @property
    def guarantee(self) -> Money:
        return GUARANTEES[self.spots]

    def account(self, purse: Purse, outside: Mapping[Purse, str]) -> str:
        name = outside.get(purse) or (_OWED if purse is Purse.HOUSE else _PURSES[purse])
        return name if purse in outside else f"jackpot:{self.code}:{name}"


class Pools:
    def __init__(self, values: Values, void_wins: VoidWins) -> None:
        self.values, self.void_wins = values, void_wins
        self.pools = {code: Pool(code, spots) for code, spots in CODES.items()}
        self.staked: dict[int, Mapping[int, Money]] = {}  # by game: what its close says was paid for jackpot ways
        self.waiting: list[TransferOnRecord] = []
        self.from_fund = 0  # taken out of the unclaimed prizes
        self.added: dict[int, int] = {}  # by proposal: what it brought into a prize
        self.contributed = 0

    def closed(self, game: int, staked: Mapping[int, Money]) -> None:
        self.staked[game] = staked

    def settled(self, game: int) -> None:
        """With balls: what was displayed then is what its right numbers win, should they not be these (12.1)."""
        for pool in self.pools.values():
            pool.shown_then[game] = Purses(prize=Money(pool.so_far)).displayed(pool.guarantee).micros

    def transfer(self, row: TransferOnRecord) -> None:
        for pool in self.pools.values():
            account = f"jackpot:{pool.code}:prize"
            pool.so_far += row.micros * ((row.credit == account) - (row.debit == account))
        self.waiting.append(row)
        if len(self.waiting) >= 2 * _KEPT:
            self._work_off(_KEPT)

    def _work_off(self, keep: int = 0) -> None:
        self.waiting.sort(key=lambda row: row.id)
        ready = self.waiting[: len(self.waiting) - keep]
        while keep and ready and _booking_of(ready[-1]) == _booking_of(self.waiting[len(ready)]):
            ready.pop()
        self.waiting = self.waiting[len(ready) :]
        booking: list[TransferOnRecord] = []
        for row in ready:
            if booking and _booking_of(row) != _booking_of(booking[0]):
                self._book(booking)
                booking = []
            booking.append(row)
        if booking:
            self._book(booking)

    def _book(self, rows: list[TransferOnRecord]) -> None:
        first = rows[0]
        code, _, reference = first.reference.rpartition("/")[0].partition("/")
        pool = self.pools.get(code)
        if pool is None:
            raise Doubt(f"there is no Keno jackpot {code}.", row=first.id)
        try:
            outside, booked = self._expected(pool, first, rows, reference)
        except (ValueError, KeyError) as unreadable:
            raise Doubt(f"jackpot {code}: {first.reference} cannot be read.", row=first.id) from unreadable
        expected = [
            (pool.account(move.source, outside), pool.account(move.target, outside), move.amount.micros)
            for move in booked.moves
        ]
        found = [(row.debit, row.credit, row.micros) for row in rows]
        if found != expected:
            raise Doubt(
                f"jackpot {code}: {first.kind} {reference} moves {_in_words(found)}; by the rules it moves "
                f"{_in_words(expected)}.",
                row=first.id,
            )
        pool.purses = booked.purses

    def _expected(
        self, pool: Pool, first: TransferOnRecord, rows: list[TransferOnRecord], reference: str
    ) -> tuple[Mapping[Purse, str], Booked]:
        purses = pool.purses
        match first.kind, reference.split("/"):
            case "keno.jackpot-begun", ["first"]:
                return {}, top_up(Purses(), pool.guarantee)
            case "keno.jackpot-contribution", ["game", game, turn]:
                return {Purse.STAKES: CONTRIBUTIONS}, self._fed(pool, int(game), turn, rows)
            case "keno.jackpot-contribution.reversal", ["game", game, turn]:
                shares = pool.fed.pop((int(game), turn), {})
                self.contributed -= sum(share.micros for share in shares.values())
                return {Purse.STAKES: CONTRIBUTIONS}, reverse(purses, shares, guarantee=pool.guarantee)
            case ("keno.jackpot-won" | "keno.jackpot-corrected") as kind, ["game", game]:
                paid = self._won(pool, int(game)) if kind == WON else self._corrected(pool, int(game))
                return {Purse.WINNERS: PRIZES_OWING}, paid
            case "keno.unclaimed-to-jackpot", ["proposal", proposal]:
                return {Purse.STAKES: UNCLAIMED}, self._add(pool, int(proposal), first)
            case "keno.jackpot-returned", [serial, game]:
                self.void_wins.add(serial, int(game), f"jackpot {pool.spots}", first.micros)
                return {Purse.WINNERS: PRIZES_OWING}, give_back(purses, Money(first.micros))
        raise ValueError(first.reference)

    def _fed(self, pool: Pool, game: int, turn: str, rows: list[TransferOnRecord]) -> Booked:
        """25% of what was paid for jackpot ways, by the split then in force (5.3)."""
        if (game, turn) in pool.fed or turn not in ("close", "sealed"):
            raise Doubt(f"jackpot {pool.code}: game {game} contributes twice.", row=rows[0].id)
        if turn == "close":
            staked = self.staked.get(game, {}).get(pool.spots, ZERO)
        else:  # entries were cancelled since: what is left of them is compared with the tickets
            fed = sum(row.micros for row in rows if row.debit == CONTRIBUTIONS)
            staked = Money(fed * BASIS_POINTS // CONTRIBUTION)
        ratio = self.values.ratio(pool.code, before=rows[0].index)
        booked = contribute(pool.purses, staked, ratio)
        shares = {Purse(move.target): move.amount for move in booked.moves if move.source is Purse.STAKES}
        pool.fed[game, turn] = shares
        self.contributed += sum(share.micros for share in shares.values())
        return booked

    def _won(self, pool: Pool, game: int) -> Booked:
        booked = win(pool.purses, pool.guarantee)
        pool.won[game], pool.wins[game] = pool.purses.displayed(pool.guarantee).micros, booked.moves
        return booked

    def _corrected(self, pool: Pool, game: int) -> Booked:
        """Where only one of two settlements wins it (12.1)."""
        if game in pool.won_again:
            raise Doubt(f"jackpot {pool.code}: game {game} is put right twice.")
        if game in pool.won:
            pool.won_again[game] = (0, 0)
            return unwin(pool.purses, pool.wins[game], guarantee=pool.guarantee)
        shown = Money(pool.shown_then[game])
        booked = win_then(pool.purses, shown, guarantee=pool.guarantee)
        given = sum(move.amount.micros for move in booked.moves if move.target is Purse.WINNERS)
        pool.won_again[game] = (shown.micros, given)
        return booked

    def _add(self, pool: Pool, proposal: int, row: TransferOnRecord) -> Booked:
        """Unclaimed prizes that were approved to be added to this jackpot (11.2)."""
        self.from_fund += row.micros
        self.added[proposal] = row.micros
        amount = Money(row.micros)
        moves = (Move(Purse.STAKES, Purse.PRIZE, amount),)
        return Booked(replace(pool.purses, prize=pool.purses.prize + amount), moves)

    def contributed_by(self, game: int, spots: int) -> int:
        """What the game has put into the pool and not taken back, in micro-dollars."""
        pool = self.pools[f"KENO-{spots}"]
        return sum(share.micros for turn in ("close", "sealed") for share in pool.fed.get((game, turn), {}).values())

    def forget(self, game: int) -> None:
        for pool in self.pools.values():
            for turn in ("close", "sealed"):
                pool.fed.pop((game, turn), None)

    def won_in(self, game: int) -> dict[int, int]:
        return {pool.spots: pool.won[game] for pool in self.pools.values() if game in pool.won}

    def won_again_in(self, game: int) -> tuple[dict[int, int], int]:
        """What each jackpot pays where the game was settled again; what of it the house covers."""
        won: dict[int, int] = {}
        covered = 0
        for pool in self.pools.values():
            shared, given = pool.won_again.get(game, (pool.won.get(game, 0), pool.won.get(game, 0)))
            if shared:
                won[pool.spots] = shared
            covered += shared - given
        return won, covered

    def work_off(self) -> None:
        """All rows are read."""
        self._work_off()
        for proposal, micros in self.added.items():
            about = self.values.effective.get(proposal)
            if about is None:
                raise Doubt(f"{Money(micros).said} of unclaimed prizes became a jackpot, and no inspector approved it.")

    def balances(self, held: Mapping[str, int]) -> None:
        for pool in self.pools.values():
            stands = {name: getattr(pool.purses, purse).micros for purse, name in _PURSES.items()}
            stands[_OWED] = -pool.purses.owed.micros
            for name, micros in stands.items():
                account = f"jackpot:{pool.code}:{name}"
                if held.get(account, 0) != micros + self.values.adjusted.get(account, 0):
                    raise Doubt(
                        f"jackpot {pool.code}: its {name} holds {Money(held.get(account, 0)).said}; what came in and "
                        f"went out makes {Money(micros).said}."
                    )


def _booking_of(row: TransferOnRecord) -> tuple[str, str]:
    return row.kind, row.reference.rpartition("/")[0]


def _in_words(moves: Iterable[tuple[str, str, int]]) -> str:
    return ", ".join(f"{Money(micros).said} from {debit} to {credit}" for debit, credit, micros in moves) or "nothing"
