from __future__ import annotations

from functools import partial

from house.approvals import Approvable
from house.cash.kinds import CashKind
from house.incident_kinds import IncidentKind
from jackpot.other_pools import OtherPool
from keno import (
    acts,
    approved,
    attachments,
    ball_acts,
    bonuses,
    books,
    cash_kinds,
    catalogue,
    claims,
    counter_acts,
    game_settings,
    incident_kinds,
    jackpots,
    overpayment_acts,
    overpayments,
    permissions,
    prize_acts,
    resettle,
    resettle_acts,
    retained,
    return_to_players,
    simulations,
    stop_draw,
    tournament_conditions,
    tournaments,
    void_win,
    voucher_register,
    write_off,
)
from keno.demo import build_demo
from keno.pages import home, reports
from keno.queries import exposure
from keno.tick import due, late_seconds, on_time
from kernel.codes import Permission
from kernel.retention import Kept
from kernel.rooms import (
    Acts,
    Amount,
    ApiRoutes,
    AtStake,
    DemoVenue,
    Lateness,
    PageRoutes,
    PublicRoutes,
    Room,
    Tick,
    all_of,
)
from ledger.export import Attachment
from web.work import WorkKind

ROOM = Room(
    "keno",
    *all_of(Permission, permissions),
    books.GAME,
    books.DAYS,
    books.OWING,
    *all_of(IncidentKind, incident_kinds),
    *all_of(
        Approvable,
        bonuses,
        catalogue,
        claims,
        game_settings,
        overpayments,
        resettle,
        return_to_players,
        stop_draw,
        tournament_conditions,
        tournaments,
        void_win,
        voucher_register,
        write_off,
    ),
    *all_of(CashKind, cash_kinds),
    *all_of(WorkKind, simulations),
    *all_of(Kept, retained),
    Acts(*acts.ALL, *counter_acts.ALL, *prize_acts.ALL, *ball_acts.ALL, *resettle_acts.ALL, *overpayment_acts.ALL),
    Amount(permissions.SUPERVISED_ABOVE, lambda: approved.amount(permissions.SUPERVISED_ABOVE)),
    Tick(on_time, due),
    AtStake(exposure.at_stake_now),
    Lateness("games", "A close or a number of Keno is late", 30.0, late_seconds),
    DemoVenue(build_demo),
    ApiRoutes("keno.api.urls"),
    PageRoutes("keno.pages.urls"),
    PublicRoutes("keno.urls"),
    *(OtherPool(code, partial(jackpots.pool_shown, spots)) for spots, code in jackpots.POOLS.items()),
    Attachment(attachments.NAME, attachments.lines),
    reports.KENO,
    *home.OFFERS,
)
