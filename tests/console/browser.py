"""A person at a screen: signs in with both steps and does things by the words on the page."""

from __future__ import annotations

from tests.browser import Screen
from tests.console.people import credential


class Person(Screen):
    def sign_in(self, username: str) -> Person:
        person = credential(username)
        self.go("/sign-in/")
        self.page.get_by_role("button", name=f"Fill in {person.name}").click()
        self.page.get_by_role("button", name="Continue").click()
        self.page.get_by_label("Code", exact=True).fill(credential(username).code)
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.wait_for_url(f"{self.url}/")
        return self
