"""The shapes that pages are made of: choices above a list, a table in its sheet, what is said where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template
from django.template.defaultfilters import capfirst
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from web import words
from web.languages.shown import shown
from web.templatetags import figures

register = template.Library()


@register.inclusion_tag("web/_choice.html", takes_context=True)
def choice(
    context: template.Context,
    name: str,
    says: str,
    every: str,
    choices: Iterable[object] | Mapping[object, str] = (),
    *,
    plain: bool = False,
    **titled: str,
) -> dict[str, object]:
    """A choice above a list: of codes (shown by their labels, or ``plain``), of codes with titles, or of these."""
    pairs = choices.items() if isinstance(choices, Mapping) else [_with_title(each, plain=plain) for each in choices]
    chosen = context["listing"].chosen.get(name)
    options = [(code, title, chosen == code) for code, title in [*pairs, *titled.items()]]
    return {"name": name, "says": says, "every": every, "options": options}


def _with_title(each: object, *, plain: bool) -> tuple[object, str]:
    if isinstance(each, tuple):
        code, title = each
        return code, str(capfirst(title))
    return each, str(each) if plain else words.label(each)


@register.simple_block_tag
def sheet(content: SafeString, *columns: str, css: str = "", table: str = "", region: str = "") -> SafeString:
    """A table and its heads: ``{% sheet "When" "Amount|right" %}``, the rows, ``{% endsheet %}``.

    What is wider than the page is a ``region`` that keys can reach.
    """
    return format_html(
        '<div class="{}"{}><table{}><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>',
        f"sheet {css}".strip(),
        format_html(' tabindex="0" role="region" aria-label="{}"', region) if region else "",
        _class(table),
        format_html_join("", '<th scope="col"{}>{}</th>', (_head(column) for column in columns)),
        content,
    )


def _head(column: str) -> tuple[SafeString, str]:
    title, _, css = column.partition("|")
    # What can be done in a row is seen in it: its title is for those who cannot see.
    return _class(css), format_html('<span class="unseen">{}</span>', title) if title and css == "act" else title


def _class(css: str) -> SafeString:
    return format_html(' class="{}"', css) if css else SafeString()


@register.simple_block_tag
def nothing(content: SafeString, title: str, heading: str = "h3") -> SafeString:
    """What stands where there is nothing to show: ``{% nothing "No limits" %}``, why, ``{% endnothing %}``."""
    return format_html('<div class="empty"><{}>{}</{}><p>{}</p></div>', heading, title, heading, content)


@register.simple_block_tag
def figure(content: SafeString, title: str) -> SafeString:
    """One of the figures at the head of a page: ``{% figure "Price" %}``, the figure, ``{% endfigure %}``."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", title, content)


@register.simple_block_tag
def banner(content: SafeString, tone: str, icon: str, role: str = "") -> SafeString:
    """A sentence across the page: ``{% banner "is-stopped" "cross" %}``, its paragraphs, ``{% endbanner %}``."""
    role = format_html(' role="{}"', role) if role else SafeString()
    return format_html('<div class="banner {}"{}>{}<div>{}</div></div>', tone, role, figures.icon(icon), content)


@register.simple_tag
def leave_or(says: str, amount: object = None, tone: str = "primary") -> SafeString:
    """How a dialog ends: it is left, or it does what its button says."""
    return format_html(
        '<div class="actions"><button type="button" data-shut>{}</button><button class="{}">{}</button></div>',
        shown("Cancel"),
        tone,
        says if amount is None else format_html("{} {}", says, figures.money(amount)),
    )


@register.simple_tag
def or_leave(says: str, page: str, *named: object) -> SafeString:
    """How a page's form ends: it is sent, or left for the page that it came from."""
    return format_html(
        '<div class="actions"><button class="primary">{}</button><a class="button bare" href="{}">{}</a></div>',
        says,
        reverse(page, args=named),
        shown("Cancel"),
    )


@register.simple_tag
def begin(says: str, page: str) -> SafeString:
    """The first thing to do on a page, by its button or the key n: to make another of what is listed."""
    return format_html(
        '<a class="button primary" href="{}" data-keys="n" data-says="{}">{}{}</a>',
        reverse(page),
        says,
        figures.icon("plus"),
        says,
    )
