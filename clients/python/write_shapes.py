"""Writes the client's shapes from the OpenAPI document: ``python clients/python/write_shapes.py``.

Only of calls that the client has; a test writes them anew and compares (tests/clients/test_shapes.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
ROOMS = {
    "keno": (
        "quote", "tickets", "tickets/{serial}", "tickets/{serial}/look-up", "tickets/{serial}/cancel",
        "tickets/{serial}/pay", "tickets/{serial}/print", "vouchers/{code}/redeem", "games/current", "games/{number}",
        "shifts", "shifts/current", "shifts/{id}/close",
    ),
    "jackpot": (
        "pools", "pools/{code}", "tables/{code}/rounds", "rounds/{id}/finish", "rounds/{id}/void",
        "tables/{code}/heartbeat", "contributions", "meters",
    ),
}  # fmt: skip
LOOKED_UP = {"tickets", "contributions", "shifts", "tables/{code}/rounds"}  # of which the list is not the client's
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "object": "object"}
WIDTH = 120
Schema = dict[str, Any]


def name_of(ref: str) -> str:
    return ref.rpartition("/")[2].replace("_", "")


def typed(schema: Schema) -> str:
    if "$ref" in schema:
        return name_of(schema["$ref"])
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return " | ".join(dict.fromkeys(typed(each) for each in schema[choice]))
    if "enum" in schema:
        return "Literal[" + ", ".join('"' + each + '"' if each is not None else "None" for each in schema["enum"]) + "]"
    kinds = schema.get("type", "object")
    return " | ".join(dict.fromkeys(_of(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)))


def _of(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"list[{typed(schema.get('items', {}))}]"
    if kind == "object" and isinstance(inner := schema.get("additionalProperties"), dict) and inner:
        return f"dict[str, {typed(inner)}]"
    return TYPES[kind]


def refs(node: object) -> Iterator[str]:
    """In the order of the document."""
    if isinstance(node, dict):
        if "$ref" in node and "/schemas/" in node["$ref"]:
            yield node["$ref"].rpartition("/")[2]
        for inner in node.values():
            yield from refs(inner)
    elif isinstance(node, list):
        for each in node:
            yield from refs(each)


def reached(document: Schema, room: str) -> list[str]:
    """Every type that the calls of a room need."""
    found: dict[str, None] = {}
    for path in ROOMS[room]:
        for method, call in document["paths"][f"/api/v1/{room}/{path}"].items():
            if method != "get" or path not in LOOKED_UP:
                said = [call.get("requestBody", {}), *(v for k, v in call["responses"].items() if k.startswith("2"))]
                found |= dict.fromkeys(refs(said))
    waiting = list(found)
    while waiting:
        inner = [name for name in refs(document["components"]["schemas"][waiting.pop()]) if name not in found]
        found |= dict.fromkeys(inner)
        waiting += inner
    return sorted(found)


def shape(name: str, schema: Schema) -> str:
    if "properties" not in schema:
        return f"{name_of(name)}: TypeAlias = {typed(schema)!r}\n"
    lines = [f"class {name_of(name)}(TypedDict):"]
    for field, inner in schema["properties"].items():
        kind = typed(inner)
        kind = kind if field in schema.get("required", []) else f"NotRequired[{kind}]"
        line = f"    {field}: {kind}"
        lines.append(line if len(line) <= WIDTH else _wrapped(field, kind))
    return "\n".join(lines) + "\n"


def _wrapped(field: str, kind: str) -> str:
    head, _, rest = kind.partition("[")
    inside = re.sub(r",? *$", "", rest[:-1])
    if len(inside) + 8 <= WIDTH:
        return f"    {field}: {head}[\n        {inside}\n    ]"
    each = "\n".join(f"        {value}," for value in inside.split(", "))
    return f"    {field}: {head}[\n{each}\n    ]"


def written(document: Schema, room: str) -> str:
    shapes = [shape(name, document["components"]["schemas"][name]) for name in reached(document, room)]
    text = "\n\n".join(shapes)
    used = [word for word in ("Literal", "NotRequired", "TypeAlias", "TypedDict") if re.search(rf"\b{word}\b", text)]
    return (
        f'"""What calls of {room} take and give, written from the OpenAPI document by write_shapes.py."""\n\n'
        f"from __future__ import annotations\n\nfrom typing import {', '.join(used)}\n\n\n{text}"
    )


def main() -> None:
    document = yaml.load((HERE.parents[1] / "docs/api/openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
    for room in ROOMS:
        (HERE / "meterhouse_client" / f"{room}_shapes.py").write_text(written(document, room))


if __name__ == "__main__":
    main()
