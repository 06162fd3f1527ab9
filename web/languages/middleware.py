"""Around what a browser asks for: the language of whoever reads the answer."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from web.languages import ENGLISH, LANGUAGES, asked
from web.languages.catalogue import catalogue
from web.problems import MEDIA_TYPE


class Languages:
    """A page is shown in the language that is asked for. A call is answered in English, but for the words of a refusal
    where exactly one other language is accepted: so our own pages ask (language.js), and no device by accident."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith("/api/"):
            response, language = self.get_response(request), request.headers.get("Accept-Language", "")
        else:
            language = asked(request)
            with translation.override(language):
                response = self.get_response(request)
        if language != ENGLISH and language in LANGUAGES and response.headers.get("Content-Type") == MEDIA_TYPE:
            _say(response, language)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["Accept-Language"])
        return response


def _say(response: HttpResponse, language: str) -> None:
    """The title and the detail of a problem; its code and fields are for programs."""
    problem = json.loads(response.content)
    for name in ("title", "detail"):
        if name in problem:
            problem[name] = catalogue(language).say(problem[name])
    response.content = json.dumps(problem, ensure_ascii=False).encode()
