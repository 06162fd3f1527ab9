from __future__ import annotations

from django.urls import path

from signage import tournaments, verify, views
from signage.api import log
from signage.pages import play, rules, tables

app_name = "signage"
urlpatterns = [
    path("signage/feed.json", views.feed_json, name="feed"),
    path("signage/key.json", views.key_json, name="key"),
    path("signage/stream", views.stream, name="stream"),
    path("signage/logo", views.logo, name="logo"),
    path("signage/look.css", views.look_css, name="look"),
    path("signage/qr.svg", views.qr, name="qr"),
    path("signage/keno", views.board, {"name": "keno"}, name="keno"),
    path("signage/rules/", rules.every_game, name="rules"),
    path("signage/rules/<slug:document>/", rules.one_game, name="rules-of"),
    path("signage/tables.json", tables.every_sign, name="tables"),
    path("signage/tables/<str:code>.json", tables.one_sign, name="table"),
    path("signage/tables/<str:code>", tables.sign_page, name="table-sign"),
    path("play/", play.page, name="play"),
    path("play/price.json", play.price, name="play-price"),
    path("play/forms/<slug:code>.pdf", play.paper, name="play-form"),
    path("verify/", verify.page, name="verify"),
    path("verify/games/<int:number>.json", verify.game, name="verify-game"),
    path("verify/paper.json", verify.paper, name="verify-paper"),
    path("verify/ticket.json", verify.ticket, name="verify-ticket"),
    path("verify/won.json", verify.won_json, name="verify-won"),
    path("signage/jackpots", views.board, {"name": "jackpots"}, name="jackpots"),
    path("signage/tournaments", tournaments.listing, name="tournaments"),
    path("signage/tournaments/keno/<str:code>", tournaments.board, {"of": "keno"}, name="keno-tournament"),
    path("signage/tournaments/<str:code>", tournaments.board, {"of": "any"}, name="tournament"),
    path("log/checkpoint", log.checkpoint, name="log-checkpoint"),
    path("log/keys", log.keys, name="log-keys"),
    path("log/witness.pem", log.witness_pem, name="log-witness"),
    path("log/meterhouse-verify.pyz", log.verifier, name="log-verifier"),
    path("log/proof/consistency", log.consistency, name="log-consistency"),
    path("log/proof/inclusion", log.inclusion, name="log-inclusion"),
    path("log/tile/entries/<path:place>", log.entries, name="log-entries"),
    path("log/tile/<int:level>/<path:place>", log.tile, name="log-tile"),
]
