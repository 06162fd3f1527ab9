"""Between granian and the application: whoever sends or takes slowly holds up nobody but himself.

granian gives each request a thread as soon as its head is here, and lets it wait for the body; as many callers as there
are threads, who send nothing more, would stop the house. So threads are many and cheap here, and only ``AT_WORK`` of
them do anything at a time: a request is one of these once its body is here, until its answer is made. Answers are given
away whole, so that no thread waits for a reader; what is large, either way, is done by a few at a time.
"""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Any, Final

from config.late import Headers, Line, Watch, end_stalled_readers
from kernel.refusal import Busy, Malformed, Refusal
from web import problems
from web.json import TooLarge

AT_WORK: Final = 8  # calls that a process works on at once
LARGE_AT_ONCE: Final = 4
LARGE_BYTES: Final = 1_048_576
PIECE_BYTES: Final = 4_096
SLOWEST_BYTES_A_SECOND: Final = 262_144  # of what is large, once it has had its first seconds
STALLED_SECONDS: Final = 30.0  # a reader's machine may take nothing

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

# The process's own environment, which servers like to add, stays out: it holds passwords.
_SURROUNDINGS: Final[Environ] = {
    "GATEWAY_INTERFACE": "CGI/1.1",
    "SCRIPT_NAME": "",
    "wsgi.errors": sys.stderr,
    "wsgi.multiprocess": True,
    "wsgi.multithread": True,
    "wsgi.run_once": False,
    "wsgi.version": (1, 0),
}


class LengthMissing(Refusal):
    status = 411
    title = "Length required"
    final = False


class Places:
    """So many at a time, the others wait. Quicker than a semaphore: it is asked for with every request."""

    def __init__(self, count: int) -> None:
        self._free: SimpleQueue[None] = SimpleQueue()
        for _ in range(count):
            self._free.put(None)

    @contextmanager
    def one(self, *, within: float | None = None) -> Iterator[None]:
        try:
            self._free.get(timeout=within)
        except Empty:
            raise Busy("busy", "Too many long requests are under way: try again in a moment.") from None
        try:
            yield
        finally:
            self._free.put(None)


class Guard:
    """A WSGI application as granian calls it. *limit* says how many bytes may be sent to a path."""

    def __init__(self, application: Application, *, limit: Callable[[str], int], slow_seconds: float) -> None:
        self.application, self.limit, self.slow_seconds = application, limit, slow_seconds
        self.work, self.large, self.watch = Places(AT_WORK), Places(LARGE_AT_ONCE), Watch()
        threading.Thread(
            target=end_stalled_readers, kwargs={"seconds": STALLED_SECONDS}, name="stalled readers", daemon=True
        ).start()

    def __call__(self, line: Line, environ: Environ) -> int:
        """What granian gets back is the status, for a log that is not written."""
        try:
            return self._serve(line, _SURROUNDINGS | environ)
        except Refusal as refusal:
            return _refuse(line, environ["PATH_INFO"], refusal)

    def _serve(self, line: Line, environ: Environ) -> int:
        if "HTTP_TRANSFER_ENCODING" in environ:
            raise LengthMissing("length-missing", "Say with Content-Length how long the body is.")
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length > LARGE_BYTES:
            place: AbstractContextManager[None] = self._place_for_large(line, environ, length)
        else:
            environ["wsgi.input"] = io.BytesIO(self._body(line, environ, length) if length else b"")
            place = self.work.one()
        with place:
            answer = _Answer(self.application, environ)
        if answer.rest is None:
            line.response_bytes(answer.status, answer.headers, answer.beginning)
            return answer.status
        try:
            with self.large.one(within=self.slow_seconds):
                line.response_iter(answer.status, answer.headers, _Paced(answer, first_seconds=self.slow_seconds))
        finally:
            answer.close()
        return answer.status

    def _body(self, line: Line, environ: Environ, length: int) -> bytes:
        with self.watch.over(line, environ["REMOTE_ADDR"], until=time.monotonic() + self.slow_seconds):
            body: bytes = environ["wsgi.input"].read(length)
        if len(body) != length:  # cut off, or gone
            raise Malformed("malformed", "The body ended before its length.")
        return body

    @contextmanager
    def _place_for_large(self, line: Line, environ: Environ, length: int) -> Iterator[None]:
        """Read as it comes: who may send that much is asked before it is read."""
        if length > (limit := self.limit(environ["PATH_INFO"])):
            raise TooLarge("too-large", f"A request to this address may be {limit} bytes long.")
        watched = partial(self.watch.over, line, environ["REMOTE_ADDR"])
        environ["wsgi.input"] = io.BufferedReader(_Watched(environ["wsgi.input"], watched, self.slow_seconds))
        with self.large.one(within=self.slow_seconds):
            yield


class _Watched(io.RawIOBase):
    """A body that is read as it comes, at a pace that ends some day."""

    def __init__(self, body: Any, watched: Callable[..., AbstractContextManager[None]], first_seconds: float) -> None:
        self._body, self._watched, self._taken = body, watched, 0
        self._begun = time.monotonic() + first_seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with self._watched(until=self._begun + self._taken / SLOWEST_BYTES_A_SECOND):
            piece = self._body.read(min(len(buffer), PIECE_BYTES))  # granian waits until it has as many as that
        buffer[: len(piece)] = piece
        self._taken += len(piece)
        return len(piece)


class _Answer:
    """What the application answers: all of it, or its beginning and how to get the rest."""

    def __init__(self, application: Application, environ: Environ) -> None:
        self.status, self.headers = 500, list[tuple[str, str]]()
        self.rest: Iterator[bytes] | None = None
        self._given = application(environ, self._start)
        chunks, kept, size = iter(self._given), [], 0
        for chunk in chunks:
            kept.append(chunk)
            size += len(chunk)
            if size > LARGE_BYTES:
                self.rest = chunks
                break
        self.beginning = b"".join(kept)
        if self.rest is None:
            self.close()

    def _start(self, status: str, headers: Headers, exc_info: object = None) -> None:
        self.status, self.headers = int(status[:3]), headers

    def close(self) -> None:
        close = getattr(self._given, "close", None)
        if close is not None:
            close()


class _Paced:
    """A long answer, for as long as somebody takes it at a pace that ends some day."""

    def __init__(self, answer: _Answer, *, first_seconds: float) -> None:
        assert answer.rest is not None
        self._chunks = chain([answer.beginning], answer.rest)
        self._begun, self._first_seconds, self._sent = time.monotonic(), first_seconds, 0

    def __next__(self) -> bytes:
        taken = time.monotonic() - self._begun - self._first_seconds
        if taken > 0 and self._sent < taken * SLOWEST_BYTES_A_SECOND:
            raise StopIteration  # short of its length, or of its last chunk: the reader sees that it broke off
        chunk = next(self._chunks)
        self._sent += len(chunk)
        return chunk

    def close(self) -> None:
        """The answer is closed by who began it."""


def _refuse(line: Line, path: str, refusal: Refusal) -> int:
    """As the application would say it, to somebody it never heard."""
    said = problems.answer(refusal)
    if not path.startswith("/api/"):
        said["Content-Type"], said.content = "text/plain; charset=utf-8", f"{refusal.detail}\n".encode()
    line.response_bytes(refusal.status, list(said.items()), said.content)
    return refusal.status
