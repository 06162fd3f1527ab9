"""What /verify/ needs, read from the log itself: what was promised when the game opened, and revealed at its end.

The proof of a ticket shows what is printed on it, so it is given to whoever has its security code; for a serial alone
there is the way of its hash to the root. Keno makes both.
"""

from __future__ import annotations

from typing import Any, Final

from chance.proof import ALGORITHM, VERSION
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
from kernel.refusal import NotFound
from ledger.models import Act
from signage import queries

POOL: Final = 80
_TOLD: Final = (GameOpened, DrawVoided, GameClosed, DrawFinished, GameSettled, GameInvalidated)
_NAMES_TICKETS: Final = {NumberDrawn.kind, DrawFinished.kind}


def game_proof(number: int) -> dict[str, Any]:
    """{"game", "status", "promised": {"commitment", "attempt", "at"}, "sealed", "proof", "void": [earlier attempts]}.

    *proof* is null until the game is settled, and with a mechanical device, whose balls are the record.
    """
    acts = list(queries.acts_of_game(game_subject(number), [act.kind for act in _TOLD]))
    if not acts:
        raise NotFound("no-such-game", f"There is no game {number}.")
    told: dict[str, Any] = {"game": number, "promised": None, "sealed": None, "proof": None, "void": [], "numbers": []}
    for act in acts:
        _tell(told, act)
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
    elif act.kind == GameSettled.kind and data.get("seed"):
        told["proof"] = _proof(told["game"], data)


def _promise(act: Act, *, attempt: int) -> dict[str, object]:
    return {"commitment": act.data.get("commitment"), "attempt": attempt, "at": act.at.isoformat()}


def _proof(number: int, settled: dict[str, object]) -> dict[str, object]:
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
