"""The shape of an approved value: the one place that says what it looks like, checks it and reads it into its type.

    class _BonusForm(Record):
        name = Text()
        prize = MoneyField()
        makes = Bonus

    BONUS_SHAPE = Shape[Bonus](_BonusForm())

The same serializers are in the OpenAPI document. What a rule forbids is not said here: the kind's ``check`` refuses it,
with its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar, cast

from rest_framework.exceptions import ValidationError

from kernel.acts import Json, written
from kernel.refusal import Malformed, Refusal
from web.fields import AnyField, StrictSerializer
from web.problems import details_in

T = TypeVar("T")

NOT_READABLE = "value-not-readable"


class Record(StrictSerializer):
    """An object whose fields are those of a type: read, it is one."""

    makes: ClassVar[Callable[..., object]]

    def to_internal_value(self, data: object) -> object:
        return type(self).makes(**self.values_in(data))


class Shape(Generic[T]):
    """How a value of type T is written as JSON, and what is said where it is written otherwise.

    *unreadable* is the code of that refusal. *codes* names those that have one of their own, by the code of the field's
    error or else by the first field on the way to it. One that ends in ``-invalid`` is a rule's (422); with any other
    the request cannot be read (400).
    """

    def __init__(
        self,
        form: AnyField,
        *,
        write: Callable[[T], Json] | None = None,
        unreadable: str = NOT_READABLE,
        codes: Mapping[str, str] | None = None,
        where: str = "new",
    ) -> None:
        self.form = form
        self.unreadable, self.codes, self.where = unreadable, codes or {}, where
        self._write = write

    def read(self, value: Json) -> T:
        try:
            return cast("T", self.form.run_validation(value))
        except ValidationError as error:
            raise self._refuse(error) from None

    def write(self, value: T | None) -> Json:
        """As JSON; what may be left out and is not there is left out."""
        if value is None:
            return None
        if self._write is not None:
            return self._write(value)
        data = written(value)
        if isinstance(data, dict) and isinstance(self.form, StrictSerializer):
            needed = {name for name, field in self.form.fields.items() if field.required}
            return {name: part for name, part in data.items() if part is not None or name in needed}
        return data

    def spelt(self, **options: object) -> AnyField:
        """A field of this shape, for the document."""
        given: dict[str, Any] = vars(self.form)["_kwargs"]  # DRF keeps them to copy a field by
        return type(self.form)(**given | options)

    def _refuse(self, error: ValidationError) -> Refusal:
        path, fault, said = _first(error.detail)
        code = self.code_for(path, fault)
        kind = Refusal if code.endswith("-invalid") else Malformed
        return kind(code, said, field=".".join(filter(None, [self.where, path])) or "new")

    def code_for(self, path: str, code: str) -> str:
        head = path.partition(".")[0].partition("[")[0]
        return self.codes.get(code) or (self.codes.get(head) if path else None) or self.unreadable


def withdrawable(shape: Shape[T]) -> Shape[T | None]:
    """The same, or null: what is in force is withdrawn."""
    return Shape(
        shape.spelt(allow_null=True),
        write=shape.write,
        unreadable=shape.unreadable,
        codes=shape.codes,
        where=shape.where,
    )


def _first(detail: object) -> tuple[str, str, str]:
    """The first thing wrong: its path, the code of its field, and what to write instead.

    A field too many, or one that is missing, is wrong with the object it is or is not in.
    """
    path, error = next(details_in(detail))
    code = str(error.code)
    if code in ("unknown-field", "required"):
        name = path.rpartition(".")[2]
        said = f"There is no “{name}” here." if code == "unknown-field" else f"“{name}” is missing."
        return path.rpartition(".")[0], code, said
    return path, code, str(error)
