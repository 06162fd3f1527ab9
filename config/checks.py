"""What the rooms offer, looked at as a whole when the house starts: nothing twice, nothing for a role nobody knows; and
whether this installation is fit for a real house (``manage.py check --deploy``)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from house.pages.reporting import Reports
from house.roles import ROLES
from kernel import environment
from kernel.acts import Act
from kernel.codes import Code, Permission
from kernel.rooms import Acts, offered
from web.frame import NavigationGroup, Placed

PAGES_MAX = 9  # of a section of the rail


def faults() -> list[str]:
    """What is wrong with the declared lists, each in a sentence."""
    codes = Counter((type(code), str(code)) for code in offered(Code))
    said = [f"{kind.__name__} {code} is declared twice" for (kind, code), times in codes.items() if times > 1]
    acts = Counter(act.kind for declared in offered(Acts) for act in declared.kinds)
    said += [f"act {kind} is declared twice" for kind, times in acts.items() if times > 1]
    said += [f"act {act.kind} is declared by no room" for act in _act_classes(Act) if act.kind not in acts]
    for permission in offered(Permission):
        if strange := permission.roles - ROLES.keys():
            said.append(f"{permission} is to be granted to roles that do not exist: {', '.join(sorted(strange))}")
    return said + _untitled() + _misplaced()


def _untitled() -> list[str]:
    """Reports that nobody could find: without a title, or for a right that nobody has."""
    rights = {str(permission) for permission in offered(Permission)}
    said = []
    for of in offered(Reports):
        said += [f"report {name} of {of.room} has no title" for name in of.reports if name not in of.titles]
        if of.permission not in rights:
            said.append(f"the reports of {of.room} are for {of.permission}, which no room declares")
    return said


def _misplaced() -> list[str]:
    """Parts of the frame whose order, or whose key, would depend on luck."""
    places = Counter((type(part).__name__, part.place) for part in offered(Placed))
    said = [f"{kind} {place} is claimed twice" for (kind, place), times in places.items() if times > 1]
    pages = Counter(group.section.title for group in offered(NavigationGroup) for _ in group.entries)
    return said + [
        f"{title} has {many} pages, more than there are digits" for title, many in pages.items() if many > PAGES_MAX
    ]


def _act_classes(base: type[Act]) -> Iterator[type[Act]]:
    """Every act of the rooms' own, loaded with them; a class that only others are made of has no kind."""
    for act in base.__subclasses__():
        if "kind" in vars(act) and not act.__module__.startswith("tests."):
            yield act
        yield from _act_classes(act)


@register(Tags.security, deploy=True)
def fit_for_a_real_house(**_: object) -> list[CheckMessage]:
    """``manage.py check --deploy``: beside Django's own, what only this house can know."""
    said: list[CheckMessage] = []
    if settings.DEMO:
        said.append(
            Error("Demo people can sign in (METERHOUSE_DEMO): anybody may read their passwords.", id="config.E010")
        )
    for number, (wrong, sentence) in enumerate(_unfit(), start=10):
        if wrong:
            said.append(Warning(sentence, id=f"config.W{number:03}"))
    return said


def _unfit() -> Iterator[tuple[bool, str]]:
    given = bool(os.environ.get("DATABASE_URL"))
    yield not given, "The database is the embedded one: name a server with a standby and backups (DATABASE_URL)."
    yield given and not settings.DATABASE_ROLES, "One role of the database does everything (DATABASE_OWNER_URL)."
    yield not settings.WITNESS_URL, "The witness stands on the house's own machine (WITNESS_URL)."
    yield not settings.HTTPS, "Cookies and tokens travel unencrypted (METERHOUSE_HTTPS)."
    yield (
        not settings.PUBLIC_URL.startswith("https://"),
        "Receipts lead to a page without https (METERHOUSE_PUBLIC_URL).",
    )
    yield "*" in settings.ALLOWED_HOSTS, "Any name leads here (ALLOWED_HOSTS)."
    proxied = environment.host() == "127.0.0.1" or bool(settings.TRUSTED_PROXIES)
    yield not proxied, "No proxy's word on the caller's address is taken (METERHOUSE_TRUSTED_PROXIES)."


@register("rooms")
def rooms_agree(**_: object) -> list[CheckMessage]:
    return [Error(said, id="config.E001") for said in faults()]
