"""Whose word each kind of change takes, as the rules ask for it (docs/authority.md), for the check of an export.

Written down here a second time, beside the rooms' own declarations, because a stranger does not take the house's word
for it; a test holds the two against each other. A change of a kind that is not here is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from house.approvals_on_record import Change
from jackpot.acts import TermsSet
from jackpot.link_acts import TermsRestored
from kernel.acts import Json
from kernel.authority import Authority, strictest
from kernel.export_check import ActOnRecord, Doubt
from kernel.refusal import Refusal
from promotions.acts.terms import Drafted
from promotions.rules.editions import edition
from tablegames.acts import TableOpened
from tablegames.rules import catalogue

_STAFF: Final = "approvals.decide.staff"
_HOUSE: Final = "approvals.decide.house"
_JACKPOT: Final = "approvals.decide.jackpot"
_TABLES: Final = "approvals.decide.tablegames"
_STOP: Final = "keno.games.stop"
_CALL_OFF: Final = "tournaments.call-off"

# By the house: a second person of it, with the power named.
_BY_HOUSE: Final = {
    "house.access": Change(power=_STAFF, propose="staff.manage"),
    "house.books": Change(power="approvals.decide.ledger", kept=True),
    "house.cash-limits": Change(power=_HOUSE, kept=True),
    "house.device-holder": Change(power=_STAFF, propose="devices.manage"),
    "house.device-registration": Change(power=_STAFF, propose="devices.manage"),
    "house.device-tables": Change(power=_STAFF, propose="devices.manage"),
    "house.device-token": Change(power=_STAFF, propose="devices.manage"),
    "house.erasure": Change(power=_HOUSE),
    "house.opening-hours": Change(power=_HOUSE),
    "house.player-protection": Change(power=_HOUSE),
    "house.staff-roles": Change(power=_STAFF, propose="staff.manage"),
    "jackpot.adjustment": Change(power=_JACKPOT),
    "jackpot.late-claim": Change(power=_JACKPOT),
    "jackpot.refund": Change(power=_JACKPOT),
    "jackpot.table": Change(power=_JACKPOT),
    "jackpot.waiting-round": Change(power=_JACKPOT),
    "jackpot.meter-disagreement": Change(power=_JACKPOT),
    "keno.call-off-tournament": Change(power=_CALL_OFF, propose="keno.tournament"),
    "keno.amount": Change(power="keno.approve", kept=True),
    "keno.games": Change(power="keno.approve"),
    "keno.resettle": Change(power="keno.games.resettle.decide", propose="keno.games.resettle"),
    "keno.set-bet": Change(power="keno.approve", kept=True),
    "keno.void-unasked": Change(power="keno.games.void.decide", propose="keno.games.run"),
    "keno.overpayment": Change(power="keno.overpayment.decide", propose="keno.overpayment"),
    "keno.overpayment-write-off": Change(power="keno.overpayment.decide", propose="keno.overpayment"),
    "keno.void-win": Change(power="keno.void-win.decide", propose="keno.void-win"),
    "keno.voucher-register": Change(power="keno.approve"),
    "ledger.adjustment": Change(power="approvals.decide.ledger", propose="ledger.adjust"),
    "promotions.call-off-tournament": Change(power=_CALL_OFF, propose="tournaments.run"),
    "signage.look": Change(power=_HOUSE),
    "tablegames.higher-maximum": Change(power=_TABLES, propose="tablegames.signs"),
}
# By a Government Casino Inspector in his own name, or by letter; never by letter where two stand behind it.
_BY_INSPECTOR: Final = {
    "house.witness": Change(),
    "jackpot.handpay": Change(kept=True),
    "jackpot.instalments": Change(),
    "jackpot.void-attempt": Change(second="jackpot.void-movement"),
    "keno.ball-set": Change(kept=True),
    "keno.bonus": Change(kept=True),
    "keno.claim": Change(propose="keno.claim", anywhere=True),
    "keno.configuration": Change(kept=True),
    "keno.draw-device": Change(kept=True),
    "keno.entry-form": Change(kept=True),
    "keno.invalidate-game": Change(propose="keno.games.invalidate", second=_STOP),
    "keno.jackpot-ratio": Change(kept=True),
    "keno.redraw-device": Change(propose="keno.games.run", second=_STOP),
    "keno.special-3": Change(kept=True),
    "keno.tournament": Change(kept=True),
    "keno.unclaimed-to-jackpot": Change(),
    "keno.void-draw": Change(propose="keno.games.run", second=_STOP),
    "keno.voucher-type": Change(kept=True),
    "promotions.tournament": Change(kept=True),
    "promotions.void-draw": Change(propose="promotions.void-draw", second="promotions.void-draw"),
}
# By whom the rule names that the thing is run under.
_BY_THE_RULE: Final = {
    "house.role-permissions": Change(power=_STAFF, propose="permissions.manage"),
    "jackpot.link": Change(power=_JACKPOT),
    "jackpot.pay-out": Change(power=_JACKPOT),
    "jackpot.retirement": Change(power=_JACKPOT),
    "jackpot.terms": Change(power=_JACKPOT),
    "promotions.amendment": Change(power="approvals.decide.promotions", propose="promotions.amend"),
    "tablegames.table": Change(power=_TABLES),
    "tablegames.terms": Change(power=_TABLES),
}
CHANGES: Final = _BY_HOUSE | _BY_INSPECTOR | _BY_THE_RULE
_FIXED: Final = dict.fromkeys(_BY_HOUSE, Authority.HOUSE) | dict.fromkeys(_BY_INSPECTOR, Authority.INSPECTOR)

_MANAGER: Final = frozenset({"manager"})
_OFFICE: Final = frozenset({"administrator", "manager"})
_FLOOR: Final = frozenset({"manager", "supervisor"})
_ADMINISTRATOR: Final = frozenset({"administrator"})
# Who holds the powers above in a new house; whatever changes of that is in the log.
POWERS: Final[Mapping[str, frozenset[str]]] = {
    "approvals.decide.house": _OFFICE,
    "approvals.decide.jackpot": _MANAGER,
    "approvals.decide.ledger": _MANAGER,
    "approvals.decide.promotions": _OFFICE,
    "approvals.decide.staff": _OFFICE,
    "approvals.decide.tablegames": _MANAGER,
    "approvals.letters": _OFFICE,
    "approvals.propose": _OFFICE | {"supervisor"},
    "devices.manage": _OFFICE,
    "jackpot.void-movement": _FLOOR,
    "keno.approve": _MANAGER,
    "keno.claim": _FLOOR | {"writer"},
    "keno.check-paper": _FLOOR,
    "keno.pay-claim": _FLOOR,
    "keno.games.invalidate": _FLOOR,
    "keno.games.run": _FLOOR,
    "keno.games.resettle": _FLOOR,
    "keno.games.resettle.decide": _MANAGER,
    "keno.games.stop": _FLOOR,
    "keno.games.void.decide": _FLOOR,
    "keno.hold": _FLOOR,
    "keno.pay-large": _FLOOR,
    "keno.overpayment": _FLOOR,
    "keno.overpayment.decide": _MANAGER,
    "keno.tournament": _FLOOR,
    "keno.void-win": _FLOOR,
    "keno.void-win.decide": _MANAGER,
    "ledger.adjust": _FLOOR,
    "permissions.manage": _ADMINISTRATOR,
    "promotions.amend": _MANAGER,
    "promotions.scrutinise": _FLOOR | {"auditor", "inspector"},
    "promotions.void-draw": _FLOOR,
    "staff.manage": _ADMINISTRATOR,
    "tablegames.signs": _FLOOR,
    "tournaments.call-off": _FLOOR,
    "tournaments.run": _FLOOR,
}


class WhoseWord:
    """Whose word a change takes, by what the log has said of links, tables and promotions before it."""

    def __init__(self) -> None:
        self.links: dict[str, Authority] = {}  # of the terms in force
        self.games: dict[str, str] = {}  # at each table
        self.editions: dict[str, str] = {}  # of each promotion

    def act(self, row: ActOnRecord) -> None:
        match row.act:
            case TermsSet() | TermsRestored() as act:
                self.links[act.subject.partition(":")[2]] = _of_terms(act.terms)
            case TableOpened() as act:
                self.games[act.table] = act.game
            case Drafted() as act:
                self.editions[act.promotion] = act.edition

    def __call__(self, kind: str, about: str, old: Json, new: Json) -> Authority:
        if kind in _FIXED:
            return _FIXED[kind]
        code = about.rpartition(":")[2]
        try:
            return self._by_rule(kind, code, new)
        except (KeyError, TypeError, AttributeError, Refusal):
            raise Doubt(f"the change of {about} ({kind}) is about nothing that the log knows.") from None

    def _by_rule(self, kind: str, code: str, new: Any) -> Authority:  # noqa: PLR0911  a line a kind
        match kind:
            case "house.role-permissions":
                return Authority.INSPECTOR if code == "inspector" else Authority.HOUSE
            case "jackpot.link":
                return _of_terms(new["terms"])
            case "jackpot.terms":
                return strictest(self.links[code], _of_terms(new))
            case "jackpot.pay-out":
                return strictest(self.links[code], Authority.INSPECTOR)
            case "jackpot.retirement":
                return strictest(self.links[code], self.links[new["into"]])
            case "promotions.amendment":
                # 15.9.1 asks for the commission's approval; 17.12.1 for none: a second person of the house decides.
                by_approval = edition(self.editions[code]).amend_by_approval
                return Authority.COMMISSION if by_approval else Authority.HOUSE
            case "tablegames.table":
                return _of_game(new["game"])
            case "tablegames.terms":
                return _of_game(self.games[code])
        raise KeyError(kind)


def _of_terms(terms: Mapping[str, Any]) -> Authority:
    """By the clauses that a link's terms cite (nsw-csp:11.5, 11.6; act-cp:10.2, 10.5; act-pg:12.3, 12.7)."""
    rules = terms["rules"]
    cited = [value for name, value in rules.items() if name.endswith("_clause")]
    cited += [prize["clause"] for prize in rules["prizes"]]
    documents = {str(clause or "").partition("-")[0] for clause in cited}
    if "nsw" in documents:
        return Authority.COMMISSION
    return Authority.INSPECTOR if "act" in documents else Authority.HOUSE


def _of_game(game: str) -> Authority:
    return Authority.INSPECTOR if catalogue.find(game).document.startswith("act-") else Authority.HOUSE
