"""What the pages ask for. Forms read input and say what is missing; whether it is allowed, the verbs decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from django import forms

from kernel.refusal import Refusal

T_co = TypeVar("T_co", covariant=True)


class Held(Generic[T_co]):
    """What mypy takes a declared field for (web/mypy_fields.py): of what was sent, its attribute is a T."""

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: object) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: object) -> T_co: ...
        def __get__(self, instance: object, owner: object) -> object: ...


class PageForm(forms.Form):
    """A form whose errors are sentences, and that can carry a verb's refusal to the field it is about.

    Once it is valid, what was written into a field is its attribute: ``form.stake``, typed by the field's declaration
    (decision 32).
    """

    use_required_attribute = True
    # A verb's name for a field where the page has another.
    refused_as: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.refusal: Refusal | None = None
        for field in self.fields.values():
            field.error_messages["required"] = f"{field.label} is missing."

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            try:
                return self.__dict__["cleaned_data"][name]
            except KeyError:
                raise AttributeError(f"{type(self).__name__} holds no valid {name}") from None

    def refuse(self, refusal: Refusal) -> None:
        """Show the refusal: beside its field where it names one of ours and no clause is behind it, else on top."""
        named = refusal.field or ""
        field = self.refused_as.get(named, named.removeprefix("new."))
        if field not in self.fields and named.startswith("new."):  # a part of what is proposed
            field = self.refused_as.get("new", field)
        if field in self.fields and not refusal.clause:
            self.add_error(field, refusal.detail)
        else:
            self.refusal = refusal
        self.status = refusal.status

    status: int = 422

    def offer(self, name: str, choices: Iterable[tuple[str, str]]) -> None:
        """What may be chosen, where that depends on what there is."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)

    def say(self, field: str, words: str) -> None:
        self.add_error(field, words)


def reason(label: str = "Why", help_text: str = "One sentence. It stays on record.") -> forms.CharField:
    return forms.CharField(label=label, max_length=2000, help_text=help_text, widget=forms.Textarea(attrs={"rows": 3}))
