"""What the streams process serves: events for the boards, and nothing that needs a thread a caller."""

import os

import django
from django.utils.module_loading import import_string

from kernel import keys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
keys.require(keys.STREAMS)
django.setup()

# By name: config stands above every room and imports none.
application = import_string("signage.streams.application")
