"""Every kind of act there is, by whoever has every key: a field changed, an act removed, an act written twice, an act
invented. Each is seen from the rows alone, or stands in one of the tables below with what holds it instead.

What nothing else in the record shows is somebody's word: a reason, a name, what a person saw. The seals and the witness
hold it (``test_mutated.py``: none of those changes is unseen by who has the witness's head), and the verifier's answer
says so.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, date, datetime
from enum import Enum
from fnmatch import fnmatchcase
from random import Random
from typing import Any, Final

import pytest

from kernel.acts import Act
from kernel.money import Money
from kernel.refusal import Refusal
from kernel.row_text import NotCanonical
from tests.verify.test_mutated import _change, _other, _places
from tests.world.falsified import Draft, Exported, Forger, doubted, wrong
from verify.known_acts import KNOWN_ACTS

REMOVED, DOUBLED = "-", "++"
# Free words, wherever they stand: nothing follows from them.
WORDS: Final = (
    "why", "reason", "reasons", "comment", "what", "notes", "note", "outcome", "decision", "enquiries", "title", "name",
    "how", "notice", "address",
)  # fmt: skip
# By kind: what of it the rows alone do not give away. "-": removed; "++": written twice; else fields (and their like).
HELD_BY_THE_SEALS: Final[Mapping[str, str]] = {
    "approval.effective": "number",
    "approval.installed": "- number value.*",  # what the house began with, and nobody has approved: said (exit 3)
    "approval.letter-countersigned": "-",
    "approval.letter-recorded": "dated",
    "approval.proposed": "condition",
    "approval.rejected": "-",
    "device.registered": "- kind place profile",  # one that nobody holds, and that has done nothing
    "device.token-due": "- ++",
    "gaming-day.scheduled": "-",
    "incident.closed": "-",
    "incident.reported": "about happened_at",
    "incident.told": "++ at reference",
    "jackpot.contributions-rejected": "-",
    "jackpot.hit-verified": "verification.*",  # what people saw
    "jackpot.meter-bounded": "++",
    "jackpot.meter-disagrees": "++",
    "jackpot.movement-decided": "waiting",
    "jackpot.paid-out": "owed.payout",  # the number of a share that is not paid yet
    "jackpot.pool-opened": "- levels",
    "jackpot.retired": "advanced",
    "jackpot.round-finished": "folded hands.*",  # hands that won nothing
    "jackpot.round-invalidated": "forfeited",
    "jackpot.round-started": "boxes",  # which box it was that lost, with a hand that nobody named
    "jackpot.table-joined": "boxes",
    "jackpot.terms-set": "terms.*_limit terms.rules.*",
    "keno.balls-counted": "++",
    "keno.claim-paid": "-",
    "keno.closed": "closed_at",
    "keno.continued": "-",  # within ten seconds of its last game it may have gone either way
    "keno.dispute-reviewed": "-",
    "keno.invalidated": "cause",
    "keno.opened": "closes_at gaming_day opens_at",
    "keno.payment-authorised": "++",
    "keno.prize-held": "owner",
    "keno.prize-released": "-",
    "keno.shift-opened": "writer",
    "keno.tendered": "lines.reference",
    "keno.vouchers-registered": "- numbers value",  # that the house began with, and nobody has used
    "keno.wagers-voided": "excluded",
    "keno.win-voided": "excluded",
    "ledger.account-opened": "whole_cents",
    # What two people say of somebody: whose entries were left out for it, and how old he is, is in no log.
    "player.birth-confirmed": "-",
    "player.birth-recorded": "-",  # with a claim, by a document
    "player.card-issued": "card",
    "player.restricted": "breach_since",  # what people found
    "player.restriction-confirmed": "-",
    "player.restriction-lifted": "-",  # the last word: it would last
    "promotion.card-readmitted": "-",  # the same of a card
    "promotion.exclusion-confirmed": "-",
    "promotion.amended": "goods_confirmed",
    "promotion.claim-denied": "-",
    "promotion.finished": "-",
    "promotion.scrutineer-nominated": "++",
    "promotion.scrutineer-signed": "++",
    "promotion.submitted": "at goods_confirmed reference sha256 to",  # of the paper that was sent
    "promotion.winner-called": "until",
    "staff.hired": "demo roles*",  # who has done nothing since
    "tablegames.payment-error-intent-decided": "++",  # the same found again
    "tablegames.payment-error-step-taken": "++ at reference",  # tried again; when, before it was written down
    "tournament.entered": "whose numbers",  # that were not drawn
    "tournament.refund-seconded": "++",
    "tournament.scored": "++",
    # Its names; and its clock, as long as every gaming day still opens on its own date.
    "venue.set-up": "- ++ code time_zone",
    "verifier.published": "- bytes",  # the published program says whether it is the one
}
# Signatures, hashes and the witness's chain: held by who checks the bytes (``verifier.py``), not by the books.
BY_THE_BYTES: Final = ("keys.", "witness.", "draw.", "log.")
# Nothing follows from whether, or how often, somebody did it.
ONLY_WORDS: Final = frozenset({"cash.confidential", "device.codes-guessed", "promotion.denied-claims-report"})


def _is_seen(export: Exported, change: Any) -> bool:
    try:
        return bool(doubted(export, change))
    except NotCanonical:
        raise
    except (Refusal, LookupError, ValueError):  # the verifier says: what is said up to here cannot be
        return True


def _is_held(kind: str, what: str) -> bool:
    """Whether a table says that the seals alone hold it."""
    own = HELD_BY_THE_SEALS.get(kind, "").split()
    return what.rpartition(".")[2] in WORDS or any(fnmatchcase(what, each) for each in own)


def _kinds(export: Exported) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, row in enumerate(Draft.of(export.lines).rows):
        if row["type"] == "act":
            found.setdefault(row["kind"], []).append(at)
    return found


def _unseen(export: Exported, kind: str, places: list[int]) -> Iterator[str]:
    """What is done to the first of a kind, or to one in the middle, and not seen."""
    picks = sorted({places[0], places[len(places) // 2]})

    def removed(draft: Draft, at: int) -> None:
        draft.remove(draft.rows[at])

    def doubled(draft: Draft, at: int) -> None:
        draft.add_after(draft.rows[at])

    for what, change in ((REMOVED, removed), (DOUBLED, doubled)):
        if not _is_held(kind, what) and not any(
            _is_seen(export, lambda draft, at=at, change=change: change(draft, at)) for at in picks
        ):
            yield what
    row = Draft.of(export.lines).rows[places[0]]
    for path in _places(row["data"]):
        named = ".".join(str(part) for part in path if isinstance(part, str))
        value: Any = row["data"]
        for key in path:
            value = value[key]
        other = _other(value, Random(3))

        def change_it(draft: Draft, path: tuple[Any, ...] = path, other: Any = other) -> None:
            _change([draft.rows[places[0]]["data"]], 0, path, other)

        if not _is_held(kind, named) and not _is_seen(export, change_it):
            yield named


def _look_at(export: Exported, kinds: Mapping[str, list[int]]) -> dict[str, list[str]]:
    found = {kind: list(_unseen(export, kind, places)) for kind, places in kinds.items()}
    return {kind: unseen for kind, unseen in found.items() if unseen}


_QUICK: Final = ("keno.drawn", "keno.sealed", "player.card-issued", "keno.claim-paid")


def test_a_few_kinds(keno_house: Exported) -> None:
    kinds = _kinds(keno_house)
    assert _look_at(keno_house, {kind: kinds[kind] for kind in _QUICK}) == {}


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
def test_every_kind_of_the_small_house(small_house: Exported, part: int) -> None:
    kinds = {kind: at for kind, at in sorted(_kinds(small_house).items()) if not kind.startswith(BY_THE_BYTES)}
    assert _look_at(small_house, dict(list(kinds.items())[part::8])) == {}


@pytest.mark.long
def test_every_kind_of_the_counter(keno_house: Exported) -> None:
    kinds = _kinds(keno_house)
    others = {kind: at for kind, at in kinds.items() if not kind.startswith(BY_THE_BYTES)}
    assert _look_at(keno_house, others) == {}


@pytest.mark.long
def test_keys_and_answers_by_the_whole_program(small_house: Exported) -> None:
    """By who has every key of the house, and not the witness's."""
    for kind, places in _kinds(small_house).items():
        if not kind.startswith(("keys.first", "keys.hand-over", "witness.")):
            continue
        for path in _places(Draft.of(small_house.lines).rows[places[0]]["data"]):

            def change(draft: Draft, at: int = places[0], path: tuple[Any, ...] = path) -> None:
                data = draft.rows[at]["data"]
                value = data
                for key in path:
                    value = value[key]
                _change([data], 0, path, _other(value, Random(3)))

            assert wrong(small_house, change, by=Forger.HOUSE), (kind, path)


