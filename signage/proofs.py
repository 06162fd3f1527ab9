"""What /verify/ needs, read from the log itself: what was promised when the game opened, and revealed at its end.

The proof of a ticket shows what is printed on it, so it is given to whoever has its security code; for a serial alone
there is the way of its hash to the root. Keno makes both.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q

from chance.proof import ALGORITHM, VERSION
from house.refusal import NotFound
from keno import proof
from ledger.models import Act

POOL: Final = 80
_TOLD: Final = ("keno.opened", "keno.voided", "keno.closed", "keno.drawn", "keno.settled", "keno.invalidated")


def game_proof(number: int) -> dict[str, Any]:
    """{"game", "status", "promised": {"commitment", "attempt", "at"}, "sealed", "proof", "void": [earlier attempts]}.

    *proof* is null until the game is settled, and with a mechanical device, whose balls are the record.
    """
    first_number = Q(kind="keno.ball", data__place=1)
    acts = list(
        Act.objects.filter(Q(kind__in=_TOLD) | first_number, subject=f"keno-game:{number}").order_by("tx", "id")
    )
    if not acts:
        raise NotFound("no-such-game", f"There is no game {number}.")
    told: dict[str, Any] = {"game": number, "promised": None, "sealed": None, "proof": None, "void": [], "numbers": []}
    for act in acts:
        data = act.data
        told["status"] = "drawing" if act.kind == "keno.ball" else act.kind.removeprefix("keno.")
        # The tickets are those of the first number: whatever is said of them later has to agree.
        if act.kind in {"keno.ball", "keno.drawn"} and "ticket_root" in data and told["sealed"] is None:
            root, count = data["ticket_root"], data["ticket_count"]
            told["sealed"] = {"ticket_root": root, "ticket_count": count, "at": act.at.isoformat()}
        if act.kind == "keno.opened":
            told["device"] = data.get("device")
            told["promised"] = {"commitment": data.get("commitment"), "attempt": 1, "at": act.at.isoformat()}
        elif act.kind == "keno.voided":
            attempt = data["attempt"]
            told["void"].append({"attempt": attempt, "numbers": data.get("numbers"), "seed": data.get("seed")})
            told["promised"] = {
                "commitment": data.get("commitment"),
                "attempt": attempt + 1,
                "at": act.at.isoformat(),
            }
            told.update(status="closed", numbers=[], sealed=None, device=data.get("device", told["device"]))
        elif act.kind == "keno.drawn":
            told["numbers"] = data["numbers"]
        elif act.kind == "keno.settled" and data.get("seed"):
            told["proof"] = _proof(number, data)
    return told


def _proof(number: int, settled: dict[str, Any]) -> dict[str, Any]:
    """As docs/proof/README.md has it. What is on record, not what ought to be: were they to differ, it must fail."""
    names = ("attempt", "commitment", "ticket_root", "ticket_count", "seed", "numbers")
    return {
        "version": VERSION,
        "algorithm": ALGORITHM,
        "purpose": "keno",
        "game": str(number),
        "pool": POOL,
        **{name: settled[name] for name in names},
    }


def entry_proof(*, game: int, serial: str, security_code: str) -> dict[str, Any]:
    """{"ticket_root", "entry": its proof}."""
    return proof.entry_proof(game=game, serial=serial, security_code=security_code)


def memberships(*, serial: str, game: int | None) -> dict[str, Any]:
    """{"serial", "first_game", "plays_to", "played", "games": [{"game", "ticket_root", "entry"}]}."""
    return proof.memberships(serial=serial, game=game)
