"""Where things are on this machine: the data folder, the addresses of the services, the secrets of this installation.

Read from the environment, with defaults that make a bare machine work. No Django here: the supervisor uses it too.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path


class Trouble(Exception):
    """Something is in the way of starting. The message is one plain sentence for the person at the terminal."""


ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path:
    return Path(os.environ.get("METERHOUSE_DATA") or ROOT / ".data").absolute()


def secret(name: str) -> str:
    """A secret of this installation, made on first use and kept 0600 in the data folder."""
    folder = data_folder() / "keys"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        value = secrets.token_urlsafe(48)
        file.write(value + "\n")
    return value


def port(name: str, default: int) -> int:
    """A port from the environment. Said plainly where it is none."""
    given = os.environ.get(name) or str(default)
    if not (given.isascii() and given.isdigit() and 0 < int(given) < 65536):
        raise Trouble(f"{name} must be a port number between 1 and 65535, not “{given}”.")
    return int(given)


def streams_port() -> int | None:
    """Where the event streams are served. The supervisor chooses one, and tells its children, where nobody has."""
    return port("STREAMS_PORT", 0) if os.environ.get("STREAMS_PORT") else None


def public_url() -> str:
    """Where players find this house with their telephones: it is printed on every receipt."""
    given = os.environ.get("METERHOUSE_PUBLIC_URL", "").strip().rstrip("/") or f"http://127.0.0.1:{port('PORT', 8000)}"
    if not given.startswith(("http://", "https://")) or not given.isascii() or len(given) > 120 or "#" in given:
        raise Trouble(f"METERHOUSE_PUBLIC_URL must read like https://keno.example.com, not “{given}”.")
    return given


def demo_days() -> int:
    """How many gaming days the demo venue has behind it when it is first opened."""
    given = os.environ.get("METERHOUSE_DEMO_DAYS", "").strip() or "2"
    if not (given.isascii() and given.isdigit() and int(given) <= 30):
        raise Trouble(f"METERHOUSE_DEMO_DAYS must be a number of days between 0 and 30, not “{given}”.")
    return int(given)


def flag(name: str, default: bool) -> bool:
    return os.environ.get(name, "1" if default else "0").strip().lower() in {"1", "true", "yes", "on"}
