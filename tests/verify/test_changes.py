"""The stranger's table of whose word a change takes, held against what the rooms declare."""

from __future__ import annotations

from house.approvals import kinds
from house.incident_kinds import kinds as incident_kinds
from house.permissions import declared
from kernel.authority import Authority
from kernel.codes import ANYWHERE
from verify.changes import CHANGES, POWERS, WhoseWord
from verify.incidents import KINDS


def test_every_kind_of_change_is_there_with_its_powers() -> None:
    assert CHANGES.keys() == kinds().keys()
    for kind, change in kinds().items():
        mine = CHANGES[kind]
        assert (mine.power, mine.propose, mine.second) == (
            str(change.permission or ""),
            str(change.propose_permission),
            str(change.second or ""),
        ), kind
        assert mine.anywhere == (declared()[mine.propose].at == ANYWHERE), kind
        assert mine.kept == (change.apply.__module__ == "house.approvals.kept"), kind


def test_its_authority_is_the_one_that_the_room_declares() -> None:
    whose_word = WhoseWord()
    for kind, change in kinds().items():
        if change.fixed_authority is not None:
            assert whose_word(kind, "anything:X", None, None) is change.fixed_authority, kind


def test_who_holds_a_power_is_what_a_new_house_grants() -> None:
    used = {power for change in CHANGES.values() for power in (change.power, change.propose, change.second) if power}
    keno = {"keno.hold", "keno.pay-large", "keno.pay-claim", "keno.check-paper"}  # what Keno asks about
    assert POWERS.keys() == used | {"approvals.letters", "promotions.scrutinise"} | keno
    for power, roles in POWERS.items():
        assert roles == declared()[power].roles, power


def test_whose_word_it_is_where_the_rule_says() -> None:
    whose_word = WhoseWord()
    whose_word.games["BJ-01"], whose_word.games["LP-01"] = "blackjack", "lunar-poker-nsw"
    whose_word.editions["OLD"], whose_word.editions["NEW"] = "2019", "2025"
    nsw = {"rules": {"prizes": [{"clause": "nsw-csp:12.1"}]}}
    ours: dict[str, object] = {"rules": {"prizes": [], "order_clause": None}}
    whose_word.links["CSP"] = Authority.COMMISSION
    asked = {
        ("house.role-permissions", "role:inspector", None): Authority.INSPECTOR,
        ("house.role-permissions", "role:writer", None): Authority.HOUSE,
        ("tablegames.terms", "gaming-table:BJ-01", None): Authority.INSPECTOR,
        ("tablegames.terms", "gaming-table:LP-01", None): Authority.HOUSE,
        ("promotions.amendment", "OLD", None): Authority.COMMISSION,
        ("promotions.amendment", "NEW", None): Authority.HOUSE,
    }
    for (kind, about, new), authority in asked.items():
        assert whose_word(kind, about, None, new) is authority, kind
    assert whose_word("jackpot.link", "jackpot:X", None, {"terms": nsw}) is Authority.COMMISSION
    assert whose_word("jackpot.link", "jackpot:X", None, {"terms": ours}) is Authority.HOUSE
    # Terms that leave the clauses out do not make the game the house's own.
    assert whose_word("jackpot.terms", "jackpot:CSP", None, ours) is Authority.COMMISSION


def test_incidents_are_those_that_the_rooms_declare() -> None:
    assert KINDS.keys() == incident_kinds().keys()
    for code, kind in incident_kinds().items():
        assert KINDS[code].clauses == {kind.clause, *kind.clauses.values()}, code
        assert KINDS[code].notices == tuple((to, str(by)) for to, by in kind.notices), code
