"""Where things are on this machine: the data folder, and what the environment says.

Read from the environment, with defaults that make a bare machine work. No Django here: the supervisor uses it too.
"""

from __future__ import annotations

import os
import resource
from datetime import datetime, time
from ipaddress import ip_address
from pathlib import Path


class Trouble(Exception):
    """Something is in the way of starting. The message is one plain sentence for the person at the terminal."""


SHARED_UMASK = 0o007
ROOT = Path(__file__).resolve().parent.parent


PRACTICE_MARK = "practice"  # in the data folder of a house to practise in, from its first start on


def data_folder() -> Path:
    usual = ".practice" if flag("PRACTICE", False) else ".data"
    return Path(os.environ.get("METERHOUSE_DATA") or ROOT / usual).absolute()


def practice() -> bool:
    """Whether this is a house to practise in. Its folder says so for ever, whatever the environment does later."""
    return flag("PRACTICE", False) or (data_folder() / PRACTICE_MARK).exists()


def paper_language(spoken: tuple[str, ...]) -> str:
    """In which language tickets and slips are printed: the first of *spoken* unless another of them is named."""
    named = os.environ.get("METERHOUSE_PAPER_LANGUAGE", spoken[0])
    if named not in spoken:
        raise SystemExit(f"METERHOUSE_PAPER_LANGUAGE is one of {', '.join(spoken)}, not {named}.")
    return named


def web_port() -> int:
    return port("PORT", 8100 if practice() else 8000)


def keep_to_ourselves() -> None:
    """What this process writes from now on is read by its own user only. For every program of ours, first of all.

    Where programs have users of their own the supervisor has said what they share (config/separation.py).
    """
    if os.umask(0o077) == SHARED_UMASK:
        os.umask(SHARED_UMASK)


def port(name: str, default: int) -> int:
    """A port from the environment. Said plainly where it is none."""
    given = os.environ.get(name) or str(default)
    if not (given.isascii() and given.isdigit() and 0 < int(given) < 65536):
        raise Trouble(f"{name} must be a port number between 1 and 65535, not “{given}”.")
    return int(given)


def host() -> str:
    """The address that web and streams are served at."""
    given = os.environ.get("HOST", "").strip() or "127.0.0.1"
    try:
        return str(ip_address(given))
    except ValueError:
        raise Trouble(f"HOST must be an address of this machine like 10.0.0.7, or 0.0.0.0, not “{given}”.") from None


def demo() -> bool:
    """Whether demo people exist and can sign in. Never by default where somebody has given a database: it may be a
    real house's."""
    return flag("METERHOUSE_DEMO", not os.environ.get("DATABASE_URL"))


def streams_port() -> int | None:
    """Where the event streams are served. The supervisor chooses one, and tells its children, where nobody has."""
    return port("STREAMS_PORT", 0) if os.environ.get("STREAMS_PORT") else None


def public_url() -> str:
    """Where players find this house with their telephones: it is printed on every receipt."""
    given = os.environ.get("METERHOUSE_PUBLIC_URL", "").strip().rstrip("/") or f"http://127.0.0.1:{web_port()}"
    if not given.startswith(("http://", "https://")) or not given.isascii() or len(given) > 120 or "#" in given:
        raise Trouble(f"METERHOUSE_PUBLIC_URL must read like https://keno.example.com, not “{given}”.")
    return given


def witness_url() -> str:
    """Where the witness is, if it is somebody else's."""
    given = os.environ.get("WITNESS_URL", "").strip().rstrip("/")
    if given and not given.startswith(("http://", "https://")):
        raise Trouble(f"WITNESS_URL must read like http://witness.example.com:8600, not “{given}”.")
    return given


def own_witness_file() -> Path:
    """Where a running copy writes at which address its own witness is."""
    return data_folder() / "witness-address"


def own_witness() -> str:
    """The address of the witness that a running copy keeps beside itself; empty where none runs."""
    try:
        return own_witness_file().read_text().strip()
    except FileNotFoundError:
        return ""


def demo_opens() -> time:
    """The time of day at which the demo venue's gaming day begins, and the one before it ends."""
    given = os.environ.get("METERHOUSE_DEMO_OPENS", "").strip() or "06:00"
    try:
        return datetime.strptime(given, "%H:%M").time()  # noqa: DTZ007  a time on the venue's clock
    except ValueError:
        raise Trouble(f"METERHOUSE_DEMO_OPENS must be a time of day like 06:00, not “{given}”.") from None


def demo_days() -> int:
    """How many gaming days the demo venue has behind it when it is first opened."""
    return _whole_number("METERHOUSE_DEMO_DAYS", 2, "a number of days", 0, 30)


def slow_seconds() -> float:
    """How long somebody may take to send the head of a request, or a body that is not large."""
    return float(_whole_number("METERHOUSE_SLOW_SECONDS", 10, "a number of seconds", 1, 60))


def streams_per_address() -> int:
    """How many event streams one address may have open at a time."""
    return _whole_number("METERHOUSE_STREAMS_PER_ADDRESS", 64, "a number", 1, 100_000)


def keno_promised_ahead() -> int:
    """How many games ahead draws are promised, the scheduled one among them: so many go on sale without the witness."""
    return _whole_number("KENO_PROMISED_AHEAD", 20, "a number of games", 1, 500)


def allow_open_files(wanted: int) -> None:
    """Each line to somebody is an open file, and a process is given a thousand or so until it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _whole_number(name: str, default: int, what: str, least: int, most: int) -> int:
    given = os.environ.get(name, "").strip() or str(default)
    if not (given.isascii() and given.isdigit() and least <= int(given) <= most):
        raise Trouble(f"{name} must be {what} between {least} and {most}, not “{given}”.")
    return int(given)


def readable_log(*, default: bool) -> bool:
    """Whether what the programs say is shown as people read it, or as JSON."""
    given = os.environ.get("METERHOUSE_LOG", "").strip().lower()
    if given not in {"", "text", "json"}:
        raise Trouble(f"METERHOUSE_LOG must be text or json, not “{given}”.")
    return given == "text" if given else default


def flag(name: str, default: bool) -> bool:
    return os.environ.get(name, "1" if default else "0").strip().lower() in {"1", "true", "yes", "on"}
