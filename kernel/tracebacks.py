"""An error told plainly: where it was and in which words, never what the variables held, and never much of it.

Without the lines of source that Python would look up: a database that is away makes thousands of these a minute, and
telling them must not cost what the house needs to get over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from types import TracebackType
from typing import Final

from kernel.environment import ROOT

FRAMES_LIMIT: Final = 16  # the innermost, of each error
CHAIN_LIMIT: Final = 3
WORDS_LIMIT: Final = 1_000
_BECAUSE: Final = "\nThe error above led to this one:\n"
_OURS: Final = f"{ROOT}/"


def told(error: BaseException) -> str:
    chain = list(islice(_chain(error), CHAIN_LIMIT))
    return _BECAUSE.join(_one(each) for each in reversed(chain))


def shortened(text: str, limit: int = WORDS_LIMIT) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, and what led to it."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)


def _one(error: BaseException) -> str:
    frames = list(_frames(error.__traceback__))
    lines = ["Traceback (most recent call last):"]
    if len(frames) > FRAMES_LIMIT:
        lines.append(f"  … {len(frames) - FRAMES_LIMIT} calls")
    lines += [f'  File "{path}", line {number}, in {name}' for path, number, name in frames[-FRAMES_LIMIT:]]
    kind = type(error)
    named = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    try:
        words = str(error)
    except Exception:  # an error of the error's own: the kind has to do
        words = "(no words for it)"
    return "\n".join([*lines, f"{named}: {shortened(words)}" if words else named])


def _frames(at: TracebackType | None) -> Iterator[tuple[str, int, str]]:
    while at is not None:
        code = at.tb_frame.f_code
        yield code.co_filename.removeprefix(_OURS), at.tb_lineno or 0, code.co_name
        at = at.tb_next
