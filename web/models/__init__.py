"""What every call and page shares, stored: request keys and long work."""

from web.models.requests import RequestKey
from web.models.work import OVER, Work, WorkState

__all__ = ["OVER", "RequestKey", "Work", "WorkState"]
