"""What the gazette fixes nobody changes, whoever proposes and approves it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from house.approvals import propose
from house.models import Proposal
from jackpot import terms
from jackpot.demo import BOOM, CSP, GJ
from jackpot.models import Link
from jackpot.pools import read_meter
from jackpot.terms import LinkTerms
from kernel.refusal import Refusal
from tests.jackpot.dealt import ROYAL, cards
from tests.world.approvals import decide
from tests.world.house_game import HOUSE_STUD
from tests.world.jackpot_table import finish, start
from tests.world.money import dollars
from tests.world.people import SUPERVISOR


def data(of: LinkTerms, **changes: Any) -> dict[str, Any]:
    written = copy.deepcopy(terms.write(of))
    for name, value in changes.items():
        where: Any = written
        *path, last = name.split("__")
        for step in path:
            where = where[int(step)] if step.isdigit() else where[step]
        where[last] = value
    return written


CHANGED: list[tuple[LinkTerms, dict[str, Any], str, str | None]] = [
    # The link that two managers opened: a royal flush at 1%, at least $1.00.
    (CSP, {"rules__prizes__4__percent": 100, "rules__prizes__4__at_least": "1.00"}, "gazetted-figures", "12.1.1"),
    (CSP, {"rules__prizes__3__percent": 2000}, "gazetted-figures", "nsw-csp:12.1.2"),
    (CSP, {"rules__prizes__0__fixed": "499.99"}, "gazetted-figures", "nsw-csp:12.1.3-5"),
    (CSP, {"rules__folded": "loses"}, "gazetted-figures", None),
    (CSP, {"rules__contributes": "losing-wagers"}, "gazetted-figures", None),
    (CSP, {"rules__ante_clause": None}, "gazetted-figures", None),
    (CSP, {"levels__0__seed": "49999.99"}, "seed-below-guarantee", None),
    (BOOM, {"levels__0__seed": "9999.99"}, "seed-below-guarantee", None),
    (BOOM, {"reserve_rate": 2500, "retained_rate": 1500}, "nothing-to-keep", "act-cp:10.5"),
    (GJ, {"reserve_rate": 2500, "retained_rate": 1500}, "nothing-to-keep", "act-pg:12.7"),
    (GJ, {"reserve_rate": 3999, "reimbursement_rate": 1}, "nothing-to-keep", "act-pg:12.7"),
    (GJ, {"rules__prizes__2__percent": 9999}, "gazetted-figures", "act-pg:13.2-major"),
    (CSP, {"rules__code": "house-stud"}, "cites-a-clause", None),
]


@pytest.mark.clause(
    "nsw-csp:12.1.1", "nsw-csp:12.1.2", "nsw-csp:12.1.3-5", "act-cp:10.5", "act-pg:12.7", "act-pg:13.2-major"
)
@pytest.mark.parametrize(("of", "changes", "code", "clause"), CHANGED)
def test_other_figures_are_refused(of: LinkTerms, changes: dict[str, Any], code: str, clause: str | None) -> None:
    with pytest.raises(Refusal) as refused:
        terms.check(terms.read(data(of, **changes)))
    assert refused.value.code == code
    if clause:
        assert str(refused.value.clause).endswith(clause)


@pytest.mark.clause("nsw-csp:11.6")
def test_what_the_rule_leaves_open_is_free() -> None:
    free = {"wager": "5.00", "bonus": "100.00", "levels__0__seed": "60000.00", "levels__0__ceiling": "9000000.00"}
    terms.check(terms.read(data(CSP, **free, reserve_rate=3000, retained_rate=0)))
    terms.check(LinkTerms(rules=HOUSE_STUD, parameters=CSP.parameters, bonus=CSP.bonus))
    for of in (CSP, BOOM, GJ):
        terms.check(of)


@pytest.mark.usefixtures("floor")
def test_it_cannot_even_be_proposed() -> None:
    new = {"title": "Cheap", "terms": data(CSP, rules__prizes__4__percent=100, rules__prizes__4__at_least="1.00")}
    for kind, subject, value in (
        ("jackpot.link", "jackpot:CHEAP", new),
        ("jackpot.terms", "jackpot:CSP", new["terms"]),
        ("jackpot.terms", "jackpot:BOOM", data(BOOM, reserve_rate=2500, retained_rate=1500)),
    ):
        with pytest.raises(Refusal):
            propose(kind=kind, subject=subject, new=value, why="Agreed on Monday.", by=SUPERVISOR)
    assert not Proposal.objects.exists()
    assert not Link.objects.filter(code="CHEAP").exists()


@pytest.mark.usefixtures("floor")
def test_a_lower_ceiling_does_not_cut_a_running_meter() -> None:
    """It takes effect when the pool is won; until then the meter shows what players have been shown."""
    adjusted = {"purse": "prize", "amount": "2000000.00", "cause": "promotion"}
    about: dict[str, Any] = {"subject": "jackpot:CSP", "why": "Agreed on Monday.", "by": SUPERVISOR}
    decide(propose(kind="jackpot.adjustment", new=adjusted, **about))
    lower = data(CSP, levels__0__ceiling="1900000.00")
    with pytest.raises(Refusal):
        propose(kind="jackpot.terms", new=lower, **about)
    waiting = decide(propose(kind="jackpot.terms", new=lower, condition="when-won", **about))
    assert waiting.status == "approved"
    link = Link.objects.get(code="CSP")
    assert read_meter(link).total == dollars("2050000.00")
    (royal,) = finish(start("CSP-01", (1,)), cards(1, ROYAL))
    assert royal.amount == dollars("2050001.75")
    assert terms.of(terms.in_force(link)).parameters.levels[0].ceiling == dollars("1900000.00")
