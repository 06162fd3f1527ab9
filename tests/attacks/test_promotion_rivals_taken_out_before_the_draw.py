"""Nobody can choose who is drawn; but who takes everybody else out of the list before it is sealed needs not to. A
manager withdraws the entries of all but his friend, once and again, from his console and from a device in his name.

What stops it: an entry is out once two people have said so, and a device counts as who holds it; what one person said
alone leaves the entry where it is, and is in the log. Not stopped: two of them together, for a reason of which each
person is told.
"""

from __future__ import annotations

import pytest

from ledger.models import Act
from promotions.locks import database_time
from promotions.models import Entry, EntryList
from promotions.run import close
from promotions.seal import seal
from tests.attacks.promotions import Insiders
from tests.world.promotion_draws import put_in
from tests.world.promotions import running

pytestmark = pytest.mark.django_db


def test_the_list_holds_everybody_whom_one_person_took_out() -> None:
    insiders = Insiders()
    promotion = running()
    put_in("ABCDEFGH")
    rivals = list(Entry.objects.order_by("id").values_list("pk", flat=True))[1:]
    at_console = insiders.at_console("manager")
    for number in rivals:
        call = f"promotions/SPRING/entries/{number}/withdraw"
        assert insiders.manager.post(call, {"why": "Not eligible."}).json()["withdrawn_at"] is None
        for again in (insiders.manager, at_console):
            answer = again.post(call, {"why": "I am sure."})
            assert (answer.status_code, answer.json()["code"]) == (403, "same-person")
    assert not Entry.objects.exclude(withdrawn_at=None).exists()
    assert Act.objects.filter(kind="promotion.withdrawal-said").count() == len(rivals)
    assert promotion.closes_at is not None
    close(code="SPRING", now=max(promotion.closes_at, database_time()))
    seal(code="SPRING", now=promotion.draw_at)
    assert EntryList.objects.get().count == 1 + len(rivals)
