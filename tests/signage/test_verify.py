"""/verify/ in a real browser: the published vectors come out, every forgery is shown as forged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from chance.proof import make_entry
from kernel.merkle import Tree, leaf_hash, nodes_of
from signage import proofs, won
from tests.signage import acts
from tests.world.browser import Screen

pytestmark = pytest.mark.django_db(transaction=True)
VECTORS = json.loads((Path(settings.ROOT) / "docs" / "proof" / "draws.json").read_text())
DRAW = VECTORS["draws"][0]
# A ticket of game 1042, before the house has anything to say about it.
WAITING = {
    "status": "in-play",
    "held": False,
    "still_playing": True,
    "first_game": 1042,
    "plays_to": 1042,
    "played": 0,
    **dict.fromkeys(("won", "refunded", "paid", "owing"), "0.00"),
    "groups": [[1, 2, 3]],
    "plays": [{"spots": 3, "ways": 1}],
    "games": [],
}

# The page's own modules, driven by hand: what they say to each vector.
CHECK = """async ([proofs, entries]) => {
    const { check } = await import(window.location.origin + "/static/signage/two-party.js");
    const { checkMembership } = await import(window.location.origin + "/static/signage/proof.js");
    return [await Promise.all(proofs.map((proof) => check(proof))),
            await Promise.all(entries.map(([entry, proof]) => checkMembership(entry, proof)))];
}"""


@pytest.fixture
def publish(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any]], None]:
    """The house publishes this proof of game 1042; what it had promised and sealed is the vector's."""

    def publish(proof: dict[str, Any]) -> None:
        published = {
            "game": 1042,
            "status": "settled",
            "device": "rng",
            "promised": {"commitment": DRAW["proof"]["commitment"], "attempt": 1, "at": "2026-11-16T21:04:00+11:00"},
            "sealed": {name: DRAW["proof"][name] for name in ("ticket_root", "ticket_count")},
            "proof": proof,
            "numbers": proof["numbers"],
            "void": [],
            "attempts": [],
        }
        monkeypatch.setattr(proofs, "game_proof", lambda number: published)

    return publish


def failing(steps: list[dict[str, Any]]) -> list[str]:
    return [step["name"] for step in steps if not step["ok"]]


@pytest.mark.clause("act-keno:7.1")
def test_the_published_vectors(screen: Callable[..., Screen]) -> None:
    page = screen("/verify/").page
    draws = VECTORS["draws"]
    entries = [[draw["entry"], draw["proof"]] for draw in draws]
    shifted = [[{**entry, "entry": entry["entry"] + " "}, proof] for entry, proof in entries]
    sound, inside = page.evaluate(CHECK, [[draw["proof"] for draw in draws], entries])
    assert [failing(steps) for steps in sound] == [[]] * len(draws)
    for steps, draw in zip(sound, draws, strict=True):
        told = steps[-1]["details"]
        assert told[0] == f"Seed of the attempt: {draw['working']['attempt_seed']}"
        assert told[2] == f"Bound to: {draw['working']['personalisation']}"
        assert told[-len(draw["working"]["steps"]) :] == draw["working"]["steps"]
    assert [failing(steps) for steps in inside] == [[]] * len(entries)
    forged, outside = page.evaluate(CHECK, [[case["proof"] for case in VECTORS["forged"]], shifted])
    assert [failing(steps) for steps in forged] == [case["fails"] for case in VECTORS["forged"]]
    assert [failing(steps) for steps in outside] == [["entry"]] * len(entries)


def test_a_player_checks_his_game_from_the_receipt(
    screen: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch, publish: Callable[[dict[str, Any]], None]
) -> None:
    publish(DRAW["proof"])
    entry = DRAW["entry"]
    monkeypatch.setattr(proofs, "entry_proof", lambda **asked: {"ticket_root": "", "entry": entry})
    monkeypatch.setattr(won, "told", lambda **asked: WAITING)
    somebody = screen("/verify/?game=1042#serial=000001&code=ABCD")
    page = somebody.page
    page.locator("#result[data-verdict=good]").wait_for()
    assert page.locator(".verdict h2").inner_text() == "Everything is right"
    names = page.locator(".steps > li").evaluate_all("items => items.map((item) => item.dataset.step)")
    assert names == [
        *("form", "published commitment", "published ticket root", "commitment", "question", "witness", "numbers"),
        "entry",
    ]
    assert page.locator(".balls li").all_inner_texts() == [str(number) for number in DRAW["proof"]["numbers"]]
    assert page.locator("#result > :first-child h2").inner_text() == "Game 1\u202f042 has not been drawn yet"
    page.locator(".proofs > summary").click()
    page.locator("[data-step=numbers] summary").click()
    assert DRAW["working"]["steps"][0] in page.locator("[data-step=numbers] .working").inner_text()
    somebody.picture("signage-verify", full=True)
    tablet = screen("/verify/?game=1042#serial=000001&code=ABCD", width=834, height=1112, dark=True)
    tablet.page.locator("#result[data-verdict=good]").wait_for()
    assert tablet.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    tablet.picture("signage-verify-tablet-dark")


