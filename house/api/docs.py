"""The page people read: fundamentals first, then every call, written from the same OpenAPI document programs read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import yaml
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from house import request_keys
from house.api import paging
from house.api.codes import all_codes
from house.api.schema import PROBLEMS, Json, document

DEEP = 6


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document: JSON, or YAML with ``?format=yaml``."""
    if request.GET.get("format") == "yaml":
        text = yaml.safe_dump(document(), sort_keys=False, allow_unicode=True, width=100)
        return HttpResponse(text, content_type="application/yaml; charset=utf-8")
    return HttpResponse(json.dumps(document(), ensure_ascii=False), content_type="application/json")


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    shown = {"groups": _groups(), "codes": all_codes(), "keys": request_keys, "paging": paging}
    return render(request, "house/api/docs.html", shown)


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Where a problem's ``type`` points: every code, what it says, which clause decides."""
    return render(request, "house/api/problems.html", {"codes": all_codes()})


def _groups() -> list[Json]:
    groups: dict[str, list[Json]] = {}
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append(_call(path, method, operation))
    return [
        {"name": name, "title": name.replace("-", " ").capitalize(), "calls": calls} for name, calls in groups.items()
    ]


def _call(path: str, method: str, operation: Json) -> Json:
    parameters = operation.get("parameters", [])
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    status, answer = next((code, said) for code, said in operation["responses"].items() if code.startswith("2"))
    given = answer.get("content", {}).get("application/json")
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation.get("summary", ""),
        "description": operation.get("description", ""),
        "permission": operation["x-permission"],
        "needs_key": any(each["name"] == request_keys.HEADER for each in parameters),
        "parameters": [_row(each["name"], each["schema"], each.get("required", False), each) for each in parameters],
        "takes": list(_fields(body["schema"])) if body else [],
        "takes_example": _pretty(body),
        "status": status,
        "gives": list(_fields(given["schema"])) if given else [],
        "gives_example": _pretty(given),
        "refusals": [code for code in operation["responses"] if code in PROBLEMS and code != "default"],
    }


def _prose(text: str) -> SafeString:
    """Words between backticks as code, everything else as it is."""
    pieces = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", each) if n % 2 else each,) for n, each in pieces)
    )


def _pretty(content: Json | None) -> str:
    if not content or "example" not in content:
        return ""
    return json.dumps(content["example"], indent=2, ensure_ascii=False)


def _resolved(schema: Json) -> Json:
    """The schema behind a reference, its own words kept."""
    for wrapper in ("allOf", "oneOf", "anyOf"):
        options = [each for each in schema.get(wrapper, []) if each.get("type") != "null"]
        if len(options) == 1:
            return _resolved(options[0]) | {name: value for name, value in schema.items() if name == "description"}
    if "$ref" not in schema:
        return schema
    found: Json = document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return found


def _row(name: str, schema: Json, required: bool, said: Json | None = None) -> Json:
    words = schema.get("type", "any")
    kind = " or ".join(words) if isinstance(words, list) else words
    if "enum" in schema:
        kind = " · ".join(f"{each}" for each in schema["enum"])
    elif "format" in schema:
        kind = f"{kind}, {schema['format']}"
    description = _prose((said or schema).get("description") or schema.get("description", ""))
    return {
        "name": name,
        "kind": kind,
        "required": required,
        "description": description,
        "default": schema.get("default"),
    }


def _fields(schema: Json, path: str = "", depth: int = 0) -> Iterator[Json]:
    """Every field in it, by its path: ``plays[].stake``."""
    whole = _resolved(schema)
    if depth > DEEP:
        return
    if whole.get("type") == "array":
        yield from _fields(whole["items"], f"{path}[]", depth + 1)
        return
    required: list[Any] = whole.get("required", [])
    for name, inner in whole.get("properties", {}).items():
        at = f"{path}.{name}" if path else name
        inside = _resolved(inner)
        yield _row(at, inside | {k: v for k, v in inner.items() if k == "description"}, name in required)
        items = _resolved(inside["items"]) if inside.get("type") == "array" and "items" in inside else None
        if items is not None and "properties" in items:
            yield from _fields(items, f"{at}[]", depth + 1)
        elif "properties" in inside:
            yield from _fields(inside, at, depth + 1)
