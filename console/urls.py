from __future__ import annotations

from django.urls import path

from console.terminals import keno as keno_terminal
from console.terminals import table as table_terminal
from console.views import approvals, audit, devices, door, hits, home, incidents, jackpots, players, rules, staff, venue

app_name = "console"
urlpatterns = [
    path("", home.home, name="home"),
    path("waiting/", home.waiting, name="waiting"),
    path("live/", home.live, name="live"),
    path("status/", home.status, name="status"),
    path("search/", rules.search, name="search"),
    path("rules/", rules.rules, name="rules"),
    # The door
    path("sign-in/", door.enter, name="sign-in"),
    path("sign-in/second-step/", door.second_step, name="second-step"),
    path("sign-in/enrol/", door.enrol, name="enrol"),
    path("sign-out/", door.leave, name="sign-out"),
    path("stay/", door.stay, name="stay"),
    path("password/", door.password, name="password"),
    # Terminals
    path("terminal/keno", keno_terminal.keno, name="keno-terminal"),
    path("terminal/keno/now/", keno_terminal.now, name="keno-terminal-now"),
    path("terminal/table", table_terminal.table, name="table-terminal"),
    path("terminal/table/<str:code>/now/", table_terminal.now, name="table-terminal-now"),
    # Approvals
    path("approvals/", approvals.inbox, name="approvals"),
    path("approvals/history/", approvals.history, name="approvals-history"),
    path("approvals/propose/opening-hours/", approvals.propose_hours, name="propose-hours"),
    path("approvals/<int:number>/", approvals.approval, name="approval"),
    path("approvals/<int:number>/<slug:decision>/", approvals.decide, name="decide"),
    # Incidents
    path("incidents/", incidents.listing, name="incidents"),
    path("incidents/report/", incidents.report, name="report-incident"),
    path("incidents/<int:number>/", incidents.incident, name="incident"),
    path("incidents/<int:number>/close/", incidents.close, name="close-incident"),
    path("incidents/notices/<int:notice>/", incidents.notify, name="notify"),
    # Jackpots
    path("jackpots/", jackpots.listing, name="links"),
    path("jackpots/meters/", jackpots.meters, name="meters"),
    path("jackpots/rounds/", jackpots.rounds, name="rounds"),
    path("jackpots/hits/", hits.listing, name="hits"),
    path("jackpots/hits/<int:number>/", hits.hit, name="hit"),
    path("jackpots/hits/<int:number>/slip/", hits.slip, name="slip"),
    path("jackpots/hits/<int:number>/verify/", hits.verify, name="verify-hit"),
    path("jackpots/hits/<int:number>/pay/", hits.pay, name="pay-hit"),
    path("jackpots/hits/<int:number>/deny/", hits.deny, name="deny-hit"),
    path("jackpots/<str:code>/", jackpots.link, name="link"),
    path("jackpots/<str:code>/meter/", jackpots.meter, name="meter"),
    path("jackpots/<str:code>/propose/terms/", jackpots.propose_terms, name="propose-terms"),
    path("jackpots/<str:code>/propose/adjustment/", jackpots.propose_adjustment, name="propose-adjustment"),
    path("jackpots/<str:code>/propose/retirement/", jackpots.propose_retirement, name="propose-retirement"),
    path("jackpots/<str:code>/tables/<str:table>/<slug:what>/", jackpots.table, name="link-table"),
    # The house
    path("venue/", venue.venue, name="venue"),
    path("venue/close-early/", venue.close, name="close-early"),
    path("devices/", devices.listing, name="devices"),
    path("devices/register/", devices.register, name="register-device"),
    path("devices/<str:code>/", devices.device, name="device"),
    path("devices/<str:code>/provision/", devices.provision, name="provision-device"),
    path("devices/<str:code>/roll/", devices.roll, name="roll-device"),
    path("devices/<str:code>/revoke/", devices.revoke, name="revoke-device"),
    path("players/", players.listing, name="players"),
    path("players/register/", players.register, name="register-player"),
    path("players/<str:number>/", players.player, name="player"),
    path("players/<str:number>/cards/", players.issue, name="issue-card"),
    path("players/<str:number>/cards/<str:card>/cancel/", players.cancel, name="cancel-card"),
    path("players/<str:number>/limits/", players.limit, name="set-limit"),
    path("players/<str:number>/restrictions/", players.keep_out, name="keep-out"),
    path("players/<str:number>/restrictions/<int:restriction>/lift/", players.lift, name="lift-restriction"),
    path("staff/", staff.listing, name="staff"),
    path("staff/hire/", staff.hire, name="hire"),
    path("staff/<str:username>/", staff.person, name="person"),
    path("staff/<str:username>/roles/", staff.propose_roles, name="propose-roles"),
    path("staff/<str:username>/<slug:name>/", staff.act, name="staff-act"),
    path("roles/", staff.roles, name="roles"),
    path("audit/", audit.acts, name="audit"),
    path("audit/seals/", audit.seals, name="seals"),
]
