"""What is on a receipt: everything the player needs to check it (4.2), and to check the draw afterwards."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from house.venue import venue, zone
from keno import particulars
from keno.models import Draw, Ticket
from keno.queries.attempts import promise_or_none
from keno.receipts.back import back_of
from keno.receipts.signed import sign_paper
from keno.rules.price import KENO_TO_GO
from keno.rules.unclaimed import twelve_months_after
from kernel.money import Money
from kernel.paper import NAME
from web import words

KINDS: Final = {
    "standard": "Standard",
    "way": "Way ticket",
    "quick-pick": "Quick pick",
    "mystery": "Mystery quick pick",
    "set-bet": "Set bet",
}
CHECK_NOW: Final = "Check your ticket now. The record in the computer decides."
VOID_SHOWN_LIMIT: Final = 5  # of one ticket's games; the page that the code leads to has all of them
SCHEDULES: Final = {"special-1": "Special 1", "special-2": "Special 2", "special-3": "Special 3"}


@dataclass(frozen=True, slots=True)
class PlayLine:
    spots: int
    ways: int
    stake: Money


@dataclass(frozen=True, slots=True)
class Receipt:
    venue: str
    title: str  # "Way ticket, jackpot, Keno To Go"
    serial: str
    security_code: str  # of a duplicate none: whoever can print one holds no ticket by it
    groups: tuple[tuple[int, ...], ...]
    plays: tuple[PlayLine, ...]
    ways: int
    first_game: int
    last_game: int
    games: int
    free_games: int
    price_a_game: Money
    premium: Money
    price: Money
    gaming_day: date
    sold_at: str  # on the venue's clock, with its offset
    terminal: str
    writer: str
    claim_by: date
    commitment: str  # of the first game, whatever attempts follow
    schedule: str  # "Standard", "Special 3, version 12"
    jackpot: bool
    duplicate: bool
    void: tuple[str, ...]  # attempts at its draws that were void by the time it was printed, each a sentence
    paper: str  # what convicts whoever rewrites history (kernel/paper.py); empty before the log has begun
    house_key: str  # the fingerprint of the key that signed it
    witness_key: str
    head: str  # the latest head of the log: how many rows, and how its root begins
    number: int = 1  # of the paper: 2, 3, … of a continuation (10.4)
    back: tuple[str, ...] = ()  # odds and return of what it plays, whom to call for help

    @property
    def games_line(self) -> str:
        if self.games == 1:
            return f"Game {self.first_game}"
        free = f", {self.free_games} free" if self.free_games else ""
        return f"Games {self.first_game} to {self.last_game} ({self.games} games{free})"

    @property
    def code(self) -> str:
        """What the QR code holds: the page where the player checks the draw and his ticket in it.

        Serial and code stand in the fragment, which browsers send to nobody; a terminal reads them from there. Of a
        ticket of several games no game is named: the page then checks each that has been drawn.
        """
        secret = f"serial={self.serial}" + (f"&code={self.security_code}" if self.security_code else "")
        secret += f"&{NAME}{self.paper}" if self.paper else ""
        game = f"?game={self.first_game}" if self.games == 1 else ""
        return f"{settings.PUBLIC_URL}/verify/{game}#{secret}"

    @property
    def claim_line(self) -> str:
        return f"Claim by {words.day(self.claim_by, year=True)}; later with a claim form"


def receipt_of(ticket: Ticket, *, duplicate: bool, at: datetime | None = None, paper: int | None = None) -> Receipt:
    """*at*: when it is printed; the head on it is the latest one then. *paper*: left out, the one that is good."""
    number = ticket.paper if paper is None else paper
    plays = sorted(ticket.plays.all(), key=lambda play: play.place)
    charged = ticket.charged_to - ticket.first_game + 1
    promise = promise_or_none(ticket.first_game)
    commitment = bytes(promise.commitment) if promise is not None else None
    signed = sign_paper(leaf=bytes(ticket.leaf), commitment=commitment, at=at or timezone.now())
    return Receipt(
        venue=venue().name,
        title=_title(ticket),
        serial=ticket.serial,
        security_code="" if duplicate else particulars.code_of(ticket, plays, paper=number),
        groups=tuple(map(tuple, ticket.groups)),
        plays=tuple(PlayLine(play.spots, play.ways, play.stake) for play in plays),
        ways=sum(play.ways for play in plays),
        first_game=ticket.first_game,
        last_game=ticket.last_game,
        games=ticket.games,
        free_games=ticket.games - charged,
        price_a_game=ticket.price_a_game,
        premium=ticket.premium,
        price=ticket.price,
        gaming_day=ticket.day,
        sold_at=ticket.sold_at.astimezone(zone()).isoformat(timespec="seconds"),
        terminal=particulars.printed_name(ticket.terminal),
        writer=particulars.printed_name(ticket.writer),
        claim_by=date.fromordinal(twelve_months_after(ticket.day).toordinal() - 1),
        commitment=commitment.hex() if commitment is not None else "",
        schedule=_schedule(ticket),
        jackpot=ticket.jackpot,
        duplicate=duplicate,
        void=void_attempts(ticket) if duplicate else (),
        paper=signed.text if signed is not None else "",
        house_key=signed.house if signed is not None else "",
        witness_key=signed.witness if signed is not None else "",
        head=signed.head if signed is not None else "",
        number=number,
        back=back_of(ticket, plays),
    )


def void_attempts(ticket: Ticket) -> tuple[str, ...]:
    """What a player should know who is shown his ticket again: draws that did not count, and what they would have given
    (12.3). Nothing of it is hashed: the leaf is that of the sale."""
    games = Q(game__gte=ticket.first_game, game__lte=ticket.plays_to, voided_at__isnull=False)
    return tuple(
        f"Game {draw.game_id}, attempt {draw.attempt}: {draw.void_reason}"
        + (f" It would have given {numbers(tuple(draw.would_be))}." if draw.would_be else "")
        for draw in Draw.objects.filter(games).order_by("game_id", "attempt")[:VOID_SHOWN_LIMIT]
    )


def _schedule(ticket: Ticket) -> str:
    name = SCHEDULES.get(ticket.schedule, "Standard")
    return f"{name}, version {ticket.schedule_version}" if ticket.schedule_version else name


def _title(ticket: Ticket) -> str:
    parts = [KINDS[ticket.kind]]
    if ticket.set_bet:
        parts.append(ticket.set_bet)
    if ticket.schedule in SCHEDULES:
        parts.append(SCHEDULES[ticket.schedule])
    if ticket.jackpot:
        parts.append("Jackpot")
    if ticket.games >= KENO_TO_GO:
        parts.append("Keno To Go")
    return ", ".join(parts)


def as_data(receipt: Receipt) -> dict[str, Any]:
    """The particulars as plain data, for a terminal that lays them out itself."""

    def plain(value: object) -> Any:
        if isinstance(value, Receipt | PlayLine):
            return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        if isinstance(value, tuple):
            return [plain(each) for each in value]
        return str(value) if isinstance(value, Money | date) else value

    return {**plain(receipt), "code": receipt.code}


def lines(receipt: Receipt) -> list[tuple[str, str]]:
    """The particulars in the order they are read, as (label, text): one list for every layout."""
    rows = [("Ticket", receipt.title)]
    if receipt.number > 1:
        rows.append(("Continued", f"paper {receipt.number}: the one before is paid and kept"))
    rows += numbered(receipt)
    for play in receipt.plays:
        ways = "1 way" if play.ways == 1 else f"{play.ways:,} ways"
        rows.append((f"Play {play.spots}", f"{ways} at {words.money(play.stake)}"))
    rows.append(("Ways", f"{receipt.ways:,}"))
    rows.append(("Schedule", receipt.schedule))
    rows.append(("Jackpot", "yes" if receipt.jackpot else "no"))
    rows.append(("Games", receipt.games_line))
    rows.append(("A game", _with_premium(receipt)))
    rows.append(("Price", words.money(receipt.price)))
    rows.append(("Gaming day", words.day(receipt.gaming_day, year=True)))
    rows.append(("Sold", to_the_second(datetime.fromisoformat(receipt.sold_at))))
    rows.append(("Terminal", receipt.terminal))
    rows.append(("Serial", grouped(receipt.serial)))
    rows.append(("Security", grouped(receipt.security_code) or "On the original, which alone is paid"))
    rows.append(("Claim", receipt.claim_line))
    rows.extend(("Void", told) for told in receipt.void)
    return rows


def numbered(receipt: Receipt) -> list[tuple[str, str]]:
    """What was marked, which is printed large: ``("Numbers", "04 08 15")``, or a line a group."""
    if len(receipt.groups) == 1:
        return [("Numbers", numbers(receipt.groups[0]))]
    return [(f"Group {letter(i)}", numbers(group)) for i, group in enumerate(receipt.groups)]


def to_the_second(moment: datetime) -> str:
    """``Mon 16 Nov 2026, 20:03:22 (UTC+11:00)``: as people write it, and exactly: the leaf is made of it."""
    return f"{words.day(moment, year=True)}, {moment:%H:%M:%S} (UTC{moment.isoformat()[-6:]})"


def fine_print(receipt: Receipt) -> list[tuple[str, str]]:
    """At the foot, small: what was promised of the draw, the log's latest head, and whose keys it can be checked with,
    for somebody who has noted them down."""
    named = (
        (f"Draw {receipt.first_game} promised", grouped(receipt.commitment, " ")),
        ("Head of the log", receipt.head),
        ("House", grouped(receipt.house_key, " ")),
        ("Witness", grouped(receipt.witness_key, " ")),
    )
    return [(name, text) for name, text in named if text]


def _with_premium(receipt: Receipt) -> str:
    premium = f" (premium {words.money(receipt.premium)})" if receipt.premium else ""
    return f"{words.money(receipt.price_a_game)}{premium}"


def numbers(group: tuple[int, ...]) -> str:
    return " ".join(f"{number:02d}" for number in group)


def letter(place: int) -> str:
    """A, B, … Z, AA, AB, …"""
    first, second = divmod(place, 26)
    return (chr(64 + first) if first else "") + chr(65 + second)


def grouped(text: str, between: str = "-") -> str:
    return between.join(text[start : start + 4] for start in range(0, len(text), 4))
