"""The calls about draws, winners and tournaments, under ``/api/v1/``; `promotions.api.urls` takes them in."""

from __future__ import annotations

from django.urls import path

from promotions.api import draws, losses, reports, tournaments, winners

urlpatterns = [
    path("promotions/winners", winners.Wins.as_view(), name="promotion-winners"),
    path("promotions/winners/<int:id>/person", winners.WinPerson.as_view(), name="promotion-winner-person"),
    path("promotions/winners/<int:id>/call", winners.Call.as_view(), name="promotion-winner-call"),
    path("promotions/winners/<int:id>/present", winners.Present.as_view(), name="promotion-winner-present"),
    path("promotions/winners/<int:id>/absent", losses.Absent.as_view(), name="promotion-winner-absent"),
    path("promotions/winners/<int:id>/decline", losses.Decline.as_view(), name="promotion-winner-decline"),
    path("promotions/winners/<int:id>/ineligible", losses.Ineligible.as_view(), name="promotion-winner-ineligible"),
    path("promotions/winners/<int:id>/unclaimed", losses.Unclaimed.as_view(), name="promotion-winner-unclaimed"),
    path("promotions/winners/<int:id>/loss/second", losses.Second.as_view(), name="promotion-loss-second"),
    path("promotions/winners/<int:id>/loss/withdraw", losses.Withdraw.as_view(), name="promotion-loss-withdraw"),
    path("promotions/winners/<int:id>/loss/sign", losses.Sign.as_view(), name="promotion-loss-sign"),
    path("promotions/winners/<int:id>/notifications", winners.Notifications.as_view(), name="promotion-winner-told"),
    path("promotions/winners/<int:id>/claim", winners.WinClaims.as_view(), name="promotion-winner-claim"),
    path("promotions/claims", winners.Claims.as_view(), name="promotion-claims"),
    path("promotions/claims/<int:id>/accept", winners.Accept.as_view(), name="promotion-claim-accept"),
    path("promotions/claims/<int:id>/deny", winners.Deny.as_view(), name="promotion-claim-deny"),
    path("promotions/claims/<int:id>/told", winners.Told.as_view(), name="promotion-claim-told"),
    path("promotions/claims/<int:id>/letter", winners.Letter.as_view(), name="promotion-claim-letter"),
    path("promotions/claims/<int:id>/pay", winners.Pay.as_view(), name="promotion-claim-pay"),
    path("promotions/reports/denied-claims", reports.DeniedClaims.as_view(), name="promotion-denied-claims"),
    path("promotions/<str:code>/draw", draws.OneDraw.as_view(), name="promotion-draw"),
    path("promotions/<str:code>/draw/dice", draws.Dice.as_view(), name="promotion-draw-dice"),
    path("promotions/<str:code>/proof", draws.Proof.as_view(), name="promotion-draw-proof"),
    path("promotions/<str:code>/proof/texts", draws.ProofWithTexts.as_view(), name="promotion-draw-proof-texts"),
    path("promotions/<str:code>/scrutineer", draws.Nominate.as_view(), name="promotion-scrutineer"),
    path("promotions/<str:code>/scrutineer/attend", draws.Attend.as_view(), name="promotion-scrutineer-attend"),
    path("promotions/<str:code>/scrutineer/sign", draws.Sign.as_view(), name="promotion-scrutineer-sign"),
    path("promotions/<str:code>/integrity/postpone", draws.Postpone.as_view(), name="promotion-postpone"),
    path("promotions/<str:code>/integrity/void", draws.Void.as_view(), name="promotion-draw-void"),
    path("promotions/<str:code>/integrity/resume", draws.Resume.as_view(), name="promotion-resume"),
    path("promotions/<str:code>/integrity/cancel", draws.CancelCompromised.as_view(), name="promotion-cancel-draw"),
    path("promotions/<str:code>/disputes", draws.Dispute.as_view(), name="promotion-disputes"),
    path("promotions/<str:code>/claims", winners.OtherClaims.as_view(), name="promotion-other-claims"),
    path("tournaments/<str:code>/entries", tournaments.Entries.as_view(), name="tournament-entries"),
    path("tournaments/<str:code>/seats", tournaments.Seats.as_view(), name="tournament-seats"),
    path("tournament-entries/<int:id>/rebuys", tournaments.Rebuy.as_view(), name="tournament-rebuys"),
    path(
        "tournament-entries/<int:id>/authorise-refund",
        tournaments.AuthoriseFeeBack.as_view(),
        name="tournament-authorise-refund",
    ),
    path("tournament-entries/<int:id>/refund", tournaments.FeeBack.as_view(), name="tournament-refund"),
    path("tournaments/<str:code>/scores", tournaments.Score.as_view(), name="tournament-scores"),
    path("tournaments/<str:code>/close-heats", tournaments.Qualify.as_view(), name="tournament-close-heats"),
    path("tournaments/<str:code>/finish", tournaments.Finish.as_view(), name="tournament-finish"),
    path("tournaments/<str:code>/cancel", tournaments.Cancel.as_view(), name="tournament-cancel"),
    path(
        "tournament-entries/<int:id>/authorise-payment",
        tournaments.AuthorisePrize.as_view(),
        name="tournament-authorise",
    ),
    path("tournament-entries/<int:id>/pay", tournaments.PayPrize.as_view(), name="tournament-pay"),
]
