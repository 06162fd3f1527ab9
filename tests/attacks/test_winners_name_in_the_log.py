"""A supervisor names the winner in the note of a verification. The log is sealed for good and goes to strangers: a name
that is in it can never be taken out again."""

from __future__ import annotations

import json

from ledger.models import Act
from tests.attacks.felt import deal, seen
from tests.attacks.insider import House


def test_the_note_stays_out_of_the_log(house: House) -> None:
    hit = deal(house.insider("table"))
    verified = seen() | {"note": "Zoe Quist, who sat at box one."}
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", verified).ok()
    acts = Act.objects.filter(kind="jackpot.hit-verified").values_list("data", flat=True)
    assert len(acts) == 1
    assert "Quist" not in json.dumps(list(acts))
    assert "CAM-12" in json.dumps(list(acts))
    auditor = house.at_console("auditor")
    for path in ("/api/v1/audit/acts/", "/audit/", "/audit/?format=csv"):
        assert "Quist" not in auditor.get(path).body
