"""Django settings. Everything that differs between machines comes from the environment (see environment.py)."""

from __future__ import annotations

import os
from datetime import timedelta

import dj_database_url

from config import environment
from config.services import addresses

ROOT = environment.ROOT
DATA = environment.data_folder()

SECRET_KEY = os.environ.get("SECRET_KEY") or environment.secret("django-secret")
DEBUG = environment.flag("DEBUG", False)
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]").split(",")
CSRF_TRUSTED_ORIGINS = [origin for origin in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if origin]
# Demo people, with passwords shown on the sign-in page, exist and can sign in only while this is on.
DEMO = environment.flag("METERHOUSE_DEMO", True)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "axes",
    "django_htmx",
    "pgtrigger",
    "house",
    "ledger",
    "signage",
    "console",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "house.middleware.IdleTimeout",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {
    "default": {
        **dj_database_url.parse(addresses.database_url()),
        "ATOMIC_REQUESTS": False,  # a verb opens its own transaction
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "pool": {"min_size": 2, "max_size": 20, "timeout": 10},
            # No verb waits longer than this for a lock; the caller is told to try again.
            "options": "-c lock_timeout=3000 -c timezone=UTC",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = addresses.redis_url()
CELERY_BROKER_URL = addresses.broker_url()
STREAMS_PORT = environment.streams_port()  # None where no streams run: a command, a test

AUTH_USER_MODEL = "house.Staff"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # refuses whoever is locked out, before any password is looked at
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
# Lock-out: a user name, whatever the address, after five failures, for fifteen minutes (house/sign_in.py; the second
# step counts its own failures to the same figures).
AXES_LOCKOUT_PARAMETERS = ["username"]
SILENCED_SYSTEM_CHECKS = ["axes.W006"]  # it wants the address counted too; the name alone is stricter here
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_ENABLE_ADMIN = False
AXES_DISABLE_ACCESS_LOG = True  # sign-ins are acts in our own log
AXES_VERBOSE = False
OTP_TOTP_ISSUER = "Meterhouse"
OTP_TOTP_THROTTLE_FACTOR = 0  # the lock-out does it
OTP_TOTP_SYNC = False  # a code of the next step is accepted, but does not move the clock

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
# Whoever does nothing for this long is signed out (house/middleware.py).
IDLE_TIMEOUT = timedelta(minutes=int(os.environ.get("IDLE_MINUTES", "15")))

USE_TZ = True
TIME_ZONE = "UTC"  # stored and computed in UTC; shown in the venue's zone
USE_I18N = False

STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
