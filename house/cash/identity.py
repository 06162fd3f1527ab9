"""Who receives a large payment, from a document that was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date

from django.utils import timezone

from house.rules.identity import read_document_number
from kernel.money import Money
from kernel.refusal import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """As it was written down. :func:`require_identity` says whether all of it is there."""

    name: str = ""
    born: date | None = None
    address: str = ""
    document: str = ""
    document_number: str = ""

    @classmethod
    def read(cls, data: Mapping[str, object]) -> Identity:
        """From what was kept or sent; what cannot be read counts as missing."""
        texts = {name: str(data.get(name) or "").strip() for name in PARTS if name != "born"}
        return cls(born=_day(data.get("born")), **texts)

    def as_json(self) -> dict[str, str]:
        return {
            name: value.isoformat() if isinstance(value, date) else (value or "").strip()
            for name, value in ((name, getattr(self, name)) for name in PARTS)
        }

    @property
    def document_shown(self) -> str:
        """What was shown, and its number."""
        return f"{self.document} {self.document_number}".strip()

    def missing(self) -> list[str]:
        """The parts that are not there, in their order."""
        return [name for name, value in self.as_json().items() if not value]


PARTS = tuple(field.name for field in fields(Identity))
_WORDS = {"born": "date of birth", "document_number": "the document’s number"}


def require_identity(
    amount: Money, identity: Identity | None, *, refused_as: str = "identity-needed", in_the_day: bool = False
) -> Identity:
    """The identity, every part of it, or a refusal that names what is missing. *in_the_day*: all of today together."""
    shown = identity or Identity()
    if missing := shown.missing():
        listed = ", ".join(_WORDS.get(part, part) for part in missing)
        said = f"${amount} in one gaming day" if in_the_day else f"${amount}"
        raise Refusal(
            refused_as,
            f"{said} goes only to a customer who shows who he is: {listed} "
            f"{'is' if len(missing) == 1 else 'are'} missing.",
            field=f"identity.{missing[0]}" if identity else "identity",
        )
    assert shown.born is not None
    if shown.born >= timezone.now().date():
        raise Refusal(refused_as, "Nobody is born in the future.", field="identity.born")
    if read_document_number(shown.document_number) is None:
        raise Refusal(
            refused_as,
            "Write the document’s number as it is printed: letters and digits.",
            field="identity.document_number",
        )
    return shown


def _day(value: object) -> date | None:
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value or "").strip())
    except ValueError:
        return None
