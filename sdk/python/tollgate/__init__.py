"""A typed client for Tollgate, on the standard library alone."""

from .client import Tollgate
from .errors import TollgateError
from .webhooks import WebhookError, verify_webhook

__all__ = ["Tollgate", "TollgateError", "WebhookError", "verify_webhook"]
