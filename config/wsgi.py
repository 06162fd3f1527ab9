"""What the web processes serve: API and console."""

import gc
import importlib
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config import traces, watch
from kernel import keys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

keys.require(keys.WEB)
_django = get_wsgi_application()
importlib.import_module("config.celery")  # or tasks would be sent to a broker of Celery's own choice, in vain
_ = get_resolver().url_patterns  # every room's calls and pages: nobody who asks a process first waits for them
door = importlib.import_module("config.door").Door(_django)
application = traces.traced(door, traces.traces("web"))

if settings.LATENESS_WATCHED:
    watch.begin()
# What was loaded stays: the collector need not walk over it every few hundred requests.
gc.collect()
gc.freeze()
