"""The calls about table games, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from tablegames.api import poker, signs, views

urlpatterns = [
    path("tablegames/games", views.Games.as_view(), name="tablegames-games"),
    path("tablegames/evaluate", views.Evaluate.as_view(), name="tablegames-evaluate"),
    path("tablegames/mathematics", views.Mathematics.as_view(), name="tablegames-mathematics"),
    path("tablegames/poker/showdown", poker.Showdown.as_view(), name="tablegames-showdown"),
    path("tablegames/settle", views.Settle.as_view(), name="tablegames-settle"),
    path("tablegames/tables", signs.Tables.as_view(), name="tablegames-tables"),
    path("tablegames/tables/<str:code>", signs.OneTable.as_view(), name="tablegames-table"),
    path("tablegames/tables/<str:code>/sign", signs.SignWithNotices.as_view(), name="tablegames-sign"),
    path("tablegames/tables/<str:code>/limits", signs.TableLimits.as_view(), name="tablegames-limits"),
    path(
        "tablegames/tables/<str:code>/notices/<int:id>/take-down",
        signs.TakeNoticeDown.as_view(),
        name="tablegames-notice-down",
    ),
    path("tablegames/tables/<str:code>/closing", signs.AnnounceClosing.as_view(), name="tablegames-closing"),
    path("tablegames/tables/<str:code>/close", signs.CloseTable.as_view(), name="tablegames-close-table"),
    path("tablegames/tables/<str:code>/reopen", signs.ReopenTable.as_view(), name="tablegames-reopen-table"),
    path("tablegames/tables/<str:code>/seats", signs.Seats.as_view(), name="tablegames-seats"),
    path("tablegames/tables/<str:code>/seats/<int:id>/leave", signs.LeaveSeat.as_view(), name="tablegames-leave"),
    path("tablegames/tables/<str:code>/seats/<int:id>/time", signs.ChargeTime.as_view(), name="tablegames-time"),
    path("tablegames/tables/<str:code>/seats/<int:id>/limits", signs.OwnLimits.as_view(), name="tablegames-own-limits"),
    path(
        "tablegames/tables/<str:code>/markers/<int:id>/remove",
        signs.RemoveMarker.as_view(),
        name="tablegames-marker-remove",
    ),
    path("tablegames/tables/<str:code>/wagers", signs.Wagers.as_view(), name="tablegames-wagers"),
    path("tablegames/checks", views.Checks.as_view(), name="tablegames-checks"),
    path("tablegames/checks/<int:id>", views.OneCheck.as_view(), name="tablegames-check"),
    path("tablegames/payment-errors", views.PaymentErrors.as_view(), name="tablegames-payment-errors"),
    path("tablegames/payment-errors/<int:id>", views.OnePaymentError.as_view(), name="tablegames-payment-error"),
    path("tablegames/payment-errors/<int:id>/intent", views.DecideIntent.as_view(), name="tablegames-error-intent"),
    path("tablegames/payment-errors/<int:id>/steps", views.TakeStep.as_view(), name="tablegames-error-steps"),
    path("tablegames/payment-errors/<int:id>/rectify", views.Rectify.as_view(), name="tablegames-error-rectify"),
    path("tablegames/payment-errors/<int:id>/close", views.CloseError.as_view(), name="tablegames-error-close"),
    path("tablegames/reports/month-end/tell", views.MonthEnd.as_view(), name="tablegames-month-end"),
    path("tablegames/reports/<str:name>", views.OneReport.as_view(), name="tablegames-report"),
]
