"""Django settings. Everything that differs between machines comes from the environment (see environment.py)."""

from __future__ import annotations

import gc
import os
from datetime import timedelta
from urllib.parse import urlsplit

from config import beacon
from config.services import addresses
from kernel import environment, keys
from web import languages, logs
from web.address import networks

# Python's own 700 new objects between two looks for garbage are a seventh of the time that a process takes to start.
gc.set_threshold(50_000, 20, 10)

ROOT = environment.ROOT
DATA = environment.data_folder()

SECRET_KEY = keys.given("django-secret") or ""
DEBUG = False  # whatever anybody's environment says: its pages show every variable and setting
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]").split(",")
if "ALLOWED_HOSTS" not in os.environ:  # and whatever players and staff were told
    ALLOWED_HOSTS += [name for name in (environment.host(), urlsplit(environment.public_url()).hostname) if name]
CSRF_TRUSTED_ORIGINS = [origin for origin in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if origin]
PUBLIC_URL = environment.public_url()
# Demo people, with passwords shown on the sign-in page, exist and can sign in only while this is on.
DEMO = environment.demo()
PRACTICE = environment.practice()
DEMO_OPENS = environment.demo_opens()
DEMO_DAYS = environment.demo_days()  # of simulated past, made on the first start

# The rooms of the house, each standing on those before it. What each offers is in its room.py.
ROOMS = [
    "ledger", "web", "house", "draws", "tournaments", "jackpot", "keno", "promotions", "tablegames", "signage",
    "console",
]  # fmt: skip

INSTALLED_APPS = [
    "config",
    *ROOMS,  # first: of two commands of one name theirs is meant (house/management/refused.py)
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_otp",
    "django_htmx",
    "pgtrigger",
]

MIDDLEWARE = [
    "config.middleware.Requests",
    *(["config.practice.Marked"] if PRACTICE else []),
    "house.middleware.VenueTime",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.Addresses",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.Browsers",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
LATENESS_WATCHED = True  # by every web process (config/watch.py)

TEMPLATES = [
    {
        "BACKEND": "web.languages.templates.Templates",
        "NAME": "django",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "console.frame.frame",
            ]
        },
    }
]

_DATABASE = addresses.django_database(addresses.database_url())
_SESSION = (
    # No verb waits longer than this for a lock; the caller is told to try again.
    "-c lock_timeout=3000",
    # Sealing waits for the oldest transaction: one whose process does nothing more is ended.
    "-c idle_in_transaction_session_timeout=60000",
    "-c timezone=UTC",
    "-c plan_cache_mode=force_generic_plan",
)
DATABASES = {
    "default": {
        **_DATABASE,
        "ATOMIC_REQUESTS": False,  # a verb opens its own transaction
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **_DATABASE["OPTIONS"],
            "pool": {"min_size": 2, "max_size": 20, "timeout": 10},
            "prepare_threshold": 5,  # Django would switch prepared statements off: see kernel/prepared.py
            "options": " ".join([_DATABASE["OPTIONS"].get("options", ""), *_SESSION]).strip(),
        },
    }
}
# Whom the owner of the tables grants what: role to the name it has in the database (kernel/privileges.py).
DATABASE_ROLES = addresses.database_roles()
# Whether this process seals the log itself. The others wake the sealer (ledger/wake_sealer.py).
SEALS = addresses.database_as() in (addresses.SEALER, addresses.OWNER)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = addresses.redis_url()
CELERY_BROKER_URL = addresses.broker_url()
WITNESS_URL = environment.witness_url()  # empty: the one that a running copy keeps beside itself (ledger/transport.py)
BEACON_URL, BEACON_RULE = beacon.beacon_url(), beacon.beacon_rule()  # empty: no public beacon takes part in draws
KENO_PROMISED_AHEAD = environment.keno_promised_ahead()
STREAMS_PORT = environment.streams_port()  # None where no streams run: a command, a test
# Sending gives up at once where the broker is away: a request must not wait for it, and a tick finds the row.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 1, "max_retries": 0, "interval_start": 0}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
# A worker that dies gives its task back: tasks are short and idempotent.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SOFT_TIME_LIMIT = 50
CELERY_TASK_TIME_LIMIT = 60
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA / "beat-schedule")
CELERY_BEAT_MAX_LOOP_INTERVAL = 1  # a tick a second is never late for want of looking

AUTH_USER_MODEL = "house.Staff"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
OTP_TOTP_ISSUER = "Meterhouse"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o644, 0o755  # the static files: for everybody
FILE_UPLOAD_HANDLERS = [
    "web.uploads.FromPeople",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
# Proxies whose word on the caller's address is taken, as addresses or networks: "10.0.0.7, 10.1.0.0/16". Nobody's else.
TRUSTED_PROXIES = networks(os.environ.get("METERHOUSE_TRUSTED_PROXIES", ""))
# How many event streams one address may have open at a time; more are told to wait (signage/streams.py).
STREAMS_PER_ADDRESS = environment.streams_per_address()
# Behind https (a proxy that says so): cookies travel only encrypted, and browsers are told to stay with it.
HTTPS = environment.flag("METERHOUSE_HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# The proxy in front sends http on to https (W008); what else stands under this name its owner must say (W005, W021).
# Django's protection against forged requests stands in config.middleware.Browsers (W003).
SILENCED_SYSTEM_CHECKS = ["security.W003", "security.W005", "security.W008", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
CSRF_FAILURE_VIEW = "console.views.door.form_expired"
# Whoever does nothing for this long is signed out (house/middleware.py).
IDLE_TIMEOUT = timedelta(minutes=int(os.environ.get("IDLE_MINUTES", "15")))

USE_TZ = True
TIME_ZONE = "UTC"  # stored and computed in UTC; shown in the venue's zone
USE_I18N = True
# English is what the house writes; pages, boards and paper are translated where they are shown (web/languages).
LANGUAGE_CODE = languages.ENGLISH
LANGUAGES = list(languages.LANGUAGES.items())
FORMAT_MODULE_PATH = "web.languages.formats"  # what is typed into a form is read alike in every language
PAPER_LANGUAGE = environment.paper_language(tuple(languages.LANGUAGES))  # of what is printed and handed out
FORM_RENDERER = "web.languages.templates.Forms"

STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.AppDirectoriesFinder", "web.served_faces.Finder"]

LOGGING = logs.settings(level=os.environ.get("LOG_LEVEL", "INFO"))

# In the session, which is looked at only where there is something to say; the usual storage is made for every call.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

REST_FRAMEWORK = {
    # Each call names its own permission (web/view.py); a view that does not stand on that is closed.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "house.api.authentication.DeviceToken",
        "house.api.authentication.StaffSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["web.closed.Closed"],
    "DEFAULT_PARSER_CLASSES": ["web.json.JSONOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "web.schema.Schema",
    "EXCEPTION_HANDLER": "web.problems.handle",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Meterhouse",
    "DESCRIPTION": "Linked jackpots, Keno and promotions for a casino, on one audited ledger.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": ["web.schema.finish"],
    "APPEND_COMPONENTS": {},
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}
