"""The words of the API's document (docs/api/words.yaml): what calls are called, and what every type and field is.

A type says what it is by its own docstring, and always by which calls take or give it; a field by its own help text,
or by what a field of that name is everywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import yaml
from django.conf import settings

OpenApi = dict[str, Any]
NAMED_LIMIT = 3  # calls or types named in one sentence
ANY_SHAPE = 9  # a field that may have so many shapes says nothing about one of them


@functools.cache
def words() -> dict[str, dict[str, str]]:
    read: dict[str, dict[str, str]] = yaml.load(
        (settings.ROOT / "docs" / "api" / "words.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return read


def operation_id(method: str, path: str) -> str:
    """``sellTicket``. A call that has no name yet is called after its address; a test asks for the name."""
    return words()["operations"].get(f"{method} {path}") or "-".join(
        [method.lower(), *(word.strip("{}") for word in path.split("/") if word)]
    )


def own_words(serializer: object) -> str:
    """A class's own docstring, not one that it inherits."""
    kind = serializer if isinstance(serializer, type) else type(serializer)
    return " ".join((kind.__dict__.get("__doc__") or "").replace("``", "`").split())


def parameter_words(name: str) -> str | None:
    return words()["parameters"].get(name)


def describe(document: OpenApi) -> None:
    """Every type and every field that does not say yet what it is."""
    schemas: OpenApi = document["components"]["schemas"]
    used = _uses(document)
    for name, schema in schemas.items():
        said = words()["types"].get(name) or schema.get("description", "")
        schema["description"] = " ".join(filter(None, [_proposal(schema, said) or said, _use(used.get(name, []))]))
        for field, inner in schema.get("properties", {}).items():
            if not inner.get("description") and (found := _field(name, field, inner)):
                inner["description"] = found


def _field(owner: str, field: str, schema: OpenApi) -> str | None:
    if len(only := schema.get("enum", [])) == 1:
        return f"Always `{only[0]}` here: it tells this shape from the others."
    return words()["fields"].get(f"{owner}.{field}") or words()["fields"].get(field)


def _proposal(schema: OpenApi, said: str) -> str | None:
    """A proposal is told by its kind, whose label is what its docstring says."""
    kind = schema.get("properties", {}).get("kind", {}).get("enum", [])
    if len(kind) == 1 and "new" in schema["properties"]:
        return f"A change of the kind `{kind[0]}`: {said[:1].lower()}{said[1:]}"
    return None


def _uses(document: OpenApi) -> dict[str, list[str]]:
    """By type: what takes it and gives it, and what it is a part of."""
    found: dict[str, list[str]] = {}
    for methods in document["paths"].values():
        for call in methods.values():
            given = [answer for status, answer in call["responses"].items() if status.startswith("2")]
            for does, node in (("Sent to", call.get("requestBody", {})), ("Answered by", given)):
                for name in _refs(node):
                    found.setdefault(name, []).append(f"{does} `{call['operationId']}`")
    for owner, schema in document["components"]["schemas"].items():
        for field, inner in schema.get("properties", {}).items():
            parts = list(_refs(inner))
            for name in parts if len(parts) < ANY_SHAPE else []:
                found.setdefault(name, []).append(f"In `{field}` of `{owner}`")
        for name in (each for choice in ("oneOf", "anyOf") for each in _refs(schema.get(choice, []))):
            found.setdefault(name, []).append(f"One shape of `{owner}`")
    return found


def _use(places: list[str]) -> str:
    each = list(dict.fromkeys(places))
    more = [f"in {len(each) - NAMED_LIMIT} more places"] if len(each) > NAMED_LIMIT else []
    named = [place if not number else f"{place[:1].lower()}{place[1:]}" for number, place in enumerate(each)]
    return "; ".join([*named[:NAMED_LIMIT], *more]) + "." if each else ""


def _refs(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(ref := node.get("$ref"), str) and "/schemas/" in ref:
            yield ref.rpartition("/")[2]
        for name, inner in node.items():
            if name != "example":
                yield from _refs(inner)
    elif isinstance(node, list):
        for each in node:
            yield from _refs(each)
