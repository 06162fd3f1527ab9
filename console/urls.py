from __future__ import annotations

from django.urls import path

from console.views import audit, door, enrol, exports, home, rules

urlpatterns = [
    path("", home.home, name="home"),
    path("waiting/", home.waiting, name="waiting"),
    path("live/", home.live, name="live"),
    path("arrive/", home.arrive, name="arrive"),
    path("alerts/", home.alerts, name="alerts"),
    path("status/", home.status, name="status"),
    path("glossary/", rules.glossary, name="glossary"),
    path("search/", rules.search, name="search"),
    path("rules/", rules.rules, name="rules"),
    path("sign-in/", door.enter, name="sign-in"),
    path("sign-in/second-step/", door.second_step, name="second-step"),
    path("sign-in/enrol/", door.enrol, name="enrol"),
    path("enrol/", enrol.with_halves, name="enrol-with-code"),
    path("enrol/inspector/", enrol.inspector, name="enrol-inspector"),
    path("sign-out/", door.leave, name="sign-out"),
    path("stay/", door.stay, name="stay"),
    path("password/", door.password, name="password"),
    path("audit/", audit.acts, name="audit"),
    path("audit/transfers/", audit.transfers, name="transfers"),
    path("audit/seals/", audit.seals, name="seals"),
    path("audit/rows/<int:row>/", exports.proof, name="proof"),
    path("audit/exports/", exports.listing, name="exports"),
    path("audit/exports/live/", exports.live, name="exports-live"),
    path("audit/exports/begin/", exports.begin, name="begin-export"),
    path("audit/exports/<int:number>/file/", exports.file, name="export-file"),
    path("audit/exports/<int:number>/verify/", exports.verify, name="verify-export"),
    path("audit/exports/<int:number>/cancel/", exports.cancel, name="cancel-export"),
]
