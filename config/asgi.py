"""What the streams process serves: events for the boards, and nothing that needs a thread a caller."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_asgi_application()
