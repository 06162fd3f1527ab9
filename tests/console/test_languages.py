"""Every sentence of what is offered in another language has its translation, with the same values in it."""

from __future__ import annotations

import os
import re
from collections import Counter

import pytest
from django.template.loader import get_template
from django.utils import translation

from tests.world import catalogues, strings
from web.languages import ABROAD, po
from web.languages.catalogue import PLACE

IN_LANGUAGES = [(language, room) for language in ABROAD for room in strings.ROOMS]
VARIABLE = re.compile(r"\{\{\s*([\w.]+)")


@pytest.mark.parametrize(("language", "room"), IN_LANGUAGES)
def test_every_sentence_has_its_translation(language: str, room: str) -> None:
    wanted = catalogues.entries(room, language)
    path = catalogues.path_of(room, language)
    if os.environ.get("METERHOUSE_WRITE_CATALOGUES"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(po.written(wanted, language))
    said = {(entry.message, entry.context): entry.says for entry in po.read(path)}
    missing = [entry.message for entry in wanted if not said.get((entry.message, entry.context))]
    assert missing == [], f"in {path}: METERHOUSE_WRITE_CATALOGUES=1 puts them in their place"
    gone = said.keys() - {(entry.message, entry.context) for entry in wanted}
    assert gone == set(), f"nobody says so any more: {path}"


@pytest.mark.parametrize(("language", "room"), IN_LANGUAGES)
def test_every_template_can_be_read_in_it(language: str, room: str) -> None:
    for path in sorted((catalogues.ROOT / room / "templates").rglob("*.html")):
        with translation.override(language):
            assert get_template(str(path.relative_to(catalogues.ROOT / room / "templates")))


@pytest.mark.parametrize(("language", "room"), IN_LANGUAGES)
def test_a_translation_says_the_same_values(language: str, room: str) -> None:
    """What is put into a sentence is put into its translation: nothing is lost, and nothing made up."""

    def values(text: str) -> Counter[str]:
        return Counter([found[0] for found in PLACE.finditer(text)])

    for entry in po.read(catalogues.path_of(room, language)):
        assert values(entry.message) == values(entry.says), entry.message
        assert set(VARIABLE.findall(entry.message)) == set(VARIABLE.findall(entry.says)), entry.message
