"""A second person signs in on the spot, at somebody else's screen, for one act.

The steps are the house's own (password, then a code that works once, with its lock-out), in a session that is thrown
away afterwards: the person at the screen stays signed in, and the other never is.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest

from house import sign_in
from kernel.actors import Actor
from kernel.refusal import Conflict


def on_the_spot(request: HttpRequest, *, username: str, password: str, code: str) -> Actor:
    aside = HttpRequest()
    aside.method, aside.META = "POST", request.META
    aside.session, aside.user = SessionStore(), AnonymousUser()
    if sign_in.password_step(request=aside, username=username, password=password) != "code":
        raise Conflict("not-enrolled", "This person has no second step yet: sign in once to set it up.")
    person = sign_in.code_step(request=aside, code=code)
    actor = person.as_actor()
    sign_in.sign_out(request=aside)
    return actor
