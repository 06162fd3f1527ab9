"""The venue's look: approved by a second person, readable across a room, on every board and on the check page."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from house.approvals import approve, describe, propose
from house.models import Proposal
from kernel.actors import Actor
from kernel.refusal import Forbidden, Refusal
from ledger.models import Act
from signage import look
from signage.approvables import LOOK
from signage.contrast import ratio
from tests.signage import acts
from tests.signage.feeds import load
from tests.world.browser import Screen

pytestmark = pytest.mark.django_db(transaction=True)

RIGHTS = frozenset({"approvals.propose", "approvals.decide.house"})
ANNA, BEN = Actor("staff:anna", "Anna", RIGHTS), Actor("staff:ben", "Ben", RIGHTS)
DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#e9b949"/></svg>'
)
SVG = "data:image/svg+xml;base64," + base64.b64encode(DRAWING).decode()
NIGHT_CLUB = {"name": "The Night Club", "accent": "#ff9ad5", "ground": "#1a0a1f", "logo": SVG}


@pytest.fixture(autouse=True)
def house(db: None) -> None:
    from house.seed import seed

    seed()  # a flush before this test took what migrations had put there


def chosen(**parts: Any) -> Proposal:
    made = propose(kind=LOOK, subject="venue", new={**look.NONE, **parts}, why="A new season.", by=ANNA)
    return approve(proposal_id=made.pk, by=BEN)


def test_a_second_person_decides_and_every_page_has_it(client: Client) -> None:
    assert client.get("/signage/look.css").content == b""
    assert client.get("/signage/logo").status_code == 404
    before = load()["venue"]
    assert (before["accent"], before["ground"], before["logo"]) == (None, None, None)
    made = propose(kind=LOOK, subject="venue", new=NIGHT_CLUB, why="A new season.", by=ANNA)
    assert describe(made) == ("New look of the boards: name The Night Club, accent #ff9ad5, ground #1a0a1f, a logo.")
    with pytest.raises(Forbidden):
        approve(proposal_id=made.pk, by=ANNA)
    assert load()["venue"] == before
    assert approve(proposal_id=made.pk, by=BEN).status == "effective"
    assert Act.objects.get(kind="signage.look").actor == "staff:ben"
    shown = load()["venue"]
    assert (shown["name"], shown["accent"], shown["ground"]) == ("The Night Club", "#ff9ad5", "#1a0a1f")
    assert client.get("/signage/look.css").content == (
        b".night { --accent: #ff9ad5; --ground: #1a0a1f; }\n.page { --house: #ff9ad5; }\n"
    )
    logo = client.get(shown["logo"])
    assert (logo.content, logo.headers["Content-Type"]) == (DRAWING, "image/svg+xml")
    assert "sandbox" in logo.headers["Content-Security-Policy"]
    for path in ("/signage/keno", "/signage/jackpots", "/verify/"):
        page = client.get(path).content.decode()
        assert "The Night Club" in page
        assert f'<img src="{shown["logo"]}"' in page


@pytest.mark.django_db
def test_what_is_chosen_later_replaces_it() -> None:
    chosen(accent="#ff9ad5", name="The Night Club")
    chosen(accent="#7fd1ff")
    assert look.look()["accent"] == "#7fd1ff"
    assert look.look()["name"] == load()["venue"]["name"] != "The Night Club"
    assert chosen().status == "effective"
    assert look.in_force() == look.NONE


def by_hand(one: str, other: str) -> float:
    """WCAG 2.1, 1.4.3, from its text: relative luminance of sRGB, (L1 + 0.05) / (L2 + 0.05)."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    first, second = luminance(one), luminance(other)
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


@pytest.mark.django_db
def test_contrast_is_that_of_wcag() -> None:
    assert round(ratio("#000000", "#ffffff"), 6) == 21
    assert ratio("#123456", "#123456") == 1
    assert round(ratio("#777777", "#ffffff"), 2) == 4.48  # the well-known grey that just fails
    for one, other in [("#e9edf7", "#0b1020"), ("#2bb8a6", "#0b1020"), ("#a5b0cd", "#1a0a1f")]:
        assert ratio(one, other) == pytest.approx(by_hand(one, other))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("parts", "status", "code", "field"),
    [
        ({"ground": "#4a4f5c"}, 422, "contrast-too-low", "new.ground"),
        ({"ground": "#f7f8fb"}, 422, "contrast-too-low", "new.ground"),
        ({"accent": "#0e5a50"}, 422, "contrast-too-low", "new.accent"),
        ({"accent": "#1b2542"}, 422, "contrast-too-low", "new.accent"),
        ({"accent": "teal"}, 400, "colour-not-readable", "new.accent"),
        ({"accent": "#2bb8a6; } body { display: none"}, 400, "colour-not-readable", "new.accent"),
        ({"name": ""}, 400, "name-not-readable", "new.name"),
        ({"name": "x" * 61}, 400, "name-not-readable", "new.name"),
        ({"name": 7}, 400, "name-not-readable", "new.name"),
        ({"logo": "https://example.invalid/logo.svg"}, 400, "logo-not-readable", "new.logo"),
        (
            {"logo": "data:image/png;base64," + base64.b64encode(b"GIF89a").decode()},
            400,
            "logo-not-readable",
            "new.logo",
        ),
        ({"logo": "data:image/svg+xml;base64,====="}, 400, "logo-not-readable", "new.logo"),
        (
            {"logo": "data:image/svg+xml;base64," + base64.b64encode(b"<svg><script>1</script></svg>").decode()},
            422,
            "logo-with-script",
            "new.logo",
        ),
        (
            {"logo": "data:image/png;base64," + base64.b64encode(b"\x89PNG" + bytes(100_000)).decode()},
            422,
            "logo-too-large",
            "new.logo",
        ),
        ({"font": "Comic Sans"}, 400, "look-not-readable", "new"),
    ],
)
def test_what_could_not_be_read_is_refused(parts: dict[str, Any], status: int, code: str, field: str) -> None:
    with pytest.raises(Refusal) as refused:
        propose(kind=LOOK, subject="venue", new={**look.NONE, **parts}, why="A new season.", by=ANNA)
    assert (refused.value.status, refused.value.code, refused.value.field) == (status, code, field)
    assert refused.value.detail.endswith(".")
    assert not Proposal.objects.exists()


def test_the_boards_in_the_venues_own_colours(
    screen: Callable[..., Screen], serve: Callable[..., Any], settings: Any, meters: dict[str, str]
) -> None:
    """A board that hangs on the wall takes the new look by itself, with its next look at the feed."""
    settings.STREAMS_PORT = serve().port
    meters["CSP"] = "50123.45"
    acts.open_link("CSP", "Caribbean Stud", "CSP-01")
    board = screen("/signage/jackpots", width=1920, height=1080, dark=True)
    board.page.locator("html[data-live=live]").wait_for(state="attached")
    chosen(**NIGHT_CLUB)
    board.page.evaluate("meterhouse.look()")
    board.page.get_by_text("The Night Club").wait_for()
    board.until("getComputedStyle(document.body).backgroundColor === 'rgb(26, 10, 31)'")
    board.until("document.querySelector('.house img').naturalWidth > 0")
