from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from django.test import Client
from drf_spectacular import validation

from house import approvals
from house.api.checks import routes
from tests.world.fuzzing import written as document
from web.api_words import words

COPY = Path(__file__).resolve().parents[2] / "docs" / "api" / "openapi.yaml"
COMMAND = "python manage.py spectacular --validate --fail-on-warn --file docs/api/openapi.yaml"


def read(text: str | bytes) -> Any:
    """As yaml.safe_load reads it; written in C, it takes a quarter of the time."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


def test_the_committed_copy_is_what_the_code_says() -> None:
    committed = read(COPY.read_text()) if COPY.exists() else None
    assert committed == document(), f"The API has changed. If that is meant, write it down: {COMMAND}"


def test_it_is_openapi_3_1() -> None:
    """By the schema that drf-spectacular ships: its own check of it, in Python, takes 5 s."""
    assert document()["openapi"] == "3.1.0"
    of_openapi = json.loads(Path(validation.__file__).with_name("openapi_3_1_schema.json").read_text())
    validator = jsonschema_rs.validator_for(of_openapi)
    assert [error.message for error in validator.iter_errors(document())] == []
    assert not validator.is_valid(document() | {"paths": []})


def operations() -> dict[str, Any]:
    return {
        operation["operationId"]: operation
        for methods in document()["paths"].values()
        for operation in methods.values()
    }


def test_every_call_is_in_it_with_its_key_and_problems() -> None:
    found = operations()
    assert len(found) == len(routes())
    report = found["reportIncident"]
    assert [each["name"] for each in report["parameters"] if each["in"] == "header"] == ["Idempotency-Key"]
    assert set(report["responses"]) == {"201", "400", "401", "403", "409", "422", "503", "default"}
    assert report["security"] == [{"token": []}, {"session": []}]
    assert found["provisionDevice"]["security"] == []
    assert "429" in found["provisionDevice"]["responses"]
    assert {each["name"] for each in found["listIncidents"]["parameters"]} == {
        "cursor",
        "limit",
        "gaming_day",
        "status",
        "kind",
        "overdue",
    }
    for operation in found.values():
        assert operation["summary"], operation["operationId"]


def test_every_call_is_called_by_a_verb() -> None:
    unnamed = [name for name in operations() if not re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", name)]
    assert unnamed == [], "Name them in docs/api/words.yaml."
    paths = document()["paths"]
    assert paths["/api/v1/keno/tickets"]["post"]["operationId"] == "sellTicket"
    addresses = {
        f"{method.upper()} {path.removeprefix('/api/v1/')}" for path, methods in paths.items() for method in methods
    }
    assert set(words()["operations"]) == addresses, "docs/api/words.yaml names calls that are not there"


def test_every_type_field_and_parameter_says_what_it_is() -> None:
    schemas = document()["components"]["schemas"]
    fields = {
        f"{name}.{field}": inner
        for name, each in schemas.items()
        for field, inner in each.get("properties", {}).items()
    }
    asked = {
        f"{name} {each['name']}": each
        for name, operation in operations().items()
        for each in operation.get("parameters", [])
    }
    silent = [name for name, each in {**schemas, **fields, **asked}.items() if not each.get("description")]
    assert silent == [], "Say it in help_text or the docstring, or in docs/api/words.yaml."
    said = [schema["description"] for schema in schemas.values()]
    assert len(said) == len(set(said)), "two types say the same"
    assert set(words()["types"]) <= set(schemas)
    assert set(words()["fields"]) <= {name.partition(".")[2] for name in fields} | set(fields)


def test_every_approvable_has_a_shape() -> None:
    schemas = document()["components"]["schemas"]
    mapped = schemas["ProposalIn"]["discriminator"]["mapping"]
    assert set(mapped) == set(approvals.kinds())
    for kind, ref in mapped.items():
        new = schemas[ref.rpartition("/")[2]]["properties"]["new"]
        known = {"$ref", "oneOf", "anyOf", "allOf", "items", "enum", "pattern", "format"} & set(new)
        assert known or new.get("type") not in (None, "object"), kind


def test_requests_with_unknown_fields_do_not_conform() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas["IncidentIn"]["additionalProperties"] is False
    assert schemas["Problem"]["required"] == ["type", "title", "status", "code", "detail"]


def test_every_example_conforms_to_its_schema() -> None:
    """All of them against one schema, which has a property for each."""
    schemas, examples = {}, {}
    for name, operation in operations().items():
        bodies = {"": operation.get("requestBody", {}), **operation["responses"]}
        for status, body in bodies.items():
            content = body.get("content", {}).get("application/json", {})
            if "example" in content:
                schemas[f"{name} {status}"], examples[f"{name} {status}"] = content["schema"], content["example"]
    validator = jsonschema_rs.validator_for({"properties": schemas, "components": document()["components"]})
    errors = [(list(error.instance_path), error.message) for error in validator.iter_errors(examples)]
    assert errors == []
    assert len(examples) >= 15


@pytest.mark.django_db
def test_served_to_everybody(client: Client) -> None:
    assert client.get("/api/schema/").json() == document()
    assert read(client.get("/api/schema/?format=yaml").content) == document()


@pytest.mark.django_db
def test_the_page_for_people_has_every_call_and_nothing_from_elsewhere(client: Client) -> None:
    page = client.get("/api/docs/").content.decode()
    for name in operations():
        assert f'id="{name}"' in page
        assert f'href="#{name}"' in page
    for word in ("Idempotency-Key", "two decimals", "RFC 3339", "plays[0].stake", "Authorization: Bearer"):
        assert word in page
    for absent in ("<script", "https://", "http://"):
        assert absent not in page
