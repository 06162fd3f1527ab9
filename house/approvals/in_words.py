"""A value as people read it, by the shape it is written in: a share is a percentage, a list a list."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeAlias

from rest_framework.serializers import BaseSerializer, ListField, ListSerializer

from web import words
from web.fields import AnyField, BasisPoints

Form: TypeAlias = AnyField | BaseSerializer[Any] | None


def in_words(value: object, form: Form = None) -> str:
    """*form*: the field that reads it, where there is one."""
    if value is None or value in ("", []):
        return "none"
    if isinstance(value, int):
        return _number(value, form)
    if isinstance(value, str) and value.startswith("data:image/"):
        return f"a picture of {max(1, len(value) * 3 // 4000)} kB ({sha256(value.encode()).hexdigest()[:8]})"
    if isinstance(value, Mapping):
        return ", ".join(f"{words.label(key)} {in_words(each, part(form, key))}" for key, each in value.items())
    if isinstance(value, list):
        child = form.child if isinstance(form, ListField | ListSerializer) else None
        return words.listed(in_words(each, child) for each in value)
    return str(value)


def _number(value: int, form: Form) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words.rate(value) if isinstance(form, BasisPoints) else str(value)


def part(form: Form, key: str) -> Form:
    """The field of one part of an object."""
    fields: Mapping[str, Form] = getattr(form, "fields", {})
    return fields.get(key)
