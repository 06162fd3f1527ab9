"""What docs/powers.md says below its first words: written from the declarations and from the walk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from house import powers
from house.approvals import Approvable, kinds
from house.roles import ROLES
from kernel.codes import Permission
from tests.powers.walk import DECIDE, PROPOSE, Outcome, Step, Walk
from tests.powers.walkers import DEVICES, NO_ROLE, NOBODY, PEOPLE, UNKNOWN
from tests.world.addresses import API

PAPER: Final = Path(__file__).resolve().parents[2] / "docs" / "powers.md"
MARK: Final = "<!-- From here on written by `make powers`. -->\n"
_ROOMS: Final = {
    "": "The house",
    "keno": "Keno",
    "jackpot": "Jackpots",
    "jackpots": "Jackpots",
    "promotions": "Promotions and tournaments",
    "promo": "Promotions and tournaments",
    "tournaments": "Promotions and tournaments",
    "tournament-entries": "Promotions and tournaments",
    "tablegames": "Table games",
    "tables": "Table games",
}


# Where it depends on the thing itself, and a list of roles would say what is not so.
BY_KIND: Final = "see *Changes that another person decides*"
WORDS: Final = {
    ("POST", "api/v1/approvals/"): BY_KIND,
    **{("POST", f"api/v1/approvals/<id>/{each}"): BY_KIND for each in ("approve", "reject")},
    **{("POST", f"approvals/<number>/{each}/"): BY_KIND for each in ("approve", "reject")},
    ("POST", "api/v1/approvals/<id>/withdraw"): "who proposed it",
    ("POST", "approvals/<number>/withdraw/"): "who proposed it",
    ("POST", "staff/<username>/half/"): "the two who agreed on it, each his own half, once",
    ("POST", "own/devices/<code>/collect/"): "who holds it",
    ("POST", "api/v1/devices/<code>/collect"): "who holds it, at the console",
    ("GET", "api/v1/requests/<key>"): "who sent it",
    ("GET", "metrics"): "this machine; from elsewhere a token with `metrics.view`",
}


def written(walk: Walk) -> str:
    return "\n".join([*_powers(), *_kinds(walk), *_addresses(walk), ""])


def _powers() -> Iterator[str]:
    yield "## Powers\n"
    yield "Who holds it is how a new house begins; `/roles/` shows how it is today."
    for room, declared in powers.by_room().items():
        yield f"\n### {room.capitalize()}\n"
        yield "| power | may | who | needs |\n|---|---|---|---|"
        for each in declared:
            who = ", ".join(role for role in ROLES if role in each.roles) or "nobody"
            yield _row(f"`{each}`", each.label, who, _needs(each))


def _needs(power: Permission) -> str:
    """What it takes, then what is said of it, in sentences."""
    short = "; ".join(each for each in power.needs() if each != power.note)
    sentences = [short[:1].upper() + short[1:], power.note or ""]
    return " ".join(f"{each.removesuffix('.')}." for each in sentences if each)


def _kinds(walk: Walk) -> Iterator[str]:
    yield "\n## Changes that another person decides\n"
    yield "| change | who proposes | whose word it takes | who decides |\n|---|---|---|---|"
    for name, kind in sorted(kinds().items()):
        proposes, decides = walk.by_kind[name, PROPOSE], walk.by_kind[name, DECIDE]
        yield _row(f"{kind.label} (`{name}`)", _people(proposes), _authority(kind), _people(decides) or "by letter")


def _authority(kind: Approvable[object]) -> str:
    return "as its rule says" if kind.fixed_authority is None else kind.fixed_authority.words


def _addresses(walk: Walk) -> Iterator[str]:
    """By room: pages, then calls; at the end what is open to everybody."""
    rows = {key: steps for key, steps in walk.rows().items() if steps[0].address.power is not None}
    for title in dict.fromkeys(_ROOMS.values()):
        own = {key: steps for key, steps in rows.items() if _room(key[1]) == title}
        yield f"\n## {title}, address by address\n"
        yield "| page | power | people | personal data shown to |\n|---|---|---|---|"
        for (method, route), steps in own.items():
            if steps[0].address.is_page and not _is_open(steps):
                people = WORDS.get((method, route)) or _people(steps)
                yield _row(_called(method, route), _power(method, route, steps), people, _told(steps))
        yield "\n| call | power | people | devices | personal data shown to |\n|---|---|---|---|---|"
        for (method, route), steps in own.items():
            if steps[0].address.is_call and not _is_open(steps):
                who = WORDS.get((method, route))
                called, power = _called(method, route.removeprefix(API)), _power(method, route, steps)
                yield _row(called, power, who or _people(steps), who or _devices(steps), _told(steps))
    yield "\n## Open to anybody\n"
    yield "| address | who |\n|---|---|"
    for (method, route), steps in walk.rows().items():
        if _is_open(steps):
            yield _row(_called(method, f"/{route}"), "anybody")
        elif steps[0].address.power is None:
            let_in = f"devices: {_devices(steps)}; people: {_people(steps) or 'nobody'}"
            yield _row(_called(method, f"/{route}"), WORDS.get((method, route), let_in))


def _power(method: str, route: str, steps: list[Step]) -> str:
    return "by its kind" if WORDS.get((method, route)) == BY_KIND else f"`{steps[0].address.power}`"


def _room(route: str) -> str:
    return _ROOMS.get(route.removeprefix(API).split("/")[0], _ROOMS[""])


def _is_open(steps: list[Step]) -> bool:
    return any(step.walker.name == NOBODY and step.outcome is Outcome.YES for step in steps)


def _called(method: str, route: str) -> str:
    return f"{'' if method == 'GET' else 'POST '}`{route or '/'}`"


def _people(steps: list[Step]) -> str:
    return _named((step for step in steps if not step.walker.is_device and step.walker.name != NOBODY), PEOPLE, NO_ROLE)


def _devices(steps: list[Step]) -> str:
    return _named((step for step in steps if step.walker.is_device), DEVICES, UNKNOWN)


def _named(steps: Iterable[Step], all_of_them: Iterable[str], nothing: str) -> str:
    """The roles that got through; ``everybody`` where even those without a role did."""
    passed = {step.walker.name for step in steps if step.outcome is Outcome.YES}
    if passed == set(all_of_them):
        return "everybody"
    assert nothing not in passed, "without a role and let in, where others are not"
    return ", ".join(name for name in all_of_them if name in passed)


def _told(steps: list[Step]) -> str:
    told = {step.walker.name for step in steps if step.told}
    return ", ".join(role for role in ROLES if role in told)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |".replace("  ", " ")