# Acts that no export here has: one that somebody invents, about things that there are not.


def _made_up(kind: Any) -> Any:
    """A value of a field's type."""
    if getattr(kind, "__metadata__", ()):
        kind = typing.get_args(kind)[0]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _made_up(next(each for each in inner if each is not type(None)))
    if origin is not None and issubclass(origin, Mapping):
        return {}
    if origin is tuple and inner[-1] is not Ellipsis:
        return [_made_up(each) for each in inner]
    if origin is not None:
        return [_made_up(inner[0])]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind)).value
    plain: dict[Any, Any] = {
        int: 987_654, str: "invented", bool: True, Money: "1.00", bytes: "00" * 32, Any: {},
        date: date(2026, 11, 1).isoformat(), datetime: datetime(2026, 11, 1, tzinfo=UTC).isoformat()[:-6] + "Z",
    }  # fmt: skip
    if kind in plain:
        return plain[kind]
    return {name.removesuffix("_"): _made_up(each) for name, each in typing.get_type_hints(kind).items()}


def _invented(cls: type[Act]) -> dict[str, Any]:
    """As its class would write it."""
    hints = typing.get_type_hints(cls, include_extras=True)
    own = {each.name.removesuffix("_"): hints[each.name] for each in fields(cls)}
    kept = cls.keys()
    data = {key: _made_up(hint) for key, hint in own.items() if key in kept}
    named = next((_made_up(hint) for key, hint in own.items() if key in cls.in_subject()), "invented")
    act = cls.read(data, subject=f"x:{named}")
    return {"kind": cls.kind, "subject": act.subject, "data": act.data()}


