"""What terms must say and prizes may be, under either edition, against the wording of the orders."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.money import Money
from kernel.refusal import Refusal
from promotions.rules.editions import EDITIONS, edition, needs_scrutineer
from promotions.rules.prohibited import hints, must_be_confirmed, refuse_prohibited
from promotions.rules.terms import check, read
from tests.world.promotions import NOW, prize, terms, without

BOTH = pytest.mark.parametrize("code", ["2019", "2025"])
RULE = {"2019": "nsw-promo-2019:15", "2025": "nsw-promo-2025:17"}

# The paragraphs of the orders, read by a person, with the particulars they ask for.
PARAGRAPHS = {
    "7.1": {"manner"},
    "7.2": {"awarded_at", "awarded_where"},
    "7.3": {"eligibility"},
    "7.4": {"minimum_wager"},
    "7.5": {"nature", "reservations"},
    "7.6": {"entries_close_at"},
    "7.7": {"place", "starts_at", "draw_at"},
    "7.8": {"claim", "must_be_present", "claim_within_days", "unclaimed"},
    "7.9": {"notification"},
    "7.10": {"publication"},
    "7.11": {"prizes"},
}
DETAILS: dict[str, tuple[str, dict[str, Any]]] = {
    "appliance": ("7.11.1", {"make": "Breville", "model": "BES878", "accessories": "none"}),
    "vehicle": (
        "7.11.2",
        {"make": "Toyota", "model": "Yaris", "accessories": "Floor mats", "on_road_costs": True},
    ),
    "travel": (
        "7.11.3",
        {
            "persons": 2,
            "airfares": "Sydney to Nadi and back, economy",
            "transfers": "Airport to hotel",
            "other_transport": "none",
            "duration": "Five nights",
            "accommodation": "Four stars",
            "meals": "Breakfast",
            "restrictions": "Before 30 June 2027, not in school holidays",
            "spending_money": "500.00",
        },
    ),
    "real-estate": (
        "7.11.4",
        {
            "dwelling": "Apartment of two bedrooms",
            "plans": "Strata plan 1234, lot 5",
            "contract": "Standard contract for sale of land",
            "easements": "none",
            "address": "5/10 Harbour Street, Sydney",
            "conveyancing": True,
            "legal_costs": True,
            "fixtures": "All",
            "furniture": "none",
        },
    ),
}


def fields(lines: Iterable[Any]) -> set[str]:
    return {line.field for line in lines}


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_complete_terms_have_an_empty_checklist_and_can_be_read(code: str) -> None:
    data = terms()
    assert check(data, edition(code)) == []
    found = read(data, edition(code))
    assert (found.starts_at, found.entries_close_at) == (NOW, NOW + timedelta(days=7))
    assert found.draw_at == NOW + timedelta(days=7, hours=1)
    assert found.minimum_wager is None
    assert (found.must_be_present, found.call_seconds, found.claim_within_days) == (False, None, 28)
    assert [(each.name, each.value, each.quantity) for each in found.prizes] == [
        ("Two thousand dollars", Money.parse("2000.00"), 1)
    ]


@BOTH
@pytest.mark.parametrize("paragraph", list(PARAGRAPHS))
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7", "nsw-promo-2019:15.7.1-11")
def test_each_required_particular_is_missed_with_its_clause(code: str, paragraph: str) -> None:
    for key in PARAGRAPHS[paragraph]:
        for data in (without(terms(), key), terms() | {key: None}, terms() | {key: [] if key == "prizes" else " "}):
            lines = check(data, edition(code))
            assert [(line.field, line.clause) for line in lines] == [(key, f"{RULE[code]}.{paragraph}")]
            with pytest.raises(Refusal) as refused:
                read(data, edition(code))
            assert refused.value.code == "terms-incomplete"
            assert refused.value.clause == f"{RULE[code]}.{paragraph}"
            assert [line["field"] for line in refused.value.extra["missing"]] == [key]


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_an_empty_draft_lists_every_particular_once_in_the_order_of_the_rule(code: str) -> None:
    lines = check({}, edition(code))
    order = [line.clause or "" for line in lines]
    numbers = [tuple(int(part) for part in clause.partition(":")[2].split(".")) for clause in order]
    assert numbers == sorted(numbers)
    assert fields(lines) == set().union(*PARAGRAPHS.values())


@pytest.mark.parametrize("kind", list(DETAILS))
@BOTH
@pytest.mark.clause(
    "nsw-promo-2025:17.7.11.1",
    "nsw-promo-2025:17.7.11.2",
    "nsw-promo-2025:17.7.11.3",
    "nsw-promo-2025:17.7.11.4",
    "nsw-promo-2019:15.7",
)
def test_a_prize_of_a_kind_says_what_its_kind_needs(code: str, kind: Any) -> None:
    paragraph, details = DETAILS[kind]
    whole = prize(kind=kind, name="The prize", payment=["handed-over"], details=details)
    assert check(terms(prizes=[whole]), edition(code)) == []
    for key in details:
        lines = check(terms(prizes=[whole | {"details": without(details, key)}]), edition(code))
        assert [(line.field, line.clause) for line in lines] == [
            (f"prizes[0].details.{key}", f"{RULE[code]}.{paragraph}")
        ]


@pytest.mark.parametrize("kind", ["voucher", "casino-dollars", "slots-dollars", "goods"])
@BOTH
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_vouchers_and_casino_dollars_say_what_using_them_depends_on(code: str, kind: str) -> None:
    lines = check(terms(prizes=[prize(kind=kind, payment=["issued"])]), edition(code))
    assert lines
    assert {line.clause for line in lines} == {f"{RULE[code]}.7.11"}


@BOTH
@pytest.mark.parametrize("key", ["name", "value", "conditions", "kind"])
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_a_prize_has_a_name_a_kind_a_value_and_conditions(code: str, key: str) -> None:
    lines = check(terms(prizes=[without(prize(), key)]), edition(code))
    assert (f"prizes[0].{key}", f"{RULE[code]}.7.11") in [(line.field, line.clause) for line in lines]


@pytest.mark.clause("nsw-promo-2025:17.7.1-11")
def test_entrants_who_must_be_present_are_told_how_long_they_are_called() -> None:
    lines = check(terms(must_be_present=True), edition("2025"))
    assert [(line.field, line.clause) for line in lines] == [("call_seconds", "nsw-promo-2025:17.7.8")]
    assert check(terms(must_be_present=True, call_seconds=120), edition("2025")) == []


@pytest.mark.clause("nsw-promo-2025:17.7.1-11")
@pytest.mark.parametrize(
    ("change", "field", "paragraph"),
    [
        ({"entries_close_at": NOW.isoformat()}, "entries_close_at", "7.6"),
        ({"draw_at": (NOW + timedelta(days=6)).isoformat()}, "draw_at", "7.7"),
        ({"awarded_at": NOW.isoformat()}, "awarded_at", "7.2"),
        ({"starts_at": "next Monday"}, "starts_at", "7.7"),
        ({"starts_at": "2026-11-16T09:00:00"}, "starts_at", "7.7"),
        ({"minimum_wager": "20"}, "minimum_wager", "7.4"),
        ({"notification": ["carrier pigeon"]}, "notification", "7.9"),
        ({"must_be_present": "yes"}, "must_be_present", "7.8"),
        ({"claim_within_days": True}, "claim_within_days", "7.8"),
    ],
)
def test_what_cannot_be_meant_is_on_the_checklist(change: dict[str, Any], field: str, paragraph: str) -> None:
    lines = check(terms(**change), edition("2025"))
    assert [(line.field, line.clause) for line in lines] == [(field, f"nsw-promo-2025:17.{paragraph}")]


@BOTH
@pytest.mark.parametrize(
    ("thing", "paragraph"),
    [
        ("tobacco", "5.1"),
        ("firearm", "5.2"),
        ("ammunition", "5.2"),
        ("imitation-firearm", "5.2"),
        ("prohibited-weapon", "5.3"),
        ("prescribed", "5.5"),
    ],
)
@pytest.mark.clause("nsw-promo-2025:17.5", "nsw-promo-2019:15.5", "nsw-promo-2025:17.5.1-5", "nsw-promo-2019:15.5.1-5")
def test_a_prohibited_prize_is_refused(code: str, thing: str, paragraph: str) -> None:
    with pytest.raises(Refusal) as refused:
        refuse_prohibited([prize(), prize(contains=[thing])], edition(code))
    assert refused.value.code == "prohibited-prize"
    assert refused.value.clause == f"{RULE[code]}.5"
    assert f"{RULE[code].partition(':')[2]}.{paragraph}" in refused.value.detail
    assert refused.value.field == "prizes[1].contains"


@BOTH
@pytest.mark.parametrize("declared", [["cigarettes"], ["Tobacco"], "tobacco", [{}], [None], 7, ["books"]], ids=str)
@pytest.mark.clause("nsw-promo-2025:17.5", "nsw-promo-2019:15.5")
def test_what_is_declared_under_another_name_is_not_let_through(code: str, declared: object) -> None:
    with pytest.raises(Refusal) as refused:
        refuse_prohibited([prize(contains=declared)], edition(code))
    at = (refused.value.clause, refused.value.field)
    assert at == (f"{RULE[code]}.5", "prizes[0].contains")
    refuse_prohibited([prize(contains=None), prize(contains=[])], edition(code))


@pytest.mark.parametrize(
    ("name", "hinted"),
    [
        ("A box of CIGARS", 1),
        ("Hunting rifle", 1),
        ("Replica handgun", 1),
        ("A vape", 1),
        ("Dinner with wine", 1),
        ("Sex Pistols tribute", 1),
        ("Two thousand dollars", 0),
        ("A bargain", 0),
    ],
)
@pytest.mark.clause("nsw-promo-2025:17.5", "nsw-promo-2019:15.5")
def test_a_word_is_a_hint_and_no_more(name: str, hinted: int) -> None:
    given = terms(prizes=[prize(name=name)])
    read(given, edition("2025"))
    assert len(hints(given)) == hinted
    assert must_be_confirmed(given) == bool(hinted)
    assert hints(terms(prizes=[prize(name="Wine", liquor_litres="0.750")])) == []
    assert len(hints(terms(nature="A carton of cigarettes."))) == 1


LITRES = st.lists(
    st.tuples(st.integers(0, 12_000).map(lambda ml: Decimal(ml) / 1000), st.integers(1, 4)), min_size=1, max_size=5
)


@pytest.mark.clause("nsw-promo-2025:17.5", "nsw-promo-2019:15.5")
@given(LITRES)
def test_litres_of_liquor_are_added_up_over_all_prizes(bottles: Any) -> None:
    prizes = [prize(liquor_litres=str(litres), quantity=quantity) for litres, quantity in bottles]
    millilitres = sum(int(litres * 1000) * quantity for litres, quantity in bottles)
    if millilitres > 20_000:
        with pytest.raises(Refusal) as refused:
            refuse_prohibited(prizes, edition("2025"))
        assert refused.value.clause == "nsw-promo-2025:17.5"
    else:
        refuse_prohibited(prizes, edition("2025"))


@pytest.mark.clause("nsw-promo-2025:17.5", "nsw-promo-2019:15.5")
@BOTH
def test_exactly_twenty_litres_are_allowed_and_a_drop_more_is_not(code: str) -> None:
    refuse_prohibited([prize(liquor_litres="10", quantity=2)], edition(code))
    with pytest.raises(Refusal):
        refuse_prohibited([prize(liquor_litres="10", quantity=2), prize(liquor_litres="0.001")], edition(code))
    for odd in ("much", 3, "-1", "NaN", "Infinity"):
        with pytest.raises(Refusal) as refused:
            refuse_prohibited([prize(liquor_litres=odd)], edition(code))
        assert refused.value.code == "litres-unreadable"


@pytest.mark.clause("nsw-promo-2025:17.4")
def test_2025_no_prize_is_paid_in_cash_and_the_method_is_in_the_terms() -> None:
    for payment in (["cash"], ["cheque", "cash"]):
        with pytest.raises(Refusal) as refused:
            read(terms(prizes=[prize(payment=payment)]), edition("2025"))
        assert (refused.value.code, refused.value.clause) == ("cash-prize", "nsw-promo-2025:17.4")
    lines = check(terms(prizes=[without(prize(), "payment")]), edition("2025"))
    assert [(line.field, line.clause) for line in lines] == [("prizes[0].payment", "nsw-promo-2025:17.4")]
    assert check(terms(prizes=[prize(payment=["account"])]), edition("2025")) == []


@pytest.mark.clause("nsw-promo-2019:15.4")
def test_2019_cash_is_allowed_and_strictly_above_10000_the_winner_chooses() -> None:
    assert check(terms(prizes=[prize(payment=["cash"], value="10000.00")]), edition("2019")) == []
    lines = check(terms(prizes=[prize(payment=["cash"], value="10000.01")]), edition("2019"))
    assert [(line.field, line.clause) for line in lines] == [("prizes[0].payment", "nsw-promo-2019:15.4")]
    free = prize(payment=["cash", "cheque", "transfer"], value="10000.01")
    assert check(terms(prizes=[free]), edition("2019")) == []
    # The choice is of cash prizes only, and of 2019 only.
    car = prize(kind="vehicle", value="40000.00", payment=["handed-over"], details=DETAILS["vehicle"][1])
    assert check(terms(prizes=[car]), edition("2019")) == []
    assert check(terms(prizes=[prize(payment=["cheque"], value="50000.00")]), edition("2025")) == []


@pytest.mark.clause("nsw-promo-2025:17.3", "nsw-promo-2019:15.3")
@pytest.mark.parametrize(
    ("code", "kind", "allowed"),
    [
        ("2019", "goods", True),
        ("2019", "vehicle", True),
        ("2019", "casino-dollars", False),
        ("2019", "slots-dollars", False),
        ("2025", "goods", True),
        ("2025", "slots-dollars", True),  # 17.3 excepts casino dollars alone
        ("2025", "casino-dollars", False),
        ("2025", "money", False),
    ],
)
def test_money_instead_of_a_prize_but_never_of_casino_dollars(code: str, kind: str, allowed: bool) -> None:
    offered = prize(kind=kind, alternative="1500.00")
    if allowed:
        refuse_prohibited([offered], edition(code))
    else:
        with pytest.raises(Refusal) as refused:
            refuse_prohibited([offered], edition(code))
        assert refused.value.clause == f"{RULE[code]}.3"


@pytest.mark.clause("nsw-promo-2025:17.2", "nsw-promo-2019:15.2")
def test_above_10000_is_strictly_more() -> None:
    assert not needs_scrutineer(Money.parse("10000.00"))
    assert needs_scrutineer(Money.parse("10000.01"))


@pytest.mark.clause("nsw-promo-2025:17.12.1", "nsw-promo-2019:15.9.1")
def test_the_editions_differ_where_the_orders_do_and_only_there() -> None:
    old, new = EDITIONS["2019"], EDITIONS["2025"]
    assert (old.cash, new.cash) == (True, False)
    assert (old.choice, new.choice) == (("cash", "cheque", "transfer"), ())
    assert (old.alternative_in_terms, new.alternative_in_terms) == (True, False)
    assert (old.amend_by_approval, new.amend_by_approval) == (True, False)
    assert old.clauses.keys() == new.clauses.keys()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.text(max_size=8) | st.sampled_from(["none", "20.00"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(terms())), inner, max_size=3),
    max_leaves=8,
)


PRIZE_KEYS = [*prize(), "quantity", "alternates", "alternative", "contains", "liquor_litres", "details"]


@BOTH
@given(st.data())
def test_whatever_is_written_in_a_particular_the_checklist_answers(code: str, data: st.DataObject) -> None:
    """No answer to a question is a fault of ours: it is on the list, or it is fine, or it is refused in words."""
    key = data.draw(
        st.sampled_from([*terms(), "earning", "limit_per_person", "card_required", "retention_days", "text"])
    )
    value = data.draw(
        st.lists(st.dictionaries(st.sampled_from(PRIZE_KEYS), JSON), max_size=2) if key == "prizes" else JSON
    )
    written = terms() | {key: value}
    try:
        refuse_prohibited(written.get("prizes") or [], edition(code))
        lines = check(written, edition(code))
        if not lines:
            read(written, edition(code))
    except Refusal:
        return
