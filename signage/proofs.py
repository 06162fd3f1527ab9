"""What /verify/ needs, read from the log itself: what was promised when the game opened, and revealed at its end.

The proof of a ticket shows what is printed on it, so it is given to whoever has its security code; for a serial alone
there is the way of its hash to the root. Keno makes both.
"""

from __future__ import annotations

from typing import Any, Final

from keno import proof
from keno.acts import (
    DrawFinished,
    DrawVoided,
    GameClosed,
    GameInvalidated,
    GameOpened,
    GameSettled,
    NumberDrawn,
    game_subject,
)
from keno.particulars import read_serial
from keno.queries import tickets
from keno.resettle_acts import GameResettled
from kernel.money import ZERO
from kernel.paper import Paper
from kernel.refusal import Malformed, NotFound
from ledger.checkpoints import receipt_keys
from ledger.models import Act
from signage import queries, two_parties

_TOLD: Final = (GameOpened, DrawVoided, GameClosed, DrawFinished, GameSettled, GameResettled, GameInvalidated)
_NAMES_TICKETS: Final = {NumberDrawn.kind, DrawFinished.kind}


def game_proof(number: int) -> dict[str, Any]:
    """{"game", "status", "promised": {"commitment", "attempt", "at"}, "sealed", "proof", "void": [earlier attempts],
    "attempts": [what became of each, of a draw between two parties], "resettled": {"recorded", "numbers", "why", "at"}
    where its balls had been recorded wrongly (12.1), "totals": {"majors", "jackpots"} as it was settled}.

    *proof* is null until the game is settled, and with a mechanical device, whose balls are the record.
    """
    acts = list(queries.acts_of_game(game_subject(number), [act.kind for act in _TOLD]))
    if not acts:
        raise NotFound("no-such-game", f"There is no game {number}.")
    told: dict[str, Any] = {"game": number, "promised": None, "sealed": None, "proof": None, "void": [], "numbers": []}
    told |= {"resettled": None, "totals": None}
    for act in acts:
        _tell(told, act)
    between = two_parties.told(number, drawn=told["numbers"])
    if between is not None:
        attempt = len(between["attempts"]) or 1
        told |= {**between, "promised": {**between["promised"], "attempt": attempt}}
    return told


def _tell(told: dict[str, Any], act: Act) -> None:
    data = act.data
    told["status"] = "drawing" if act.kind == NumberDrawn.kind else act.kind.removeprefix("keno.")
    # The tickets are those of the first number: whatever is said of them later has to agree.
    if act.kind in _NAMES_TICKETS and "ticket_root" in data and told["sealed"] is None:
        root, count = data["ticket_root"], data["ticket_count"]
        told["sealed"] = {"ticket_root": root, "ticket_count": count, "at": act.at.isoformat()}
    if act.kind == GameOpened.kind:
        told["device"] = data.get("device")
        told["promised"] = _promise(act, attempt=1)
    elif act.kind == DrawVoided.kind:
        attempt = data["attempt"]
        numbers = data.get("would_be") or data.get("numbers")
        told["void"].append({"attempt": attempt, "numbers": numbers, "cause": data.get("cause")})
        told["promised"] = told["promised"] and {**told["promised"], "attempt": attempt + 1}
        told.update(status="sealed", numbers=[], device=data.get("device", told["device"]))
    elif act.kind == DrawFinished.kind:
        told["numbers"] = data["numbers"]
    elif act.kind == GameSettled.kind:
        told["totals"] = _totals(data)
    elif act.kind == GameResettled.kind:
        parts = {name: data[name] for name in ("recorded", "numbers", "why")}
        told.update(status="settled", numbers=data["numbers"], resettled={**parts, "at": act.at.isoformat()})
        told["totals"] = _totals(data)


def _totals(data: dict[str, Any]) -> dict[str, Any]:
    """What of a settlement the prize of one ticket may depend on."""
    return {name: data["totals"][name] for name in ("majors", "jackpots")}


def _promise(act: Act, *, attempt: int) -> dict[str, object]:
    return {"commitment": act.data.get("commitment"), "attempt": attempt, "at": act.at.isoformat()}


def entry_proof(*, game: int, serial: str, security_code: str) -> dict[str, object]:
    """{"ticket_root", "entry": its proof, "won": in this game}."""
    found = proof.entry_proof(game=game, serial=serial, security_code=security_code)
    ticket = tickets.find_ticket(serial)
    won = next((each.prize for each in tickets.result_of(ticket).games if each.game == game), ZERO)
    return {**found, "won": str(won)}


def memberships(*, serial: str, game: int | None) -> proof.Memberships:
    """{"serial", "first_game", "plays_to", "played", "games": [{"game", "ticket_root", "entry"}]}."""
    return proof.memberships(serial=serial, game=game)


def paper_said(*, serial: str, text: str) -> dict[str, object]:
    """{"signed", "known", "leaf", "first_game", "commitment"}: what the house says of a receipt's code.

    *signed* is for browsers that cannot check it; *leaf* is that of the ticket on record, null where there is none."""
    try:
        paper, signature = Paper.read(text)
    except ValueError as unreadable:
        raise Malformed("no-paper", str(unreadable), field="paper") from None
    by = next((key for key in receipt_keys() if key.id == paper.receipt_key), None)
    ticket = tickets.ticket_called(read_serial(serial))
    promised = game_proof(ticket.first_game)["promised"] if ticket is not None else None
    return {
        "signed": by is not None and paper.is_signed(signature, by=by.public),
        "known": ticket is not None,
        "leaf": bytes(ticket.leaf).hex() if ticket is not None else None,
        "first_game": ticket.first_game if ticket is not None else None,
        "commitment": promised["commitment"] if promised is not None else None,
    }
