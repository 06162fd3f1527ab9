"""The numbering of the five documents, and whether docs/rules/ has a line for every clause.

Of the documents the rules that must be there on request are in the repository, a file a game (web/gazetted.py); of all
of them their numbering, docs/rules/numbering.txt: the ids alone, in the documents' order. With the documents at hand ::

    python -m tests.plugins.numbering FOLDER            says where the numbering or the two lists differ from them
    python -m tests.plugins.numbering FOLDER --write    writes numbering.txt anew

``clauses.csv`` lists what the software has a part in, ``no_part.csv`` the rest with the reason in three words. A line
is of one clause (``6.5.1``), of a part of one (``3.1c-i``, ``11.1-royal``), or of a range with all below it
(``9.1-9.5``, ``17.7.1-11``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.plugins.clauses import LIST, read_list, read_no_part

NUMBERING: Final = LIST.with_name("numbering.txt")

Number = tuple[str, tuple[int, ...]]
"""The appendix, if it is in one, and the number: ("", (6, 5, 1)), ("A", (2, 1))."""

_GAMES: Final = {
    "BLACKJACK": "act-bj",
    "AMERICAN ROULETTE": "act-ar",
    "BACCARAT": "act-bac",
    "MINI-BACCARAT": "act-mb",
    "PAI GOW": "act-pg",
    "CANBERRA POKER": "act-cp",
    "SIC-BO": "act-sb",
    "MONEY WHEEL": "act-mw",
    "POKER": "act-pk",
    "KENO": "act-keno",
}
_APPENDICES: Final = {
    "FIVE CARD STUD": "A",
    "SEVEN CARD STUD": "B",
    "CANBERRA MANILA": "C",
    "THREE CARD MANILA": "D",
    "HOLD-EM": "E",
    "OMAHA": "F",
    "DRAW POKER": "G",
    "FARO": "H",
}
# The last section of each NSW document is the same rule of promotions in its edition: it has ids of its own.
_PROMOTIONS: Final = {("nsw-csp", "17"): "nsw-promo-2025", ("nsw-lp", "15"): "nsw-promo-2019"}
_DOCUMENTS: Final = {
    "nsw-caribbean-stud-v4-2025.txt": "nsw-csp",
    "nsw-lunar-poker-2019.txt": "nsw-lp",
    "vanuatu-lunar-poker-2013.txt": "vu-lp",
    "nz-lunar-poker.txt": "nz-lp",
    "act-casino-canberra-1999.txt": "act",
}
_CLAUSE: Final = re.compile(r"(?:<\|[^|]*\|>)?[\s#*-]*(\d+(?:\.\d+)+)\.?\s")
_HEADING: Final = re.compile(r"(\d+) [A-Z][A-Za-z -]*$")
_LISTED: Final = re.compile(r"([A-H]?)(\d+(?:\.\d+)*)(?:-(\d+(?:\.\d+)*))?([a-z].*|-[a-z].*)?")


def numbering_of(folder: Path) -> list[str]:
    """The ids of all numbered clauses of the documents in a folder."""
    found: list[str] = []
    for name, document in _DOCUMENTS.items():
        found += _read(document, (folder / name).read_text(encoding="utf-8").splitlines())
    return found


def _read(document: str, lines: Iterable[str]) -> Iterator[str]:
    code, appendix, started, heading = document, "", document != "vu-lp", ""
    for line in lines:
        if document == "act" and (game := re.match(r"#+ \*\*RULES OF ([A-Z][A-Z -]*[A-Z])", line)):
            code, appendix = _GAMES[game[1]], ""
        elif document == "act" and (added := re.search(r"POKER [-–] ([A-Z -]+) ADDITIONAL RULES", line)):
            appendix = _APPENDICES[added[1]]
        started = started or line.strip() == "SCHEDULE"
        if clause := _CLAUSE.match(line):
            heading = ""
            section = clause[1].partition(".")[0]
            yield f"{_PROMOTIONS.get((document, section), code)}:{appendix}{clause[1]}"
        elif document == "vu-lp" and started and (title := _HEADING.match(line)):
            if heading:  # a section without numbered clauses is one itself
                yield heading
            heading = f"{code}:{title[1]}"


@dataclass(frozen=True, slots=True)
class Listed:
    """Which clauses a line of the lists is about."""

    id: str
    document: str
    first: Number | None
    last: Number | None = None

    def covers(self, document: str, number: Number) -> bool:
        if document != self.document or self.first is None or number[0] != self.first[0]:
            return False
        if self.last is None:
            return number == self.first
        return self.first[1] <= number[1][: len(self.first[1])] <= self.last[1]


def listed(id: str) -> Listed:
    document, _, text = id.partition(":")
    read = _LISTED.fullmatch(text)
    if read is None:  # a definition, which has no number
        return Listed(id, document, None)
    appendix, first, last, _ = read.groups()
    start = _parts(first)
    if last is None:
        return Listed(id, document, (appendix, start))
    end = _parts(last)
    if len(end) < len(start):  # 12.1.3-5 ends at 12.1.5
        end = start[: len(start) - len(end)] + end
    return Listed(id, document, (appendix, start), (appendix, end))


def _parts(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split("."))


def number_of(id: str) -> tuple[str, Number]:
    document, _, text = id.partition(":")
    return document, (text[0], _parts(text[1:])) if text[0].isalpha() else ("", _parts(text))


def kept_numbering() -> list[str]:
    return NUMBERING.read_text(encoding="utf-8").split()


@dataclass(frozen=True, slots=True)
class Differences:
    forgotten: list[str]
    """Clauses without a line."""
    twice: list[str]
    """Clauses that have a line in both lists, or several of their own."""
    unknown: list[str]
    """Lines of no clause that there is."""


def compare(numbering: Iterable[str], part: Iterable[str], no_part: Iterable[str]) -> Differences:
    numbers = {id: number_of(id) for id in numbering}
    ours, others = [listed(id) for id in part], [listed(id) for id in no_part]
    forgotten, twice = [], []
    used: set[str] = set()
    for id, (document, number) in numbers.items():
        mine = [line.id for line in ours if line.covers(document, number)]
        theirs = [line.id for line in others if line.covers(document, number)]
        used.update(mine, theirs)
        if not mine and not theirs:
            forgotten.append(id)
        elif (mine and theirs) or len(theirs) > 1:
            twice.append(id)
    unknown = [line.id for line in (*ours, *others) if line.first is not None and line.id not in used]
    return Differences(forgotten, twice, unknown)


def main(arguments: list[str]) -> int:
    if not arguments or not Path(arguments[0]).is_dir():
        sys.stderr.write("Name the folder with the five documents.\n")
        return 2
    found = numbering_of(Path(arguments[0]))
    if "--write" in arguments:
        NUMBERING.write_text("\n".join(found) + "\n", encoding="utf-8")
    kept = kept_numbering()
    differ = compare(found, (clause.id for clause in read_list()), read_no_part())
    said = {
        "in the documents, not in numbering.txt": [id for id in found if id not in set(kept)],
        "in numbering.txt, not in the documents": [id for id in kept if id not in set(found)],
        "without a line": differ.forgotten,
        "with a line in both lists": differ.twice,
        "lines of no clause": differ.unknown,
    }
    for what, ids in said.items():
        sys.stdout.write(f"{what}: {', '.join(ids) or 'none'}\n")
    return 1 if any(said.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
