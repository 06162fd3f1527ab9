"""A person at a screen: signs in with both steps and does things by the words on the page."""

from __future__ import annotations

from django.conf import settings
from django.test import Client

from tests.world.browser import Screen
from tests.world.demo import credential, sign_in


class Person(Screen):
    def enter(self, username: str) -> Person:
        """As after both steps of the door; no page is open yet."""
        self.take_session(sign_in(username))
        return self

    def take_session(self, client: Client) -> None:
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.url}])

    def sign_in(self, username: str) -> Person:
        """Through the pages of the door."""
        self.go("/sign-in/")
        return self.pass_the_door(username)

    def pass_the_door(self, username: str) -> Person:
        """From wherever one was sent to it."""
        person = credential(username)
        self.page.get_by_role("button", name=f"Fill in {person.name}").click()
        self.page.get_by_role("button", name="Continue").click()
        self.page.get_by_label("Code", exact=True).fill(credential(username).code)
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.wait_for_url(lambda url: "/sign-in/" not in url)
        return self
