"""Templates in another language. Ours are written in plain English; before one is compiled for a language, its
sentences are exchanged for those of the catalogue, and every value among its words is asked for in that language.

A message is what stands between two tags: ``<p>No game of {{ day|day }} is open.</p>`` is one, and its translation
names the same variables, in its own order. Nothing is marked, so nothing can be forgotten; ``messages`` reads the same
places for the catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

from django.forms import renderers
from django.template import Engine, Origin, TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.loaders import app_directories

from web.languages import ABROAD, COMPLETE, NOT_YET, spoken
from web.languages.catalogue import catalogue

_DJANGO: Final = r"\{%.*?%\}|\{\{.*?\}\}"
_QUOTED: Final = rf'"(?:{_DJANGO}|[^"])*"|' + rf"'(?:{_DJANGO}|[^'])*'"
_PARTS: Final = re.compile(
    r"(?P<hidden><(?P<raw>script|style)\b.*?</(?P=raw)>|\{% comment\b.*?\{% endcomment %\}|\{#.*?#\}|<!--.*?-->)"
    rf"|(?P<tag><[/!]?[a-zA-Z](?:{_QUOTED}|{_DJANGO}|[^>\"'])*>)"
    r"|(?P<block>\{%.*?%\})",
    re.S,
)
_SPOKEN: Final = re.compile(
    rf'(?<=[\s"])(aria-label|title|placeholder|alt|data-says|data-over)="((?:{_DJANGO}|[^"])*)"', re.S
)
_ARGUMENTS: Final = re.compile(
    r"\{% (?:banner|nothing|or_leave|leave_or|begin|confirm|action|choice|sheet|figure|include|with|moment)\b"
)
_LITERAL: Final = re.compile(r'"([^"]*)"')
_DEFAULT: Final = re.compile(r"""(\|(?:default|default_if_none|yesno):)(["'])(.*?)\2""")
_VALUE: Final = re.compile(r"\{\{\s*(.*?)\s*\}\}", re.S)
_PRICED: Final = re.compile(r"\$\{\{\s*([^}]*?)\s*\}\}")  # ${{ amount }}: in other languages the sign stands behind
_BLOCK: Final = re.compile(r"(\{%.*?%\})", re.S)
_HTML: Final = re.compile(r'(<html[^>]*) lang="en(?:-AU)?"')
# What somebody has typed is shown as he typed it. Its variable says so.
TYPED: Final = re.compile(
    r"\b(username|why|reason|note|typed|query|address|serial|logo|by_name|person\.name|venue\.name|look\.name)$"
)

Put = Callable[[str], str]


def _is_said(text: str) -> bool:
    return bool(re.search(r"[A-Za-z]{2}|\b[A-Za-z]\b", _VALUE.sub(" ", text).replace("&nbsp;", " ")))


def _is_literal(text: str) -> bool:
    """Words for people among the arguments of a tag: not a style, an icon, an address or another template."""
    return bool(re.search(r"^[A-Z“].*[a-z]|[a-z]’?[a-z]* [a-zA-Z]", text)) and not re.search(
        r"\.html$|^is-|[=:]\S", text
    )


def _exchanged(source: str, put: Put, value: Put) -> str:
    """The source with each of its sentences handed to *put*, and each value among its words to *value*."""

    def text(part: str) -> str:
        core = part.strip()
        if not core:
            return part
        begins = part.index(core)
        said = put(" ".join(core.split())) if _is_said(core) else core
        return part[:begins] + _VALUE.sub(lambda found: value(default(found[0])), said) + part[begins + len(core) :]

    def default(expression: str) -> str:
        def words(found: re.Match[str]) -> str:
            each = found[3].split(",") if "yesno" in found[1] else [found[3]]
            said = ",".join(put(one) if re.search("[a-z]{2}", one) else one for one in each)
            return f"{found[1]}{found[2]}{said}{found[2]}"

        return _DEFAULT.sub(words, expression)

    def spoken_part(found: re.Match[str]) -> str:
        return (
            f'{found[1]}="{"".join(part if part.startswith("{%") else text(part) for part in _BLOCK.split(found[2]))}"'
        )

    def argument(found: re.Match[str]) -> str:
        title, bar, css = found[1].partition("|")
        return f'"{put(title)}{bar}{css}"' if _is_literal(title) else found[0]

    made, at = [], 0
    for part in _PARTS.finditer(source):
        made.append(text(source[at : part.start()]))
        whole = part[0]
        if part["tag"]:
            whole = _SPOKEN.sub(spoken_part, whole)
        elif part["block"] and _ARGUMENTS.match(whole):
            whole = _LITERAL.sub(argument, _DEFAULT.sub(lambda found: default(found[0]), whole))
        made.append(whole)
        at = part.end()
    return "".join([*made, text(source[at:])])


def messages(source: str) -> list[str]:
    """What a template says, in its order, each once."""
    found: dict[str, None] = {}

    def put(message: str) -> str:
        found[message.strip()] = None
        return message

    _exchanged(_PRICED.sub(r"{{ \1|in_dollars }}", source), put, lambda expression: expression)
    return list(found)


def in_language(source: str, name: str, language: str) -> str:
    def put(message: str) -> str:
        core = message.strip()
        return message.replace(core, catalogue(language).template(core, name) or core, 1)

    def value(expression: str) -> str:
        inner = _VALUE.fullmatch(expression)
        assert inner is not None
        if TYPED.search(inner[1].partition("|")[0]) or inner[1].endswith("|say"):
            return expression
        return f"{{{{ {inner[1]}|say }}}}"

    made = _exchanged(_PRICED.sub(r"{{ \1|in_dollars }}", source), put, value)
    made = _HTML.sub(rf'\1 lang="{language}"', made)
    return made.replace("</title>", "</title>{% speaks %}", 1) if "<html" in made else made


class Loader(app_directories.Loader):
    def __init__(self, engine: Engine, language: str) -> None:
        super().__init__(engine)
        self.language = language

    def get_contents(self, origin: Origin) -> str:
        return in_language(super().get_contents(origin), str(origin.template_name), self.language)


def _abroad(loader: str, language: str, **options: Any) -> Engine:
    loaders = [("django.template.loaders.cached.Loader", [(f"web.languages.templates.{loader}", language)])]
    return Engine(**options, builtins=["web.languages.shown"], loaders=loaders)


class FormLoader(Loader):
    """Django's own templates of forms, for what stands in a choice or as a placeholder."""

    def get_dirs(self) -> list[str | Path]:
        return list(self.engine.dirs)

    def get_contents(self, origin: Origin) -> str:
        return super().get_contents(origin).replace("|stringformat:'s'|say }}\"", "|stringformat:'s'|say_phrase }}\"")


class Chosen:
    """Of a backend: the engine for the language that is spoken; Django's own for English."""

    abroad: dict[str, Engine]

    def chosen(self, template_name: str, backend: DjangoTemplates) -> Template | None:
        engine = self.abroad.get(spoken())
        if engine is None or template_name in NOT_YET or template_name.partition("/")[0] not in COMPLETE[spoken()]:
            return None
        try:
            return Template(engine.get_template(template_name), backend)
        except TemplateDoesNotExist as missing:
            reraise(missing, backend)
            raise


class Templates(Chosen, DjangoTemplates):
    def __init__(self, params: dict[str, Any]) -> None:
        options = {**params["OPTIONS"]}
        super().__init__(params)
        self.abroad = {
            language: _abroad("Loader", language, **options, libraries=self.engine.libraries) for language in ABROAD
        }

    def get_template(self, template_name: str) -> Template:
        return self.chosen(template_name, self) or super().get_template(template_name)


class Forms(Chosen, renderers.DjangoTemplates):
    """How forms are rendered."""

    def __init__(self) -> None:
        folder = Path(renderers.__file__).parent / "templates"
        self.abroad = {language: _abroad("FormLoader", language, dirs=[folder]) for language in ABROAD}

    def get_template(self, template_name: str) -> Any:
        return self.chosen(template_name, cast(DjangoTemplates, self.engine)) or super().get_template(template_name)
