"""A line of the receipt in the language it is printed in. Serials, codes, hashes and names are nobody's words."""

from __future__ import annotations

from typing import Final

from web.languages.paper import on_paper

AS_IT_IS: Final = ("Terminal",)


def printed(row: tuple[str, str]) -> tuple[str, str]:
    label, text = row
    return on_paper(label), text if label in AS_IT_IS else on_paper(text)
