"""How calls are tried with whatever their schema allows, and much that it does not."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kernel.environment import ROOT
from web.schema import document

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@functools.cache
def served() -> WSGIHandler:
    """One for all tests of a process: schemathesis reads the constants of its code, which takes a second."""
    return get_wsgi_application()


@contextmanager
def application_in_a_transaction() -> Iterator[WSGIHandler]:
    """The connection stays: it holds the transaction that undoes everything, as in Django's own test client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield served()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@functools.cache
def written() -> dict[str, Any]:
    """The OpenAPI document as the code says it. Making it takes a second or two: once a process."""
    return document()


def labels_where(wanted: Callable[[str], bool]) -> list[str]:
    """The calls whose label, ``GET /api/v1/…``, is wanted. Read from the document's copy, which is held to the code
    (tests/api/test_schema.py): every process that collects tests needs them, and making it takes seconds."""
    found, path = [], ""
    for line in (ROOT / "docs/api/openapi.yaml").read_text().splitlines():
        if named := re.fullmatch(r"  (/api/\S+):", line):
            path = named[1]
        elif method := re.fullmatch(r"    (get|post|put|patch|delete):", line):
            found.append(f"{method[1].upper()} {path}")
    return [label for label in found if wanted(label)]


@functools.cache
def operations() -> dict[str, Any]:
    """Every call by its label: once a process that tries some."""
    every = schemathesis.openapi.from_dict(deepcopy(written())).get_all_operations()
    return {each.label: each for each in (found.ok() for found in every)}  # type: ignore[union-attr]  # ours is valid


def cases_of(operation: Any, application: Any) -> st.SearchStrategy[Any]:
    operation.app = operation.schema.app = application
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    return st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))


def tries(count: int, *, exhaustive: bool) -> settings:
    """As many every time, and the same; or forty times as many."""
    return settings(
        max_examples=count * 40 if exhaustive else count,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
