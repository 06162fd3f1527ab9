"""What callers rely on, in a few lines a call:

POST /api/v1/keno/quote ? Idempotency-Key          what is asked for beside the body
POST /api/v1/keno/quote < numbers[] stake:string   what may be sent; ``*`` has to be
POST /api/v1/keno/quote > 200 price:string         what is answered
POST /api/v1/keno/quote ! 400 401 422              how it is refused
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

METHODS = ("get", "post", "put", "patch", "delete")
DEPTH_LIMIT = 7  # a shape may hold itself

Document = dict[str, Any]
Found = dict[str, set[str]]  # types by name


def lines(document: Document) -> Iterator[str]:
    for path, methods in document["paths"].items():
        for method in (each for each in METHODS if each in methods):
            call, where = methods[method], f"{method.upper()} {path}"
            asked = [each["name"] + "*" * each.get("required", False) for each in call.get("parameters", ())]
            yield " ".join([where, "?", *sorted(asked)])
            if "requestBody" in call:
                yield " ".join([where, "<", *_fields(document, call["requestBody"], sent=True)])
            refused = []
            for status, answer in call["responses"].items():
                if status.startswith("2"):
                    yield " ".join([where, f"> {status}", *_fields(document, answer, sent=False)])
                else:
                    refused.append(status)
            yield " ".join([where, "!", *sorted(refused)])


def _fields(document: Document, part: dict[str, Any], *, sent: bool) -> list[str]:
    found: Found = {}
    needed: set[str] = set()
    for media in part.get("content", {}).values():
        _collect(document, media.get("schema", {}), "", found, needed)
    return [
        f"{name}{'*' if sent and name in needed else ''}:{'|'.join(sorted(types)) or 'any'}"
        for name, types in sorted(found.items())
    ]


def _collect(
    document: Document, schema: dict[str, Any], name: str, found: dict[str, set[str]], needed: set[str]
) -> None:
    """Every field below, by its way from the top: ``plays[].spots``."""
    if name.count(".") + name.count("[]") + name.count("{}") > DEPTH_LIMIT:
        return
    forms = _forms(document, schema)
    for form in forms:
        for key, part in form.get("properties", {}).items():
            below = f"{name}.{key}" if name else key
            found.setdefault(below, set()).update(kind for each in _forms(document, part) for kind in _types(each))
            if len(forms) == 1 and key in form.get("required", ()):
                needed.add(below)
            _collect(document, part, below, found, needed)
        if "items" in form:
            _collect(document, form["items"], f"{name}[]", found, needed)
        if isinstance(each := form.get("additionalProperties"), dict):
            _collect(document, each, f"{name}{{}}", found, needed)


def _forms(document: Document, schema: dict[str, Any]) -> list[dict[str, Any]]:
    """What it may be: references followed, alternatives apart."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    several = [form for key in ("oneOf", "anyOf", "allOf") for form in schema.get(key, ())]
    return [form for each in several for form in _forms(document, each)] or [schema]


def _types(schema: dict[str, Any]) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else kind
