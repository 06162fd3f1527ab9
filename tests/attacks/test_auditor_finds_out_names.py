"""The auditor, who sees players and claims but not who they are, asks for names in every way: by call, page, file,
search, sorting and the answer to what he finds or does not find."""

from __future__ import annotations

from tests.attacks.insider import Caller, House, Person

NAME = "Pat Morgan"
WAYS = ("", "?q=Pat", "?q=Morgan", "?q=Zzz", "?order=name", "?order=-name", "?format=csv", "?format=csv&q=Pat")


def _register(supervisor: Caller) -> str:
    for name, card in ((NAME, "C-1001"), ("Ada Zimmer", "C-1002")):
        number: str = supervisor.post("players/", {"name": name, "card": card}).ok(201)["number"]
    return number


def test_no_way_leads_to_a_name(house: House) -> None:
    last = _register(house.insider("supervisor"))
    auditor = house.at_console("auditor")
    bodies = [auditor.get(f"/players/{way}").body for way in WAYS]
    bodies += [auditor.get(f"/players/{last}/").body, auditor.get("/search/?q=Pat").body]
    bodies += [auditor.get(f"/api/v1/players/{each}").body for each in ("", last, "?card=C-1001")]
    for body in bodies:
        assert not any(word in body for word in (NAME, "Zimmer"))
    assert "A. Z." in bodies[0]


def test_what_is_found_tells_nothing_either(house: House) -> None:
    """Whoever looks for a name finds as much as whoever looks for nonsense; and sorted by name is not sorted."""
    _register(house.insider("supervisor"))
    auditor = house.at_console("auditor")

    def rows(who: Person, way: str) -> int:
        return int(who.get(f"/players/{way}").body.count('href="/players/P-'))

    assert rows(auditor, "?q=Morgan") == rows(auditor, "?q=Zzz") == 0
    assert rows(auditor, "?q=C-1001") > 0
    up, down = (auditor.get(f"/players/?order={way}name").body for way in ("", "-"))
    assert up.index("P. M.") - up.index("A. Z.") == down.index("P. M.") - down.index("A. Z.")
    manager = house.at_console("manager")
    assert rows(manager, "?q=Morgan") == rows(auditor, "?q=C-1001")
    assert NAME in manager.get("/players/").body
