"""The OpenAPI 3.1 document, written from what the calls declare (web/view.py)."""

from __future__ import annotations

import functools
import re
from typing import Any, Literal

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers

from web import api_words, request_keys
from web.fields import AnyOf, Nothing, StrictSerializer
from web.view import PUBLIC, SIGNED_IN, Call, HouseView

OpenApi = dict[str, Any]
Direction = Literal["request", "response"]
BASE = "/api/v1/"

PROBLEM: OpenApi = {
    "type": "object",
    "description": "What was refused, why, and what to do now (RFC 9457).",
    "required": ["type", "title", "status", "code", "detail"],
    "properties": {
        "type": {"type": "string", "description": "Where the code is explained."},
        "title": {"type": "string", "description": "What kind of problem it is, for people."},
        "status": {"type": "integer", "description": "The status of the answer, once more."},
        "code": {"type": "string", "description": "Stable: programs decide by it."},
        "clause": {"type": "string", "description": "The gazetted rule that decides, where one does."},
        "detail": {"type": "string", "description": "A sentence for people."},
        "field": {"type": "string", "description": "Where in the request: `plays[0].stake`."},
        "errors": {
            "type": "array",
            "description": "All that is wrong, where it is more than one thing.",
            "items": {
                "type": "object",
                "required": ["field", "code", "detail"],
                "properties": {name: {"type": "string"} for name in ("field", "code", "detail")},
            },
        },
    },
}
PROBLEMS = {
    "400": ("Malformed", "The request cannot be read."),
    "401": ("NotSignedIn", "The caller is not known."),
    "403": ("Forbidden", "The caller has no right to do this."),
    "404": ("NotFound", "There is no such thing."),
    "409": ("Conflict", "The state of things does not allow it, or the request key was used for another request."),
    "422": ("Refused", "A rule does not allow it."),
    "429": ("TooMany", "Asked too often."),
    "503": ("Busy", "Somebody else is changing the same thing. Nothing was done; try again."),
    "default": ("Problem", "Any other problem."),
}
SECURITY: list[OpenApi] = [{"token": []}, {"session": []}]
SECURITY_SCHEMES: OpenApi = {
    "token": {"type": "http", "scheme": "bearer", "description": "A device's token."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "The console's session, after the second step; with its CSRF token where something changes.",
    },
}
KEY_PARAMETER: OpenApi = {
    "name": request_keys.HEADER,
    "in": "header",
    "required": True,
    "description": "Yours for this request: the same each time this request is sent, another for another request.",
    "schema": {
        "type": "string",
        "minLength": 1,
        "maxLength": request_keys.KEY_CHARACTERS_LIMIT,
        "pattern": r"^[!-~]([ -~]*[!-~])?$",
        "examples": ["01JCX4T7T0W6"],
    },
}


_PAPER: OpenApi = {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}


