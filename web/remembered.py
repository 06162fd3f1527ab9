"""Who called before: a guess, for what is done at once (``web.at_once``)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from rest_framework.authentication import BaseAuthentication

from kernel.actors import Actor


@dataclass(frozen=True, slots=True)
class Remembered:
    """Who called with this token before; *proof*: what the database knows it by."""

    actor: Actor
    proof: str


class Remembers(BaseAuthentication):
    """A way to sign in that remembers who did."""

    @abstractmethod
    def remembered(self, environ: Mapping[str, object]) -> Remembered | None:
        """Whom this request seems to be from. Whoever believes it has the database look at the *proof*."""

    @abstractmethod
    def confirmed(self, by: Remembered) -> None:
        """The database has, and it was."""
