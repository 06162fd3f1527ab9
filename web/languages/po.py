"""Catalogues as gettext writes them (``<room>/locale/de/LC_MESSAGES/django.po``), read as they are: nothing is
compiled, and no tool of gettext has to be there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FIELDS: Final = ("msgctxt", "msgid", "msgstr")


@dataclass(frozen=True, slots=True)
class Entry:
    message: str
    says: str
    context: str = ""  # a template in which the same words mean something else
    where: tuple[str, ...] = ()  # the files that say it; none: made of several of theirs, written by hand

    @property
    def is_of_code(self) -> bool:
        """Looked for in what is shown, not only where a template says it: what Python or a script says, and labels."""
        label = self.message[:1].isupper() and "{{" not in self.message
        return label or not self.where or any(not place.endswith(".html") for place in self.where)


def read(path: Path) -> Iterator[Entry]:
    for block in path.read_text().split("\n\n"):
        fields: dict[str, str] = {}
        where: list[str] = []
        field = ""
        for line in block.splitlines():
            if line.startswith("#:"):
                where += line[2:].split()
            elif line and not line.startswith("#"):
                name, _, rest = line.partition(" ")
                field, text = (name, rest) if name in _FIELDS else (field, line)
                fields[field] = fields.get(field, "") + str(ast.literal_eval(text))
        if fields.get("msgid"):
            yield Entry(fields["msgid"], fields.get("msgstr", ""), fields.get("msgctxt", ""), tuple(where))


def written(entries: Iterable[Entry], language: str) -> str:
    blocks = [f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n']
    for entry in entries:
        lines = [f"#: {place}" for place in entry.where]
        lines += [f"msgctxt {_quoted(entry.context)}"] if entry.context else []
        blocks.append("\n".join([*lines, f"msgid {_quoted(entry.message)}", f"msgstr {_quoted(entry.says)}", ""]))
    return "\n".join(blocks)


def _quoted(text: str) -> str:
    for plain, safe in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n")):
        text = text.replace(plain, safe)
    return f'"{text}"'