class Schema(AutoSchema):
    """One operation from one Call."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> OpenApi | None:
        self.path, self.path_regex, self.path_prefix, self.method = path, path_regex, path_prefix, method.upper()
        self.registry = registry
        if not isinstance(self.view, HouseView):
            return None
        call = self.view.calls()[self.method]
        words = [word.strip("{}") for word in path.removeprefix(BASE).split("/") if word]
        operation: OpenApi = {
            "operationId": api_words.operation_id(self.method, path.removeprefix(BASE)),
            "summary": call.summary,
            "description": call.description,
            "tags": [words[0]],
            "parameters": self._parameters(call),
            "x-permission": call.permission,
            "x-needs": [need for each in call.permission.alternatives for need in each.needs()],
        }
        if self.method in {"POST", "PUT", "PATCH"} and call.takes is not Nothing:
            operation["requestBody"] = {"required": True, "content": {"application/json": self._body(call)}}
        operation["security"] = [] if call.permission == PUBLIC else SECURITY
        operation["responses"] = self._answers(call)
        return {name: value for name, value in operation.items() if value or name == "security"}

    def get_serializer_name(self, serializer: object, direction: Direction) -> str:
        """Named after its room too: Keno's ``PayIn`` is not the jackpots'."""
        name = type(serializer).__name__
        room = getattr(serializer, "named_after", None) or type(serializer).__module__.partition(".")[0]
        return name if room == "house" or name.lower().startswith(room) else f"{room.capitalize()}{name}"

    def _parameters(self, call: Call) -> list[OpenApi]:
        variables = re.findall(r"{(\w+)}", self.path)
        parameters = [*self._resolve_path_parameters(variables)]  # type: ignore[no-untyped-call]
        for each in parameters:
            each.setdefault("description", api_words.parameter_words(each["name"]))
        question = self._map_serializer(call.asks(), "request")  # type: ignore[no-untyped-call]
        for name, schema in question.get("properties", {}).items():
            said = schema.pop("description", None) or api_words.parameter_words(name)
            parameter = {"name": name, "in": "query", "description": said, "schema": schema}
            parameters.append({word: value for word, value in parameter.items() if value})
        return [*parameters, *([KEY_PARAMETER] if call.needs_key else [])]

    def _ref(self, serializer: type[serializers.Serializer[Any]], many: bool, direction: Direction) -> OpenApi:
        if issubclass(serializer, StrictSerializer) and serializer.told_apart_by:
            schema: OpenApi = self._one_of(serializer, direction)
        else:
            schema = self.resolve_serializer(serializer(), direction).ref
        return {"type": "array", "items": schema} if many else schema

    def _one_of(self, serializer: type[StrictSerializer], direction: Direction) -> OpenApi:
        """One component a variant, and one over them that says which field tells them apart."""
        component = ResolvedComponent(
            name=self.get_serializer_name(serializer(), direction), type=ResolvedComponent.SCHEMA, object=serializer
        )
        if component not in self.registry:
            refs = {
                value: self.resolve_serializer(variant(), direction).ref
                for value, variant in serializer.variants().items()
            }
            component.schema = {
                "oneOf": list(refs.values()),
                "discriminator": {
                    "propertyName": serializer.told_apart_by,
                    "mapping": {value: ref["$ref"] for value, ref in refs.items()},
                },
            }
            self.registry.register(component)
        return dict(component.ref)

    def _body(self, call: Call) -> OpenApi:
        return _with_example(self._ref(call.takes, call.takes_many, "request"), call.takes, call.takes_many)

    def _answers(self, call: Call) -> OpenApi:
        answers: OpenApi = {}
        if call.gives is None:
            answers["204"] = {"description": "Done."}
        else:
            schema = self._ref(call.gives, call.gives_many, "response")
            content = _with_example(schema, call.gives, call.gives_many)
            if call.paged_by:
                content = _page(schema, call.gives)
            answers[str(call.status)] = {
                "description": "Done." if call.needs_key else "The answer.",
                "content": {"application/json": content} | dict.fromkeys(call.also, _PAPER),
            }
            if call.needs_key:
                answers[str(call.status)]["headers"] = {
                    request_keys.REPLAYED: {
                        "description": "`true` where this request was answered before and nothing was done again.",
                        "schema": {"type": "string", "enum": ["true"]},
                    }
                }
        if call.proposes is not None:
            schema = self._ref(call.proposes, False, "response")
            answers["202"] = {
                "description": "Nothing was done: others decide, and this is what was proposed to them.",
                "content": {"application/json": _with_example(schema, call.proposes, False)},
            }
        for status in self._refusals(call):
            answers[status] = {"$ref": f"#/components/responses/{PROBLEMS[status][0]}"}
        return answers

    def _refusals(self, call: Call) -> list[str]:
        statuses = ["400"]
        statuses += [] if call.permission == PUBLIC else ["401"]
        statuses += [] if call.permission in {PUBLIC, SIGNED_IN} else ["403"]
        statuses += ["404"] if "{" in self.path else []
        statuses += ["409"] if call.needs_key else []
        statuses += ["422"] if self.method != "GET" else []
        statuses += ["429"] if getattr(self.view, "slowed", False) else []
        return [*statuses, "503", "default"]

    def _map_serializer_field(self, field: object, direction: Direction, bypass_extensions: bool = False) -> OpenApi:
        if not isinstance(field, AnyOf):
            plain = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]
            return dict(plain)
        forms: list[OpenApi] = [{"type": "null"}] if field.allow_null else []
        for each in field.forms():
            shown = self._map_serializer_field(each, direction)
            forms += [shown] if shown not in forms else []
        return {"anyOf": forms} | ({"description": field.help_text} if field.help_text else {})

    def _map_basic_serializer(self, serializer: object, direction: str) -> OpenApi:
        schema: OpenApi = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        schema.pop("description", None)
        if said := api_words.own_words(serializer):
            schema["description"] = said
        if isinstance(serializer, StrictSerializer) or (
            isinstance(serializer, type) and issubclass(serializer, StrictSerializer)
        ):
            schema["additionalProperties"] = False
        return schema


def _with_example(schema: OpenApi, serializer: type[Any], many: bool) -> OpenApi:
    example = getattr(serializer, "example", None)
    if example is None:
        return {"schema": schema}
    return {"schema": schema, "example": [example] if many else example}


def _page(row: OpenApi, serializer: type[Any]) -> OpenApi:
    link = {"type": ["string", "null"], "format": "uri", "description": "That page of the list; null: there is none."}
    schema = {
        "type": "object",
        "required": ["results", "next", "previous"],
        "additionalProperties": False,
        "properties": {
            "results": {"type": "array", "items": row, "description": "The rows of this page."},
            "next": link,
            "previous": link,
        },
    }
    example = getattr(serializer, "example", None)
    return {"schema": schema} | (
        {"example": {"results": [example], "next": None, "previous": None}} if example is not None else {}
    )


def finish(result: OpenApi, generator: Any, request: Any, public: bool) -> OpenApi:
    """What every operation shares: the problem document and the ways to sign in."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    components["schemas"] = dict(sorted(components["schemas"].items()))
    components["securitySchemes"] = SECURITY_SCHEMES
    components["responses"] = {
        name: {
            "description": says,
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for name, says in PROBLEMS.values()
    }
    finished: OpenApi = _without_marks(result)
    api_words.describe(finished)
    return finished


def _without_marks(node: Any) -> Any:
    """Without the generator's own marks, which mean nothing to a reader."""
    if isinstance(node, dict):
        return {name: _without_marks(inner) for name, inner in node.items() if name != "x-spec-enum-id"}
    return [_without_marks(each) for each in node] if isinstance(node, list) else node


@functools.cache
def document() -> OpenApi:
    """The document as this code has it. It changes only with the code."""
    schema: OpenApi = SchemaGenerator().get_schema(request=None, public=True)
    return schema
