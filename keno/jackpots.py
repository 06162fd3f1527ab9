"""The 6- and 8-number jackpots as pools of ``jackpot/``: fed at the close of a game, won at its settlement (5, 9.5).

What decides is ``keno.rules.jackpots``; here the moves are booked. Whoever takes from a purse holds the pools' locks,
which come before the game's row (see ``keno.locks``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from django.db import connection, transaction

from jackpot import links, pools
from jackpot.models import Link
from jackpot.rules.policies import PRIZE
from keno import approved, shapes
from keno.accounts import PRIZES_OWING
from keno.chart import CONTRIBUTIONS
from keno.models import Game
from keno.rules.jackpots import CONTRIBUTION, FIRST_RATIO, Purse, Purses, Ratio, contribute, reverse, top_up, win
from keno.rules.schedules import GUARANTEES
from kernel.actors import Actor, system
from kernel.money import ZERO, Money
from ledger.accounts import open_account
from ledger.models import Account

POOLS: Final[Mapping[int, str]] = {spots: f"KENO-{spots}" for spots in GUARANTEES}
RATIO: Final = "jackpot-ratio"  # the kind of approved value; its code is the pool's

BEGUN: Final = "keno.jackpot-begun"
_FED: Final = "keno.jackpot-contribution"
_TAKEN_BACK: Final = f"{_FED}.reversal"
WON: Final = "keno.jackpot-won"
TURNS: Final = ("close", "sealed")  # when a game puts in: at its close, and again where entries were cancelled since
# As jackpot/ names the purses' accounts.
_ACCOUNTS: Final = {Purse.PRIZE: "prize", Purse.SECONDARY: "reserve", Purse.REIMBURSEMENT: "reimbursement"}
_BOOKKEEPER: Final = system("keno-jackpots")
_STAKED = """
    SELECT spots, sum(stake * ways)::bigint FROM keno_play
    WHERE jackpot AND first_game <= %(game)s AND plays_to >= %(game)s AND charged_to >= %(game)s
    GROUP BY spots
