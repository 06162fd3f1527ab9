"""A known player has a sign of his own, up to $5,000, which two people agreed on. A supervisor's friend wagers on the
same box, far above the table's maximum, and the supervisor has the hand checked by the other's sign.

What stops it: what is allowed to one player is his (nsw-csp:6.6). A hand is checked by its own player's limits: with
another card at that box by the table's, and what was paid above them is an overpayment on record.
"""

from __future__ import annotations

import pytest
from django.test import override_settings

from house.models import Proposal
from house.plan_days import ensure_gaming_days
from tablegames.demo import build_demo
from tablegames.models import PaymentError
from tests.attacks.felt import HAND
from tests.attacks.promotions import Insiders
from tests.world.players import registered

pytestmark = pytest.mark.django_db
TABLE = "tablegames/tables/CSP-01"


@pytest.mark.clause("nsw-csp:6.6")
def test_a_friend_has_no_part_in_it() -> None:
    ensure_gaming_days()
    insiders = Insiders()
    with override_settings(DEMO=True):
        build_demo()
    registered("C-KNOWN", "C-FRIEND")
    seated = insiders.supervisor.post(f"{TABLE}/seats", {"box": 3, "player": "C-KNOWN"}).json()["seats"][0]["number"]
    own = {"limits": {"ante": {"minimum": "5.00", "maximum": "5000.00"}}, "why": "A known player."}
    assert insiders.supervisor.post(f"{TABLE}/seats/{seated}/limits", own).status_code == 202
    assert insiders.manager.post(f"approvals/{Proposal.objects.get().pk}/approve").status_code == 200
    his = insiders.supervisor.post("tablegames/settle", HAND | {"player": "C-KNOWN"})
    assert (his.status_code, his.json()["difference"]) == (201, "0.00")
    assert not PaymentError.objects.exists()
    friends = insiders.supervisor.post("tablegames/settle", HAND | {"player": "C-FRIEND"})
    assert friends.status_code == 201
    assert friends.json()["difference"] not in ("0.00", None)
    assert PaymentError.objects.filter(direction="over").exists()
