"""The page people read: fundamentals first, then every call, written from the same OpenAPI document programs read.

Anybody may ask for them as often as he likes, so each is made once a process: what is given is bytes that are there.
"""

from __future__ import annotations

import functools
import gzip
import json
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256

import yaml
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from web import paging, request_keys
from web.codes import all_codes
from web.headers import secured
from web.schema import PROBLEMS, OpenApi, document

DEPTH_LIMIT = 6
_making = threading.Lock()


@require_safe
def schema(request: HttpRequest) -> HttpResponseBase:
    """The OpenAPI document: JSON, or YAML with ``?format=yaml``."""
    return _given(request, _schema_yaml() if request.GET.get("format") == "yaml" else _schema_json())


@require_safe
def docs(request: HttpRequest) -> HttpResponseBase:
    return _given(request, _docs())


@require_safe
def problems(request: HttpRequest) -> HttpResponseBase:
    """Where a problem's ``type`` points: every code, what it says, which clause decides."""
    return _given(request, _problems())


class _Written:
    """A document as it is sent, packed and not; its tag changes with its content."""

    def __init__(self, text: str, media_type: str) -> None:
        self.body = text.encode()
        self.packed = gzip.compress(self.body, mtime=0)
        self.media_type = f"{media_type}; charset=utf-8"
        self.etag = f'"{sha256(self.body).hexdigest()[:32]}"'


def _once(make: Callable[[], _Written]) -> Callable[[], _Written]:
    """Made by the first who asks; whoever asks meanwhile waits for it."""
    made = functools.cache(make)

    @functools.wraps(make)
    def given() -> _Written:
        with _making:
            return made()

    return given


@_once
def _schema_json() -> _Written:
    return _Written(json.dumps(document(), ensure_ascii=False), "application/json")


@_once
def _schema_yaml() -> _Written:
    text = yaml.dump(document(), Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=100)
    return _Written(text, "application/yaml")


@_once
def _docs() -> _Written:
    shown = {"groups": _groups(), "codes": all_codes(), "keys": request_keys, "paging": paging}
    return _Written(render_to_string("web/api/docs.html", shown), "text/html")


@_once
def _problems() -> _Written:
    return _Written(render_to_string("web/api/problems.html", {"codes": all_codes()}), "text/html")


def _given(request: HttpRequest, written: _Written) -> HttpResponseBase:
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    etag = f"W/{written.etag}" if packed else written.etag
    headers = {"ETag": etag, "Vary": "Accept-Encoding", "Cache-Control": "no-cache"}
    headers |= {"Content-Encoding": "gzip"} if packed else {}
    body = written.packed if packed else written.body
    answer = secured(HttpResponse(body, content_type=written.media_type, headers=headers))
    same = get_conditional_response(request, etag=etag, response=answer)  # type: ignore[arg-type]  # it is one
    return same or answer


def _groups() -> list[OpenApi]:
    groups: dict[str, list[OpenApi]] = {}
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append(_call(path, method, operation))
    return [
        {"name": name, "title": name.replace("-", " ").capitalize(), "calls": calls} for name, calls in groups.items()
    ]


def _call(path: str, method: str, operation: OpenApi) -> OpenApi:
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
        "needs": operation.get("x-needs", []),
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


def _pretty(content: OpenApi | None) -> str:
    if not content or "example" not in content:
        return ""
    return json.dumps(content["example"], indent=2, ensure_ascii=False)


def _resolved(schema: OpenApi) -> OpenApi:
    """The schema behind a reference, its own words kept."""
    for wrapper in ("allOf", "oneOf", "anyOf"):
        options = [each for each in schema.get(wrapper, []) if each.get("type") != "null"]
        if len(options) == 1:
            return _resolved(options[0]) | {name: value for name, value in schema.items() if name == "description"}
    if "$ref" not in schema:
        return schema
    found: OpenApi = document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return found


def _row(name: str, schema: OpenApi, required: bool, said: OpenApi | None = None) -> OpenApi:
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


def _fields(schema: OpenApi, path: str = "", depth: int = 0) -> Iterator[OpenApi]:
    """Every field in it, by its path: ``plays[].stake``."""
    whole = _resolved(schema)
    if depth > DEPTH_LIMIT:
        return
    if whole.get("type") == "array":
        yield from _fields(whole["items"], f"{path}[]", depth + 1)
        return
    if "discriminator" in whole:
        yield from _variants(whole, path, depth)
        return
    required: list[object] = whole.get("required", [])
    for name, inner in whole.get("properties", {}).items():
        at = f"{path}.{name}" if path else name
        inside = _resolved(inner)
        yield _row(at, inside | {k: v for k, v in inner.items() if k == "description"}, name in required)
        items = _resolved(inside["items"]) if inside.get("type") == "array" and "items" in inside else None
        if items is not None and "properties" in items:
            yield from _fields(items, f"{at}[]", depth + 1)
        elif "properties" in inside:
            yield from _fields(inside, at, depth + 1)


def _variants(whole: OpenApi, path: str, depth: int) -> Iterator[OpenApi]:
    """What all have in common once, and what is particular to one with the value that tells it."""
    told = whole["discriminator"]
    variants = {value: list(_fields({"$ref": ref}, path, depth + 1)) for value, ref in told["mapping"].items()}
    every = list(variants.values())
    common = [row for row in every[0] if all(row in rows for rows in every)]
    yield {**_row(told["propertyName"], {"enum": list(variants)}, True), "kind": "one of the kinds below"}
    yield from common
    for value, rows in variants.items():
        own = [row for row in rows if row not in common and row["name"] != told["propertyName"]]
        yield from ({**row, "name": f"{row['name']} ({value})"} for row in own)
