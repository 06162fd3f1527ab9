"""What of table games needs a second person: a new table, and its sign. The subject is ``gaming-table:LP-01``."""

from __future__ import annotations

from typing import Any

from house.actors import Actor
from house.approvals import approvable
from house.models import Proposal
from house.refusal import Malformed, NotFound
from tablegames import permissions, tables
from tablegames.models import GamingTable
from tablegames.rules import catalogue, terms


def _code(subject: str) -> str:
    kind, _, code = subject.partition(":")
    if kind != "gaming-table" or not tables.CODE.fullmatch(code):
        raise NotFound("no-such-table", "Write the subject like gaming-table:LP-01.", field="subject")
    return code


# A new table: {"game": "lunar-poker-nsw", "terms": {…}}


def _read_table(new: Any) -> tuple[str, terms.Terms]:
    if not isinstance(new, dict) or set(new) != {"game", "terms"} or not isinstance(new["game"], str):
        raise Malformed("value-not-readable", "Write game and terms, and nothing else.", field="new")
    return new["game"], terms.read(new["terms"])


def _current_table(subject: str) -> Any:
    table = GamingTable.objects.filter(code=_code(subject)).first()
    return None if table is None else table.game


def _check_table(subject: str, new: Any) -> None:
    game, chosen = _read_table(new)
    tables.check_table(_code(subject), game=game, terms=chosen)


def _apply_table(proposal: Proposal, by: Actor) -> None:
    game, chosen = _read_table(proposal.new)
    tables.open_table(code=_code(proposal.subject), game=game, terms=chosen, by=by, proposal=proposal)


TABLE = approvable(
    kind="tablegames.table",
    label="A new gaming table",
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: f"A new table {_code(subject)}: {catalogue.find(new['game']).title}.",
    current=_current_table,
    check=_check_table,
    apply=_apply_table,
)


# What a sign says: the whole of it, as rules/terms.py writes it.


def _current_terms(subject: str) -> Any:
    return tables.in_force(tables.find_table(_code(subject))).data


def _check_terms(subject: str, new: Any) -> None:
    catalogue.find(tables.find_table(_code(subject)).game).check_terms(terms.read(new))


def _apply_terms(proposal: Proposal, by: Actor) -> None:
    tables.set_terms(
        table=tables.find_table(_code(proposal.subject)), terms=terms.read(proposal.new), by=by, proposal=proposal
    )


def _describe_terms(subject: str, old: Any, new: Any) -> str:
    changed = [
        f"{name.replace('_', ' ')} from {(old or {}).get(name) or 'none'} to {value or 'none'}"
        for name, value in new.items()
        if (old or {}).get(name) != value and not isinstance(value, dict)
    ]
    changed += ["other limits"] if (old or {}).get("limits") != new.get("limits") else []
    return f"{_code(subject)}: {', '.join(changed) or 'nothing'}."


TERMS = approvable(
    kind="tablegames.terms",
    label="What the sign of a gaming table says",
    permission=permissions.DECIDE,
    describe=_describe_terms,
    current=_current_terms,
    check=_check_terms,
    apply=_apply_terms,
)
