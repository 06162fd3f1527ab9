"""The pages for everybody in German: asked for by the address or the browser, whole, and in English otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from tests.world import keno_counter as at
from tests.world.german import english_on, said_on
from tests.world.keno_counter import ENTRY_FORM

pytestmark = pytest.mark.django_db

PAGES = ("/signage/keno", "/signage/jackpots", "/signage/tournaments", "/signage/rules/", "/play/", "/verify/")


@pytest.fixture
def forms() -> None:
    for code in ("STANDARD", "WAY"):
        at.approve_value("entry-form", code, ENTRY_FORM)


def read(address: str, **headers: str) -> str:
    return Client(headers=headers).get(address).content.decode()


@pytest.mark.parametrize("address", PAGES)
def test_a_page_for_everybody_in_german(address: str, forms: None) -> None:
    page = read(f"{address}?lang=de")
    assert '<html lang="de"' in page
    assert english_on(page) == []


@pytest.mark.parametrize("address", PAGES)
def test_in_english_it_is_as_it_was(address: str, forms: None) -> None:
    """Whoever asks for nothing, for English, or for what we do not speak, reads the same bytes, without a catalogue."""
    page = read(address)
    assert '<html lang="en"' in page
    assert "/said/" not in page
    for accepted in ("en-AU,en;q=0.9,de;q=0.5", "fr", "*", "nonsense;q=x", "de;q=0"):
        assert read(address, accept_language=accepted) == page, accepted
    assert read(f"{address}?lang=xx") == page


@pytest.mark.parametrize("address", PAGES)
def test_a_browser_that_prefers_german_is_answered_in_it(address: str, forms: None) -> None:
    german = read(f"{address}?lang=de")
    assert read(address, accept_language="de-DE,de;q=0.9,en;q=0.8") == german
    assert read(f"{address}?lang=en", accept_language="de") == read(address)


def test_figures_are_written_as_german_writes_them(forms: None) -> None:
    said = said_on(read("/play/?lang=de"))
    assert "1 zu 8.911.711" in said
    assert "75,0 %" in said
    # What is sent back is not rewritten: the value stays what the form reads.
    assert 'value="0.50"' in read("/play/?lang=de")


def test_a_refusal_is_said_in_the_language_of_the_page_and_its_code_is_not(forms: None) -> None:
    def refused(**headers: str) -> dict[str, Any]:
        answer = Client(headers=headers).post("/play/price.json", "no json", content_type="application/json")
        body: dict[str, Any] = json.loads(answer.content)
        return body

    english, german = refused(), refused(accept_language="de")
    assert english["detail"] == "Send what is marked as JSON, as for a quote."
    assert german["detail"] == "Senden Sie das Angekreuzte als JSON, wie für ein Angebot."
    assert {**german, "detail": "", "title": ""} == {**english, "detail": "", "title": ""}


def test_a_device_is_answered_in_english_unless_it_asks_for_another_language_alone() -> None:
    for accepted in ("", "de-DE,de;q=0.9", "fr"):
        body = Client(headers={"accept-language": accepted}).get("/api/v1/keno/games").json()
        assert body["title"] == "Not signed in"


def test_the_catalogue_for_scripts_is_served_and_no_other() -> None:
    script = Client().get("/said/de.js")
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "Kein Spiel ist offen" in script.content.decode()
    assert Client().get("/said/en.js").status_code == 404
    assert Client().get("/said/fr.js").status_code == 404
