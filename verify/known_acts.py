"""Every kind of act that this verifier knows, with the class that reads it."""

from __future__ import annotations

from types import ModuleType
from typing import Final

import console.acts
import draws.acts
import house.acts
import house.approval_acts
import house.cash.acts
import house.incident_acts
import house.players.acts
import jackpot.acts
import jackpot.hit_acts
import jackpot.link_acts
import jackpot.round_acts
import keno.acts
import keno.ball_acts
import keno.counter_acts
import keno.overpayment_acts
import keno.prize_acts
import keno.resettle_acts
import ledger.acts
import promotions.acts.draws
import promotions.acts.entries
import promotions.acts.prizes
import promotions.acts.terms
import signage.acts
import tablegames.acts
import tournaments.acts
import web.acts
from kernel.acts import Act

_OF_HOUSE: Final = (
    house.acts,
    house.approval_acts,
    house.cash.acts,
    house.incident_acts,
    house.players.acts,
    ledger.acts,
    draws.acts,
    console.acts,
    signage.acts,
    web.acts,
)
_OF_ROOMS: Final = (
    jackpot.acts,
    jackpot.hit_acts,
    jackpot.link_acts,
    jackpot.round_acts,
    keno.acts,
    keno.ball_acts,
    keno.counter_acts,
    keno.overpayment_acts,
    keno.prize_acts,
    keno.resettle_acts,
    promotions.acts.draws,
    promotions.acts.entries,
    promotions.acts.prizes,
    promotions.acts.terms,
    tablegames.acts,
    tournaments.acts,
)


def _kinds(module: ModuleType) -> dict[str, type[Act]]:
    return {
        value.kind: value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Act) and "kind" in vars(value)
    }


KNOWN_ACTS: Final[dict[str, type[Act]]] = {
    kind: act for module in (*_OF_HOUSE, *_OF_ROOMS) for kind, act in _kinds(module).items()
}
