"""What the catalogues of other languages have to hold, read from templates, Python and scripts; and how they are
written anew: what is new stands there without its translation, what nobody says any more is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.world import strings
from web.languages import COMPLETE, IN_FRAME, po, templates

ROOT = strings.ROOT
# Said to programmers, or gazetted: in English wherever it is read.
ENGLISH_ONLY = re.compile(
    r"web/templates/web/(api/|public\.html|_icons)|/api_words|web/static/web/(language|german)\.js"
)
_LABELS = re.compile(r"^[A-Z][a-z’]+$")
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\n\\\[])+/[gimsuy]*")
_FOR_MACHINES = re.compile(
    r"^\([a-z-]+:|^[a-z-]+-\{1\}$|filename=|^(is|verdict|feed) ?-?\{|^[a-z]+(_[a-z]+)+|^(event|id): |\\"
)
_STRANGE = re.compile(
    r"^[.#/\[:]|[<>=;\\]{2}|=>|^\w+[=:]\S|^[a-z-]+( [a-z-]+)*$(?<!\w\s\w)|https?:|^--|\]$|^M\d|rgb|cubic|translate"
)
_NAMES = {"Content", "Accept", "Location", "True", "False", "None", "Date", "Referer", "Host"}


def path_of(room: str, language: str) -> Path:
    return ROOT / room / "locale" / language / "LC_MESSAGES" / "django.po"


def said_in(path: Path) -> list[str]:
    """The messages of one file, with ``{1}`` for what is put in; of a template as they stand in it."""
    text = path.read_text()
    if path.suffix == ".html":
        return templates.messages(text)
    found = _python(text, of_pages=bool({"pages"} & set(path.parts))) if path.suffix == ".py" else _script(text)
    if path.suffix == ".py":
        wanted = set(strings.of(path))
        found = (each for each in found if _as_listed(each) in wanted or (_LABELS.match(each) and each not in _NAMES))
    return list(dict.fromkeys(" ".join(each.split()) for each in found if not _is_noise(each)))


def _is_noise(message: str) -> bool:
    """No words for people: a name of something, a header, a query of a style sheet, a frame around values alone."""
    spoken = re.sub(r"\{\d+\}", "", message)
    one_word = " " not in message.strip()
    return (
        not re.search(r"[A-Za-z]{2}", spoken)
        or bool(_FOR_MACHINES.search(message))
        or (one_word and not re.fullmatch(r"[“(]?(\{\d+\})?[A-Z]?[a-z’]+[.:!?…)”]*", message))
        or bool(re.fullmatch(r"([a-z]+(-[a-z]+)+ ?)+|([a-z]+[A-Z]\w+ ?)+|([A-Z]+ ?)+", spoken.strip()))
    )


def _as_listed(message: str) -> str:
    return " ".join(re.sub(r"\{\d+\}", "…", message).split())


def _python(text: str, *, of_pages: bool) -> Iterator[str]:
    tree = ast.parse(text)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for value in node.values for part in ast.walk(value) if isinstance(value, ast.Constant)}
            for value in node.values:
                if isinstance(value, ast.FormattedValue) and value.format_spec is not None:
                    silent |= {id(part) for part in ast.walk(value.format_spec)}
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if " " in node.value.strip() or (of_pages and _LABELS.match(node.value)):
                yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield _numbered(str(part.value) if isinstance(part, ast.Constant) else None for part in node.values)


def _numbered(parts: Iterator[str | None]) -> str:
    made, place = "", 0
    for part in parts:
        if part is None:
            place += 1
            made += f"{{{place}}}"
        else:
            made += part
    return made


def _script(text: str) -> Iterator[str]:
    """Its texts, also those within a ``${…}``; texts that are added up are one."""
    code = re.sub(r"(?m:^)\s*/\*.*?\*/", "", text, flags=re.S)
    code = re.sub(r"^import [^;]*;$|^\s*//.*$|\s//\s.*$", "", code, flags=re.M)
    made: list[str] = []
    _texts(code, 0, "", made)
    for each in made:
        spoken = re.sub(r"\{\d+\}", "", each)
        if re.search(r"[A-Za-z]{2}", spoken) and _words_for_people(each):
            yield each


def _words_for_people(text: str) -> bool:
    strange = _STRANGE.search(text)
    plain = re.fullmatch(r"[a-z][a-z’]*( [a-z’]+)+", text)
    return bool(plain) or (not strange and bool(re.search(r"[A-Z“★●✗!{]", text) or " " in text))


def _texts(code: str, at: int, until: str, made: list[str]) -> int:
    joined = False  # whether the last text goes on behind a plus
    deeper: list[str] = []
    while at < len(code) and code[at] != until:
        sign = code[at]
        if sign in "\"'`":
            parts, at = _text(code, at + 1, sign, deeper)
            made.append(_renumbered([made.pop(), *parts] if joined else parts))
            behind = re.match(r"\s*\+\s*(?=[\"'`])", code[at:])
            joined = bool(behind)
            at += behind.end() if behind else 0
            continue
        joined = False
        if sign == "{":
            at = _texts(code, at + 1, "}", made)
            continue
        if sign == "/" and re.search(r"(?:[(,=:!&|?{};>]|return)\s*$", code[max(0, at - 40) : at]):
            pattern = _REGEX.match(code, at)
            at = pattern.end() if pattern else at + 1
            continue
        at += 1
    made += deeper
    return at + 1


def _text(code: str, at: int, quote: str, deeper: list[str]) -> tuple[list[str], int]:
    parts, plain = [], ""
    while code[at] != quote:
        if code[at] == "\\":
            plain += {"n": "\n", "u": ""}.get(code[at + 1], code[at + 1])
            at += 2
        elif quote == "`" and code.startswith("${", at):
            within: list[str] = []
            at = _texts(code, at + 2, "}", within)
            deeper += within
            parts += [plain, "{}"]
            plain = ""
        else:
            plain += code[at]
            at += 1
    return [*parts, plain], at + 1


def _renumbered(parts: list[str]) -> str:
    text = re.sub(r"\{\d*\}", "{}", "".join(parts))
    numbers = iter(range(1, text.count("{}") + 1))
    return re.sub(r"\{\}", lambda _: f"{{{next(numbers)}}}", text)


def messages(room: str) -> dict[str, list[str]]:
    """What a room says, each with the files that say it."""
    found: dict[str, list[str]] = {}
    for path in strings.files(room):
        name = str(path.relative_to(ROOT))
        if not ENGLISH_ONLY.search(name):
            for message in said_in(path):
                found.setdefault(message, []).append(name)
    return found


def entries(room: str, language: str) -> list[po.Entry]:
    """The catalogue as it has to be: everything that is said, with what is translated; then what is written by hand.

    Of a room that is not offered yet, what it says in the frame around the others' pages.
    """
    path = path_of(room, language)
    kept = list(po.read(path)) if path.is_file() else []
    known = {entry.message: entry.says for entry in kept if not entry.context}
    said = [
        po.Entry(message, known.get(message, ""), "", tuple(where))
        for message, where in messages(room).items()
        if room in COMPLETE[language] or any(place.endswith(IN_FRAME) for place in where)
    ]
    return said + [entry for entry in kept if entry.context or not entry.where]