# Something may always begin; and what the bytes and the witness's chain hold is not for the books.
BEGINNINGS: Final = frozenset(
    {
        "demo.past-begun",
        "draw.beacon",
        "draw.replaced",
        "draw.restored",
        "draw.round-named",
        "draw.void",
        "inspectorate.named",
        "keno.redemption-authorised",
        "keys.hand-over",
        "log.restored",
        "log.rewound",
        "promotion.card-excluded",
        "venue.set-up",
        "witness.other-answer",
        "work.begun",
    }
)


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 20))])
def test_whatever_is_invented_is_seen(keno_house: Exported, first: int) -> None:
    absent = sorted(KNOWN_ACTS.keys() - _kinds(keno_house).keys() - ONLY_WORDS - BEGINNINGS)
    assert len(absent) > 150
    unseen = []
    for kind in absent[first::20]:
        made = _invented(KNOWN_ACTS[kind])

        def change(draft: Draft, made: dict[str, Any] = made) -> None:
            last = [row for row in draft.rows if row["type"] == "act"][-1]
            draft.add_after(last, actor="staff:sue", **made)

        if not _is_seen(keno_house, change):
            unseen.append(kind)
    assert unseen == []


def test_only_words_are_read_by_nobody() -> None:
    from verify.rooms import room_checks
    from verify.verifier import Verifier

    read = {kind for room in room_checks() for kind in room.acts} | Verifier().witnessed.kinds
    assert KNOWN_ACTS.keys() - read == ONLY_WORDS | {"ledger.account-opened"}