"""


def hold_pools(*, day: date) -> None:
    """Hold both pools until the transaction ends. Opens them, filled up to their guarantees, the first time (5.2)."""
    codes = list(POOLS.values())
    if links.hold(*codes) < len(codes):
        _open_pools(day=day)


@transaction.atomic
def _open_pools(*, day: date) -> None:
    open_account(
        code=CONTRIBUTIONS, name="Keno: stakes put into jackpots", kind=Account.Kind.EXPENSE, whole_cents=False
    )
    for spots, code in POOLS.items():
        links.create_link(code=code, title=_title(spots), by=_BOOKKEEPER)
    links.hold(*POOLS.values())
    for spots, code in POOLS.items():
        if purses_of(spots) == Purses():
            moves = top_up(Purses(), GUARANTEES[spots]).moves
            pools.book(link=code, movements=moves, kind=BEGUN, reference="first", by=_BOOKKEEPER, day=day)


def _title(spots: int) -> str:
    return f"Keno, {spots} of {spots}"


def purses_of(spots: int) -> Purses:
    return _purses(pools.read_pools(POOLS[spots]))


def _purses(held: pools.PoolBalances) -> Purses:
    return Purses(prize=held.prize, secondary=held.reserve, reimbursement=held.reimbursement, owed=held.advanced)


def displayed() -> dict[int, Money]:
    """What the boards show and a win pays, by spots; the guarantee before a pool is open."""
    begun = pools.read_known(dict.fromkeys(POOLS.values(), (PRIZE,)))
    return {
        spots: _purses(begun[POOLS[spots]]).displayed(guarantee) if POOLS[spots] in begun else guarantee
        for spots, guarantee in GUARANTEES.items()
    }


def displayed_by_code() -> dict[str, Money]:
    return {POOLS[spots]: amount for spots, amount in displayed().items()}


def pool_shown(spots: int) -> dict[str, object]:
    """A Keno jackpot as the calls about pools show every link (``jackpot.other_pools``). Before the first game fills it
    the guarantee stands behind it, as on the boards (5.2)."""
    link = Link.objects.filter(code=POOLS[spots]).first() or Link(
        code=POOLS[spots], title=_title(spots), status=Link.Status.OPEN
    )
    purses = purses_of(spots) if link.pk else Purses()
    ratio, guarantee = ratio_of(spots), GUARANTEES[spots]
    version = approved.in_force(RATIO, link.code)
    shown, rates = purses.displayed(guarantee), {"increment_rate": ratio.prize, "seed": guarantee}
    return {
        "code": link.code,
        "title": link.title,
        "rules": "keno",
        "displayed": shown,
        "reserve": purses.secondary.down_to_cents(),
        **rates,
        "reserve_rate": ratio.secondary,
        "wager": Money.dollars(1),  # a way at least (5.1)
        "bonus": ZERO,
        "status": link.status,
        "tables": [],
        "levels": [{"name": "prize", "displayed": shown, **rates, "ceiling": None, "overflow": ZERO}],
        "terms": 1 if version is None else version.version,
        "mystery": None,
        "undecided": False,
    }


def ratio_of(spots: int) -> Ratio:
    """The approved split of the 25% (5.3)."""
    version = approved.in_force(RATIO, POOLS[spots])
    return FIRST_RATIO if version is None else shapes.RATIO.read(version.value)


def staked_in(game: int) -> dict[int, Money]:
    """What was really paid for the jackpot ways of a game, by spots: no free games, no cancelled ones, no premium."""
    with connection.cursor() as cursor:
        cursor.execute(_STAKED, {"game": game})
        return {spots: Money(int(total)) for spots, total in cursor.fetchall()}


def feed(*, game: Game, day: date, by: Actor) -> dict[int, Money]:
    """At the close: 25% of the stakes goes to the purses (5.3). The pools are held."""
    staked = staked_in(game.number)
    for spots, stake in sorted(staked.items()):
        _feed(game=game, spots=spots, stake=stake, turn="close", day=day, by=by)
    return staked


def feed_again_if_cancelled(*, game: Game, day: date, by: Actor) -> None:
    """With the first number: an entry cancelled since the close never contributed. The pools are held."""
    staked = staked_in(game.number)
    put_in = fed(game)
    for spots in POOLS:
        stake = staked.get(spots, ZERO)
        if put_in[spots] == stake.basis_points(CONTRIBUTION):
            continue
        why = "Entries were cancelled between the close and the first number."
        _take_back(game=game, spots=spots, turn="close", day=day, why=why, by=by)
        if stake:
            _feed(game=game, spots=spots, stake=stake, turn="sealed", day=day, by=by)


def take_back(*, game: Game, day: date, why: str, by: Actor) -> None:
    """The game is invalidated: what it contributed goes back (14.5). The pools are held."""
    for spots in POOLS:
        for turn in TURNS:
            _take_back(game=game, spots=spots, turn=turn, day=day, why=why, by=by)


def _take_back(*, game: Game, spots: int, turn: str, day: date, why: str, by: Actor) -> None:
    """What was put in with this turn, as the rule says: a purse that no longer holds it is made good by the house."""
    shares = _fed_in(game, [(spots, turn)])[spots, turn]
    if not shares:
        return
    pools.book(
        link=POOLS[spots],
        movements=reverse(purses_of(spots), shares, guarantee=GUARANTEES[spots]).moves,
        kind=_TAKEN_BACK,
        reference=_reference(game, turn),
        by=by,
        day=day,
        outside={Purse.STAKES: CONTRIBUTIONS},
        memo={"why": why},
    )


def pay_out(*, game: Game, spots: int, day: date, by: Actor) -> Money:
    """The jackpot is won: its displayed amount becomes prizes owing, and the next one begins. The pools are held."""
    purses, guarantee = purses_of(spots), GUARANTEES[spots]
    pools.book(
        link=POOLS[spots],
        movements=win(purses, guarantee).moves,
        kind=WON,
        reference=f"game/{game.number}",
        by=by,
        day=day,
        outside={"winners": PRIZES_OWING},
    )
    return purses.displayed(guarantee)


def fed(game: Game) -> dict[int, Money]:
    """What the game has put into each pool and not taken back, by spots."""
    turns = [(spots, turn) for spots in POOLS for turn in TURNS]
    shares = _fed_in(game, turns)
    return {spots: Money.total(share for turn in TURNS for share in shares[spots, turn].values()) for spots in POOLS}


def _fed_in(game: Game, turns: Sequence[tuple[int, str]]) -> dict[tuple[int, str], dict[Purse, Money]]:
    """By purse what was put in with each of these turns; nothing where it was taken back."""
    named = {(POOLS[spots], _reference(game, turn)): (spots, turn) for spots, turn in turns}
    booked = pools.transfers_under(named, kinds=(_FED, _TAKEN_BACK))
    purses = {pools.account(code, name): purse for code in POOLS.values() for purse, name in _ACCOUNTS.items()}
    shares: dict[tuple[int, str], dict[Purse, Money]] = {turn: {} for turn in turns}
    for name, turn in named.items():
        if not booked[_TAKEN_BACK, *name]:
            shares[turn] = {
                purses[transfer.credit.code]: transfer.amount
                for transfer in booked[_FED, *name]
                if transfer.debit.code == CONTRIBUTIONS
            }
    return shares


def _feed(*, game: Game, spots: int, stake: Money, turn: str, day: date, by: Actor) -> None:
    pools.book(
        link=POOLS[spots],
        movements=contribute(purses_of(spots), stake, ratio_of(spots)).moves,
        kind=_FED,
        reference=_reference(game, turn),
        by=by,
        day=day,
        outside={"stakes": CONTRIBUTIONS},
    )


def _reference(game: Game, turn: str) -> str:
    return f"game/{game.number}/{turn}"
