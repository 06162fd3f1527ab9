"""``python -m tablegames.mathematics``: prints docs/tablegames.md, the exact figures of every bet, from the rules.

``--write`` writes it in place. Every figure of the super wagers is counted twice before it is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from tablegames.rules import mathematics
from tablegames.rules.catalogue import GAMES
from tablegames.rules.mathematics import HANDS, Figures
from tablegames.rules.poker_games import POKER_GAMES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "tablegames.md"


def decimal(figure: Fraction, places: int) -> str:
    """Rounded half up, in whole numbers."""
    scaled = (2 * abs(figure.numerator) * 10**places + figure.denominator) // (2 * figure.denominator)
    whole, rest = divmod(scaled, 10**places)
    return f"{'-' if figure < 0 else ''}{whole}.{rest:0{places}d}"


def percent(figure: Fraction) -> str:
    return f"{decimal(figure * 100, 4)}%"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _summary(figures: Figures) -> list[str]:
    return [str(figures.returned), percent(figures.returned), percent(figures.edge), percent(figures.hit_rate)]


def _supers() -> Iterator[str]:
    yield "## Super wagers of Lunar Poker"
    yield ""
    yield f"All {HANDS:,} hands dealt out, and counted a second time by combinatorics; the two agree in every line."
    yield "Only the highest combination is paid. *Ace-king-queen* is any hand that holds all three."
    yield ""
    heads = ("table", "return", "", "house edge", "wins")
    rows = []
    for game in POKER_GAMES.values():
        for name, table in game.supers.items():
            rows.append([f"{game.title}: {name}", *_summary(mathematics.super_figures(table))])
    yield from _table(heads, rows)
    for game in POKER_GAMES.values():
        if not game.supers:
            continue
        names = next(iter(game.supers.values())).names
        often = mathematics.enumerated(names)
        if often != mathematics.counted(names):
            raise AssertionError(f"{game.code}: dealt out and counted do not agree")
        yield f"### {game.title}"
        yield ""
        yield from _table(
            ["combination", "hands", "one in", *(f"pays ({name})" for name in game.supers)],
            [
                [
                    name.replace("-", " "),
                    f"{often[name]:,}",
                    decimal(Fraction(HANDS, often[name]), 1),
                    *(str(table[name].odds) for table in game.supers.values()),
                ]
                for name in names
            ],
        )


def _instant() -> Iterator[str]:
    yield "## Instant payouts of Lunar Poker"
    yield ""
    yield "Of an ante, what the instant payout alone is worth (36 straight flushes and 4 royal flushes). The rest of"
    yield "the ante depends on the play."
    yield ""
    seen: dict[str, Figures] = {}
    for game in POKER_GAMES.values():
        for name, table in game.instant.items():
            seen.setdefault(name, mathematics.instant_figures(table))
    yield from _table(
        ("straight flush / royal flush", "worth", ""),
        [[name, str(figures.returned), percent(figures.returned)] for name, figures in seen.items()],
    )


def _hands() -> Iterator[str]:
    yield "## Five cards"
    yield ""
    often = mathematics.hand_frequencies()
    yield from _table(
        ("hand", "hands", "frequency"),
        [[name.replace("-", " "), f"{many:,}", percent(Fraction(many, HANDS))] for name, many in often.items()],
    )
    qualifies = mathematics.dealer_qualifies()
    yield f"The dealer has ace-king or higher in {percent(qualifies)} of hands ({qualifies})."
    yield ""


def _others() -> Iterator[str]:
    yield "## The other games of the ACT schedule"
    yield ""
    yield "A stand-off counts as returned. The hand of Blackjack and the setting of Pai Gow depend on the player; they"
    yield "have no one figure. Super Sevens: a third card is drawn to two sevens."
    yield ""
    rows = []
    for code in ("roulette", "sic-bo", "money-wheel", "baccarat", "mini-baccarat", "blackjack"):
        game = GAMES[code]
        merged: dict[tuple[str, str, Fraction], Figures] = {}
        for figures in game.figures():
            merged.setdefault((figures.wager.partition(":")[0], figures.table, figures.edge), figures)
        for (kind, table, edge), figures in merged.items():
            alike = [each for each in game.figures() if each.wager.partition(":")[0] == kind and each.edge == edge]
            split = kind == "total"
            name = f"{kind} {', '.join(each.wager.partition(':')[2] for each in alike)}" if split else kind
            rows.append([code, f"{name} ({table})" if table else name, str(edge), percent(figures.edge)])
    yield from _table(("game", "wager", "house edge", ""), rows)


def page() -> str:
    lines = [
        "# Table games: exact figures",
        "",
        "Written by `python -m tablegames.mathematics --write` from the pay tables in `tablegames/rules/`; a test",
        "holds this page to what the command prints. Fractions are exact, decimals rounded.",
        "",
        *_supers(),
        *_instant(),
        *_hands(),
        *_others(),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
