"""What a translated template adds to its values and to its head."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString

from web.languages import ENGLISH, spoken
from web.languages.catalogue import catalogue
from web.languages.scripts import hash_of

register = template.Library()


def shown(text: str) -> str:
    """A text of ours, as it is shown just now."""
    language = spoken()
    return text if language == ENGLISH else catalogue(language).say(text)


@register.filter
def say(value: object) -> object:
    """A text of ours in the language that is spoken. What is no text, or is markup already, stays as it is."""
    if isinstance(value, SafeString) or not isinstance(value, str | Promise):
        return value
    return shown(str(value))


@register.filter
def say_phrase(value: object) -> object:
    """The same of an attribute that may be a word for browsers: ``off``, ``numeric``."""
    return say(value) if isinstance(value, str) and (" " in value or value[:1].isupper()) else value


@register.filter
def in_dollars(amount: object) -> str:
    """``1.00`` → $1.00, for whoever writes the sign elsewhere."""
    return f"${amount}"


@register.simple_tag
def speaks() -> SafeString:
    """For what scripts say: the catalogue, and what looks it up. Before any script of the page."""
    said = f"{reverse('said', args=[spoken()])}?{hash_of(spoken())}"
    return format_html(
        '<script src="{}"></script><script type="module" src="{}"></script>', said, static("web/language.js")
    )
