"""The client's types are the OpenAPI document's."""

from __future__ import annotations

import runpy

from kernel.environment import ROOT
from tests.world.fuzzing import written as document

CLIENT = ROOT / "clients/python"


def test_the_shapes_are_what_the_document_says() -> None:
    script = runpy.run_path(str(CLIENT / "write_shapes.py"))
    for room in script["ROOMS"]:
        committed = (CLIENT / "meterhouse_client" / f"{room}_shapes.py").read_text()
        assert committed == script["written"](document(), room), "Write them anew: clients/python/write_shapes.py"
