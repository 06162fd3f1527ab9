"""How the house runs Keno, on a screen: its settings, its device, an irregular draw, dice, a tournament's money."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from keno import approved
from keno.close import close_game
from keno.demo import build_demo
from keno.draw import ask_witness, draw_game
from keno.models import Draw, Game, KenoSettings
from keno.permissions import SUPERVISED_ABOVE
from keno.queries.attempts import attempts_of
from keno.shifts import open_shift
from keno.waits import WAIT_TOLD_AFTER, note_wait
from kernel.money import Money
from ledger.models import Act
from tests.console.browser import Person
from tests.console.keno_scene import confirmed, decide
from tests.world.approvals import put_in_force
from tests.world.demo import demo_actor
from tests.world.second_party import AtHand
from tests.world.tournaments import card_of
from tournaments.models import TournamentEntry

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.long  # without a browser: test_keno_settings_pages.py
def test_a_setting_of_each_kind_is_proposed_decided_and_holds(person: Callable[..., Person]) -> None:
    build_demo()
    one, other = person("supervisor"), person("manager")
    page = one.go("/keno/")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Propose a change").click()
    page.get_by_label("Seconds from one close to the next").fill("20")
    page.get_by_label("Milliseconds from one number to the next").fill("900")
    page.get_by_label("Why").fill("Slower evenings.")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.get_by_text("A draw is over before the next game closes").first.wait_for()
    page.get_by_label("Seconds from one close to the next").fill("240")
    page.get_by_label("Balls of a mechanical draw").select_option("yes")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/approvals/*/")
    assert page.get_by_role("button", name="Approve").count() == 0  # never one's own
    assert KenoSettings.current().interval.seconds == 180
    decide(other, "keno.games")
    page = one.go("/keno/settings/")
    page.get_by_text("240 s").wait_for()
    one.picture("keno-settings-1280-light")
    now = KenoSettings.current()
    assert (now.interval.seconds, now.balls_confirmed) == (240, True)

    page.get_by_role("listitem").filter(has_text="A way could win at most").get_by_role("link", name="Change").click()
    page.get_by_label("New amount").fill("20000.00")
    page.get_by_label("Why").fill("A smaller house.")
    one.picture("keno-propose-setting-1280-light")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/approvals/*/")
    decide(other, "keno.amount")
    one.go("/keno/settings/").get_by_text("$20,000.00").first.wait_for()
    assert approved.amount(approved.MOST_A_WAY) == Money.dollars(20_000)


@pytest.mark.long
def test_a_set_bet_enters_the_catalogue_is_changed_and_withdrawn_by_two(person: Callable[..., Person]) -> None:
    build_demo()
    one, other = person("supervisor"), person("manager")
    page = one.go("/keno/catalogue/")
    page.get_by_role("link", name="Propose a new one").click()
    page.get_by_label("Code").fill("LUCKY")
    page.get_by_label("Name").fill("Lucky threes")
    page.get_by_label("Groups of numbers").fill("3 13 | 23 | 33")
    page.get_by_label("Plays").fill("2 3")
    page.get_by_label("Why").fill("Asked for.")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/approvals/*/")
    decide(other, "keno.set-bet")
    page = one.go("/keno/catalogue/set-bet/")
    page.get_by_role("listitem").filter(has_text="Lucky threes").get_by_role("link", name="Change").click()
    page.get_by_role("heading", name="Propose a change of LUCKY").wait_for()
    assert page.get_by_label("Groups of numbers").input_value() == "3 13 | 23 | 33"  # what is in force, to go on from
    page.get_by_label("Plays").fill("9")
    page.get_by_label("Why").fill("Too small.")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.get_by_text("No combination of the groups makes 9 numbers").first.wait_for()
    assert approved.value("set-bet", "LUCKY")["plays"] == [2, 3]
    page.get_by_label("Name").fill("Lucky fours")
    page.get_by_label("Plays").fill("2 3 4")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/approvals/*/")
    decide(other, "keno.set-bet")
    assert approved.value("set-bet", "LUCKY")["plays"] == [2, 3, 4]
    page = one.go("/keno/catalogue/set-bet/")
    row = page.get_by_role("listitem").filter(has_text="Lucky fours")
    row.get_by_role("button", name="Withdraw").click()
    page.get_by_role("dialog").get_by_label("Why").fill("Nobody plays it.")
    page.get_by_role("dialog").get_by_role("button", name="Propose it").click()
    page.wait_for_url("**/approvals/*/")
    decide(other, "keno.set-bet")
    assert approved.value("set-bet", "LUCKY") is None


@pytest.mark.long
def test_balls_are_chosen_and_an_irregular_draw_is_kept_as_it_happened(person: Callable[..., Person]) -> None:
    build_demo()
    one = person("supervisor")
    page = one.go("/keno/")
    confirmed(page, "Draw with balls", "Draw with balls")
    page.get_by_text("From the next game on draws are made with balls.").wait_for()
    first = Game.objects.get(status="open").number
    close_game(number=first, by=demo_actor("supervisor"))  # sold by generator, and drawn so
    draw_game(number=first, by=demo_actor("supervisor"))
    number = close_game(number=first + 1, by=demo_actor("supervisor")).number
    page = one.go("/keno/")
    confirmed(page, "Count balls", "Put it on record", Balls="80")
    confirmed(page, "Enter balls", "Enter", next_balls="5 9 61")
    page.get_by_text(f"Game {number}: 3 of 20 balls.").wait_for()
    confirmed(page, "Ball fell back", "Take it back", Ball="9")
    page.get_by_text("Ball 9 is taken back: it was not drawn.").wait_for()
    confirmed(page, "Device stopped", "Report it", What_happened="The blower stopped.")
    page.get_by_text("Go on with the device by hand.").wait_for()
    one.picture("keno-control-balls-1280-light")
    page.get_by_role("button", name="Void the draw").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Cause").select_option("balls-spilled")
    dialog.get_by_label("What happened").fill("The hopper opened.")
    dialog.get_by_label("to go ahead").fill(str(number))
    dialog.get_by_role("button", name="Void the draw").click()
    page.get_by_text(f"The draw of game {number} is void. It is drawn again.").wait_for()
    void, again = Draw.objects.filter(game=number).order_by("attempt")
    assert (void.numbers, void.voided_at is not None, again.numbers) == ([5, 61], True, [])
    page = one.go("/keno/games/")
    page.get_by_role("link", name=str(number)).first.click()
    page.get_by_text("The hopper opened.").first.wait_for()
    one.picture("keno-game-void-1280-light")


@pytest.mark.long
def test_an_inspector_throws_dice_while_the_witness_is_away(
    person: Callable[..., Person], second_party: AtHand
) -> None:
    build_demo()
    number = Game.objects.get(status="open").number
    close_game(number=number, by=demo_actor("supervisor"))
    second_party.away = True
    ask_witness(number=number, now=timezone.now())
    note_wait(number=number, now=timezone.now() + WAIT_TOLD_AFTER)
    one, inspector = person("supervisor"), person("inspector")
    page = one.go("/keno/")
    page.get_by_text("The witness does not answer.").wait_for()
    assert page.get_by_role("button", name="Enter dice").count() == 0  # his alone
    page = inspector.go("/keno/")
    confirmed(page, "Enter dice", "Use these dice", At_least_fifty_throws="351624" * 9, Why="The line is down.")
    page.get_by_text("Your dice stand in the place of the witness.").wait_for()
    draw_game(number=number, by=demo_actor("supervisor"))
    page = inspector.go(f"/keno/games/{number}/")
    page.get_by_text("unwitnessed", exact=False).first.wait_for()
    inspector.picture("keno-game-dice-1280-light")
    shown = attempts_of(Game.objects.get(number=number))[0]
    assert (shown["witness"], shown["unwitnessed"], len(shown["drawn"])) == (None, "dice", 20)


@pytest.mark.long  # without a browser: test_keno_tournament_pages.py
def test_a_tournament_is_proposed_entered_refunded_and_called_off(person: Callable[..., Person]) -> None:
    build_demo()
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    one, writer = person("supervisor"), person("writer")
    _propose(one, Game.objects.get(status="open").number)
    decide(person("inspector"), "keno.tournament")
    for name, numbers in (("Anna Marsh", "1 2 3"), ("Ben Ode", "4 5 6")):
        page = writer.go("/keno/tournaments/CUP/")
        confirmed(page, "Enter a player", "Enter, $50.00", Player_card=card_of(name), Numbers=numbers)
        page.get_by_text("$50.00 taken.").wait_for()
    anna, ben = TournamentEntry.objects.order_by("pk")

    page = one.go("/keno/tournaments/CUP/")
    row = page.get_by_role("row", name="Anna Marsh")
    row.get_by_role("button", name="Fee goes back").click()
    page.get_by_role("dialog").get_by_label("Why").fill("She is ill.")
    page.get_by_role("dialog").get_by_role("button", name="It goes back").click()
    page.get_by_text(f"You authorised the refund of $50.00 for entry {anna.pk}. A writer hands it over.").wait_for()
    _hand_back(writer, anna)

    page = one.go("/keno/tournaments/CUP/")
    confirmed(page, "Call it off", "Propose it", Why="Too few.")
    page.wait_for_url("**/approvals/*/")
    page = writer.go("/keno/tournaments/CUP/")
    assert page.get_by_role("button", name="Give back").count() == 0  # one alone calls nothing off
    decide(person("manager"), "keno.call-off-tournament")
    _hand_back(writer, ben)
    writer.picture("keno-tournament-called-off-1280-light")
    assert {each.refunded_by for each in TournamentEntry.objects.all()} == {"staff:writer"}
    assert "tournament.called-off" in Act.objects.values_list("kind", flat=True)


@pytest.mark.long  # without a browser: test_keno_tournament_pages.py
def test_a_large_prize_of_a_tournament_is_authorised_and_paid(person: Callable[..., Person]) -> None:
    build_demo()
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    put_in_force("keno.amount", SUPERVISED_ABOVE, "30.00")
    one, writer = person("supervisor"), person("writer")
    game = Game.objects.get(status="open").number
    _propose(one, game)
    decide(person("inspector"), "keno.tournament")
    page = writer.go("/keno/tournaments/CUP/")
    confirmed(page, "Enter a player", "Enter, $50.00", Player_card=card_of("Anna Marsh"), Numbers="1 2 3")
    page.get_by_text("$50.00 taken.").wait_for()
    close_game(number=game, by=demo_actor("supervisor"))
    draw_game(number=game, by=demo_actor("supervisor"))
    page = one.go("/keno/tournaments/CUP/")
    confirmed(page, "Finish and rank", "Finish it", to_go_ahead="CUP")
    page.get_by_text("every cent of the balance shared").wait_for()
    assert writer.go("/keno/tournaments/CUP/").get_by_text("Needs a supervisor").count() == 1
    confirmed(page, "Authorise", "Authorise payment")
    page.get_by_text("Another person pays it").first.wait_for()
    page = writer.go("/keno/tournaments/CUP/")
    confirmed(page, "Pay $45.00", "Pay $45.00")
    page.get_by_text("$45.00 is paid to Anna Marsh").wait_for()
    entry = TournamentEntry.objects.get()
    assert (entry.paid_by, entry.authorised_by) == ("staff:writer", "staff:supervisor")


def _propose(one: Person, game: int) -> None:
    page = one.go("/keno/tournaments/")
    page.get_by_role("link", name="Propose a tournament").click()
    for label, text in {
        "Code": "CUP",
        "Name": "Spring cup",
        "Entry fee": "50.00",
        "Retained, in basis points": "1000",
        "Prizes by place, in basis points": "10000",
        "Numbers marked": "3",
        "Stake they score with": "1.00",
        "First game": str(game),
        "Last game": str(game),
        "Why": "For the spring.",
    }.items():
        page.get_by_label(label).fill(text)
    one.picture("keno-propose-tournament-1280-light")
    page.get_by_role("button", name="Propose", exact=True).click()
    page.wait_for_url("**/approvals/*/")


def _hand_back(writer: Person, entry: TournamentEntry) -> None:
    page = writer.go("/keno/tournaments/CUP/")
    confirmed(page, "Give back $50.00", "Give back $50.00")
    page.get_by_text(f"$50.00 is given back for entry {entry.pk}.").wait_for()