def test_a_forged_game_is_shown_as_forged(
    screen: Callable[..., Screen], publish: Callable[[dict[str, Any]], None]
) -> None:
    """The house itself publishes another master than it promised."""
    publish({**DRAW["proof"], "master": "ab" * 32, "commitment": "cd" * 32})
    somebody = screen("/verify/?game=1042")
    page = somebody.page
    page.locator("#result[data-verdict=stopped]").wait_for()
    assert page.locator(".verdict h2").inner_text() == "This does not hold"
    wrong = page.locator(".steps > li.is-stopped").evaluate_all("items => items.map((item) => item.dataset.step)")
    assert wrong == ["published commitment", "commitment", "numbers"]
    somebody.picture("signage-verify-forged", full=True)


def test_a_pasted_proof_leaves_nobody_in_doubt(screen: Callable[..., Screen]) -> None:
    page = screen("/verify/").page
    page.get_by_text("I have a proof of my own").click()
    for proof, verdict in [
        (DRAW["proof"], "good"),
        (VECTORS["forged"][0]["proof"], "stopped"),
        ({"version": 1}, "stopped"),
        ({"proof": DRAW["proof"], "entry": DRAW["entry"]}, "good"),
        ({"proof": DRAW["proof"], "entry": {**DRAW["entry"], "index": 0}}, "stopped"),
    ]:
        page.get_by_label("The proof").fill(json.dumps(proof))
        page.get_by_role("button", name="Check this proof").click()
        page.locator(f"#result[data-verdict={verdict}]").wait_for()
        page.evaluate("document.querySelector('#result').dataset.verdict = ''")
    page.get_by_label("The proof").fill("{")
    page.get_by_role("button", name="Check this proof").click()
    page.get_by_text("This is no proof").wait_for()
    page.get_by_label("The proof").fill(json.dumps(DRAW["proof"]))
    page.get_by_label("The commitment you noted").fill("00" * 32)
    page.get_by_role("button", name="Check this proof").click()
    page.locator("[data-step='published commitment'].is-stopped").wait_for()


def test_before_the_end_there_is_the_promise_only(screen: Callable[..., Screen], client: Client) -> None:
    acts.open_game(5)
    told = client.get("/verify/games/5.json").json()
    assert (told["status"], told["proof"], told["promised"]["commitment"]) == ("opened", None, acts.promise(5))
    page = screen("/verify/?game=5").page
    page.get_by_text("Game 5 is open for sale").wait_for()
    page.get_by_label("Game").fill("6")
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("There is no game 6.").wait_for()


def test_the_tickets_are_those_of_the_first_number(client: Client) -> None:
    """Of a draw with balls: a root that changed between the first ball and the last is published as it was."""
    about, first = "keno-game:1042", {"ticket_root": "cc" * 32, "ticket_count": 5}
    acts.record("keno.opened", about, game=1042, device="mechanical", commitment=None)
    acts.record("keno.ball", about, game=1042, attempt=1, place=1, number=7, **first)
    told = client.get("/verify/games/1042.json").json()
    assert (told["status"], told["sealed"]["ticket_root"]) == ("drawing", "cc" * 32)
    parts = {name: DRAW["proof"][name] for name in ("attempt", "numbers", "ticket_root", "ticket_count")}
    acts.record("keno.drawn", about, game=1042, **parts)
    told = client.get("/verify/games/1042.json").json()
    assert (told["status"], told["sealed"]["ticket_root"], told["proof"]) == ("drawn", "cc" * 32, None)


def test_a_void_attempt_is_told_with_its_seed(client: Client) -> None:
    acts.open_game(5)
    acts.record("keno.voided", "keno-game:5", game=5, attempt=1, numbers=[4], seed="aa" * 32, commitment="bb" * 32)
    told = client.get("/verify/games/5.json").json()
    assert [(void["attempt"], void["numbers"]) for void in told["void"]] == [(1, [4])]
    assert (told["promised"]["attempt"], told["promised"]["commitment"]) == (2, acts.promise(5))  # one for the game


@pytest.mark.parametrize("body", ["", "[]", "{}", "[" * 2000, '{"game": "x", "serial": "1", "security_code": "2"}'])
def test_a_ticket_that_cannot_be_read_is_refused_with_a_sentence(client: Client, body: str) -> None:
    answer = client.post("/verify/ticket.json", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(("Send a serial", "The game is"))


def test_games_that_are_not_there(client: Client) -> None:
    for path in ("/verify/games/99.json", f"/verify/games/{1 << 70}.json"):
        assert client.get(path).status_code == 404
        assert client.get(path).json()["code"] == "no-such-game"


def test_the_path_of_every_entry_of_every_size(screen: Callable[..., Screen]) -> None:
    """Against the tree that seals the tickets, up to 17 entries."""
    cases = []
    for count in range(1, 18):
        leaves = [leaf_hash(f"entry {at}".encode()) for at in range(count)]
        tree = Tree()
        tree.extend(b"".join(leaves))
        proof = {**DRAW["proof"], "ticket_count": count, "ticket_root": tree.root().hex()}
        node = nodes_of(leaves)
        cases += [
            [make_entry(entry=f"entry {at}", index=at, ticket_count=count, node=node), proof] for at in range(count)
        ]
    _, inside = screen("/verify/").page.evaluate(CHECK, [[], cases])
    assert [failing(steps) for steps in inside] == [[]] * len(cases)
