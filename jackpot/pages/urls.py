from __future__ import annotations

from django.urls import path

from jackpot.pages import disagreements, handpay, hits, links, new_link, reports, terminal

urlpatterns = [
    path("terminal/table", terminal.table, name="table-terminal"),
    path("terminal/table/<str:code>/now/", terminal.now, name="table-terminal-now"),
    path("jackpots/", links.listing, name="links"),
    path("jackpots/meters/", links.meters, name="meters"),
    path("jackpots/rounds/", links.rounds, name="rounds"),
    path("jackpots/disagreements/", disagreements.listing, name="disagreements"),
    path("jackpots/disagreements/<int:number>/", disagreements.disagreement, name="disagreement"),
    path("jackpots/disagreements/<int:number>/propose/", disagreements.explain, name="explain-disagreement"),
    path("jackpots/hits/", hits.listing, name="hits"),
    path("jackpots/hits/<int:number>/", hits.hit, name="hit"),
    path("jackpots/hits/<int:number>/slip/", hits.slip, name="slip"),
    path("jackpots/hits/<int:number>/attend/", hits.attend, name="attend-hit"),
    path("jackpots/hits/<int:number>/verify/", hits.verify, name="verify-hit"),
    path("jackpots/hits/<int:number>/pay/", handpay.pay, name="pay-hit"),
    path("jackpots/hits/<int:number>/handpay/", handpay.handpay, name="handpay"),
    path("jackpots/hits/<int:number>/authorise/", handpay.authorise, name="authorise-hit"),
    path("jackpots/hits/<int:number>/propose/instalments/", handpay.propose_instalments, name="propose-instalments"),
    path("jackpots/instalments/<int:number>/pay/", handpay.pay_instalment, name="pay-instalment"),
    path("jackpots/hits/<int:number>/deny/", hits.deny, name="deny-hit"),
    path("jackpots/reports/", reports.report, name="jackpot-reports"),
    path("jackpots/reports/<slug:name>/", reports.report, name="jackpot-report"),
    path("jackpots/movements/<int:key>/dice/", links.dice, name="movement-dice"),
    path("jackpots/new/", new_link.choose_rules, name="choose-rules"),
    path("jackpots/new/<slug:rules>/", new_link.new_link, name="new-link"),
    path("jackpots/new/<slug:rules>/figures/", new_link.figures, name="new-link-figures"),
    path("jackpots/<str:code>/", links.link, name="link"),
    path("jackpots/<str:code>/meter/", links.meter, name="meter"),
    path("jackpots/<str:code>/propose/terms/", links.propose_terms, name="propose-terms"),
    path("jackpots/<str:code>/propose/adjustment/", links.propose_adjustment, name="propose-adjustment"),
    path("jackpots/<str:code>/propose/retirement/", links.propose_retirement, name="propose-retirement"),
    path("jackpots/<str:code>/propose/pay-out/", links.propose_pay_out, name="propose-pay-out"),
    path("jackpots/<str:code>/payouts/<int:number>/pay/", links.pay_payout, name="pay-payout"),
    path("jackpots/<str:code>/tables/<str:table>/<slug:what>/", links.table, name="link-table"),
]
