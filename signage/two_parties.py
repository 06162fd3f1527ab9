"""A game's draw between two parties as the sealed log tells it, for /verify/: promise, sealed set, every attempt.

What is on record, not what ought to be: nothing is computed here, so that where it does not fit everybody sees it fail.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, Final

from chance.draw_proof import VERSION
from chance.two_party import ALGORITHM
from draws.acts import AnswerReplaced, BeaconHeard, MasterPromised, MasterRevealed, RoundNamed
from keno.rules.selection import NUMBERS
from kernel.acts import Act as TypedAct
from kernel.questions import Question
from kernel.unique_signatures import to_pem
from ledger import witnesses
from ledger.acts import AttemptVoid, OccasionSealed, QuestionAnswered, QuestionAsked
from ledger.models import Act

ATTEMPTS_LIMIT: Final = 40  # looked for; each but the last is void, by two people and the inspector
_OF_ATTEMPT: Final = (QuestionAsked, QuestionAnswered, AttemptVoid, RoundNamed, AnswerReplaced, BeaconHeard)
_READ: Final[dict[str, type[TypedAct]]] = {
    act.kind: act for act in (MasterPromised, MasterRevealed, OccasionSealed, *_OF_ATTEMPT)
}
Found = dict[type[TypedAct], tuple[Any, Act]]


def told(number: int, *, drawn: Sequence[int]) -> dict[str, Any] | None:
    """{"promised", "sealed", "attempts", "proof"} of a game; None where nothing was promised for it.

    *drawn*: the numbers on record of the attempt that counts. *proof* is null until the master is revealed."""
    found = _read(number)
    once, attempts = found.pop(0, {}), found
    if MasterPromised not in once:
        return None
    promised, at = once[MasterPromised]
    shown: dict[str, Any] = {
        "promised": {"commitment": promised.commitment.hex(), "at": at.at.isoformat(), "device": promised.device},
        "sealed": None,
        "attempts": [_attempt(attempt, acts) for attempt, acts in sorted(attempts.items())],
        "proof": None,
    }
    if OccasionSealed in once:
        sealed, when = once[OccasionSealed]
        shown["sealed"] = {
            "ticket_root": sealed.root.hex(),
            "ticket_count": sealed.count,
            "at": when.at.isoformat(),
        }
    if MasterRevealed in once:
        master = once[MasterRevealed][0].master
        for said in shown["attempts"]:
            numbers = said["void"]["numbers"] if said["void"] else list(drawn)
            said["proof"] = _proof(promised, master, attempts[said["attempt"]], numbers)
        shown["proof"] = next((said["proof"] for said in shown["attempts"] if not said["void"]), None)
    return shown


def _read(number: int) -> dict[int, Found]:
    """The acts by attempt, each kind once; under 0 what is about the game."""
    about = f"draw:keno/{number}"
    subjects = [f"promise:keno/{number}", about, *(f"{about}/{attempt}" for attempt in range(1, ATTEMPTS_LIMIT))]
    found: defaultdict[int, Found] = defaultdict(dict)
    rows: Iterable[Act] = Act.objects.filter(kind__in=list(_READ), subject__in=subjects).order_by("tx", "id")
    for row in rows:
        kind = _READ[row.kind]
        act: Any = kind.read(row.data, subject=row.subject)
        found[act.attempt if kind in _OF_ATTEMPT else 0].setdefault(kind, (act, row))
    return dict(found)


def _attempt(attempt: int, acts: Found) -> dict[str, Any]:
    """What happened to it: answered or waiting, by whom, void or not."""
    void = acts[AttemptVoid][0] if AttemptVoid in acts else None
    replaced = acts[AnswerReplaced][0] if AnswerReplaced in acts else None
    return {
        "attempt": attempt,
        "waits": void is None and replaced is None and QuestionAnswered not in acts,
        "unwitnessed": None if replaced is None else {"how": replaced.how, "why": replaced.why},
        "void": None if void is None else {"cause": void.cause, "numbers": list(void.numbers)},
        "proof": None,
    }


def _proof(promised: MasterPromised, master: bytes, acts: Found, numbers: list[int]) -> dict[str, Any] | None:
    """As docs/proof/draws.md has it; None where nothing was said, or no number came of it."""
    replaced: Any = acts[AnswerReplaced][0] if AnswerReplaced in acts else None
    answered: Any = acts[QuestionAnswered][0] if QuestionAnswered in acts else None
    if QuestionAsked not in acts or (replaced is None and answered is None) or not numbers:
        return None
    question = asdict(acts[QuestionAsked][0])
    if replaced is None and RoundNamed not in acts:  # under the head that the witness was shown
        question |= {"size": answered.size, "checkpoint_root": answered.checkpoint_root}
    asked = Question(**{name: question[name] for name in Question.__dataclass_fields__})
    heard = acts[BeaconHeard][0] if BeaconHeard in acts else None
    said_at = replaced.at if replaced is not None else answered.answered_at
    return {
        "version": VERSION,
        "algorithm": ALGORITHM,
        "venue": promised.venue,
        "purpose": promised.purpose,
        "occasion": promised.name,
        "attempt": asked.attempt,
        "device": promised.device,
        "beacon": promised.beacon,
        "commitment": promised.commitment.hex(),
        "master": master.hex(),
        "witness": {"name": promised.witness, "rsa": _rsa_of(promised.witness)},
        "question": asked.as_json(),
        "how": replaced.how if replaced is not None else "witness",
        "said": (replaced.said if replaced is not None else answered.answer).hex(),
        "beacon_round": heard and {"round": heard.round, "signature": heard.signature.hex(), "at": said_at},
        "ticket_root": asked.root.hex(),
        "ticket_count": asked.count,
        "pool": NUMBERS,
        "numbers": numbers,
    }


def _rsa_of(witness: str) -> str:
    """Its key as the log names it; empty where the log does not know it, and then the proof cannot be read."""
    return next((to_pem(keys.rsa) for keys in witnesses.all_named() if keys.name == witness), "")
