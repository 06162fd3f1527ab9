"""Two people of the house open a link whose level is called like one of its own purses: what is contributed then stands
where winners are owed, where the house keeps its part, or where what waits above another level's ceiling is.

Stopped by: a level's name is small letters, digits and dashes, and no other purse's (``rules/pool.py``).
"""

from __future__ import annotations

import pytest

from jackpot import pools
from jackpot.models import HitMethod, Link
from jackpot.rules import handpay, pool
from jackpot.rules.catalogue import MINOR_MAJOR
from jackpot.rules.pool import Level, Parameters
from jackpot.terms import LinkTerms
from jackpot.terms import write as written
from kernel.money import Money
from kernel.refusal import Refusal
from tests.attacks.insider import House

OTHERS = {
    pools.DROP, pools.ADVANCE, pool.HOUSE, pool.WAGERS, pool.WINNERS, pool.RESERVE, pool.REIMBURSEMENT,
    handpay.TAX, *HitMethod.values,
}  # fmt: skip

TERMS = LinkTerms(
    rules=MINOR_MAJOR,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=(
            Level(name="minor", increment_rate=2000, seed=Money.dollars(500)),
            Level(name="major", increment_rate=4000, seed=Money.dollars(20_000)),
        ),
        retained_rate=4000,
    ),
)


def named(level: str) -> Parameters:
    return Parameters(wager=Money.dollars(1), levels=(Level(name=level, increment_rate=10_000, seed=Money.dollars(1)),))


@pytest.mark.parametrize("name", sorted(OTHERS | {"prize-overflow", "a:b", "Prize", " prize", "prіze", "prize\n", "-"}))
def test_no_level_is_called_like_another_purse(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        named(name)
    assert (refused.value.code, refused.value.field) == ("parameters-invalid", "levels")


@pytest.mark.parametrize("name", ["winners", "house", "minor-overflow", "a:b"])
def test_nobody_proposes_such_a_link(house: House, name: str) -> None:
    data = _with_level(TERMS, name)
    asked = {"kind": "jackpot.link", "subject": "jackpot:EVIL", "new": {"title": "E", "terms": data}, "why": "x"}
    insider = house.insider("supervisor")
    with house.unchanged():
        assert insider.post("approvals/", asked).refused("terms-invalid", "parameters-invalid")
    assert not Link.objects.filter(code="EVIL").exists()
    asked["new"] = {"title": "E", "terms": _with_level(TERMS, "grand")}
    insider.post("approvals/", asked).ok(201)  # but for its name it could be


def _with_level(link_terms: LinkTerms, name: str) -> dict[str, object]:
    """Their minor under another name."""
    data = written(link_terms)
    for level in data["levels"]:
        level["name"] = name if level["name"] == "minor" else level["name"]
    rules = data["rules"] | {"code": "ours", "title": "Ours"}
    prizes = [prize | ({"level": name} if prize["level"] == "minor" else {}) for prize in rules["prizes"]]
    return data | {"rules": rules | {"prizes": prizes}}
