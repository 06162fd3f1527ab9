"""What of table games needs a second person: a new table, and its sign. The subject is ``gaming-table:LP-01``."""

from __future__ import annotations

from dataclasses import dataclass

from house.approvals import Approvable, Record, Shape
from house.approvals.in_words import in_words, part
from house.models import Proposal
from kernel.actors import Actor
from kernel.refusal import NotFound
from tablegames import in_force, permissions, sign, tables
from tablegames.models import GamingTable
from tablegames.rules import catalogue
from tablegames.rules.terms import Terms
from tablegames.seats import lock_table
from web.fields import Text


def _code(subject: str) -> str:
    kind, _, code = subject.partition(":")
    if kind != "gaming-table" or not tables.CODE.fullmatch(code):
        raise NotFound("no-such-table", "Write the subject like gaming-table:LP-01.", field="subject")
    return code


# A new table: {"game": "lunar-poker-nsw", "terms": {…}}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    game: str
    terms: Terms


class NewTableValue(Record):
    """A new gaming table with its sign."""

    game = Text(max_length=64, help_text="The code of a game.")
    terms = sign.TableTermsValue()
    makes = NewTable


def _write_table(table: NewTable) -> dict[str, object]:
    return {"game": table.game, "terms": table.terms.as_data()}


def _current_table(subject: str) -> NewTable | None:
    table = GamingTable.objects.filter(code=_code(subject)).first()
    return None if table is None else NewTable(game=table.game, terms=tables.terms_of(tables.in_force(table)))


def _check_table(subject: str, new: NewTable) -> None:
    tables.check_table(_code(subject), game=new.game, terms=new.terms)


def _apply_table(proposal: Proposal, new: NewTable, by: Actor) -> None:
    tables.open_table(code=_code(proposal.subject), game=new.game, terms=new.terms, by=by, proposal=proposal)


TABLE = Approvable(
    kind="tablegames.table",
    label="A new gaming table",
    shape=Shape[NewTable](NewTableValue(), write=_write_table, codes={"terms": "terms-invalid"}),
    authority=lambda subject, new: tables.authority_over(new.game),
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: f"A new table {_code(subject)}: {catalogue.find(new.game).title}.",
    current=_current_table,
    check=_check_table,
    apply=_apply_table,
)


# What a sign says: the whole of it.


def _table(subject: str) -> GamingTable:
    return tables.find_table(_code(subject))


def _current_terms(subject: str) -> Terms:
    return in_force.terms_at(_table(subject))


def _check_terms(subject: str, new: Terms) -> None:
    in_force.check_new_terms(_table(subject), new)


def _apply_terms(proposal: Proposal, new: Terms, by: Actor) -> None:
    table = lock_table(_table(proposal.subject).code)  # nobody puts a notice up meanwhile
    in_force.check_new_terms(table, new)
    tables.set_terms(table=table, terms=new, by=by, proposal=proposal)


def _said(name: str, value: object) -> str:
    return in_words(value, part(sign.SHAPE.form, name))


def _describe_terms(subject: str, old: Terms | None, new: Terms) -> str:
    before, after = {} if old is None else old.as_data(), new.as_data()
    changed = [
        f"{name.replace('_', ' ')} from {_said(name, before.get(name))} to {_said(name, value)}"
        for name, value in after.items()
        if before.get(name) != value and not isinstance(value, dict)
    ]
    changed += ["other limits"] if before.get("limits") != after["limits"] else []
    return f"{_code(subject)}: {', '.join(changed) or 'nothing'}."


TERMS = Approvable(
    kind=tables.SIGN,
    label="What the sign of a gaming table says",
    shape=sign.SHAPE,
    authority=lambda subject, new: tables.authority_over(_table(subject).game),
    permission=permissions.DECIDE,
    describe=_describe_terms,
    current=_current_terms,
    check=_check_terms,
    apply=_apply_terms,
)
