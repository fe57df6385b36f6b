"""Verification of webhooks, as Standard Webhooks specifies it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from .api import WebhookEvent

TOLERANCE_S = 300


class WebhookError(Exception):
    """A request that is not from your service, or is too old."""


def verify_webhook(secret: str, headers: Mapping[str, str], body: str | bytes) -> WebhookEvent:
    """A request's event, if it is signed with this secret and not older than five minutes."""
    known = {name.lower(): value for name, value in headers.items()}
    payload = body.encode() if isinstance(body, str) else body
    try:
        message_id, sent_at = known["webhook-id"], known["webhook-timestamp"]
        signatures = known["webhook-signature"].split(" ")
        age = abs(time.time() - int(sent_at))
    except (KeyError, ValueError):
        raise WebhookError("The headers of a webhook are missing.") from None
    if age > TOLERANCE_S:
        raise WebhookError("The webhook is too old.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{sent_at}.".encode() + payload
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(expected, signature) for signature in signatures):
        raise WebhookError("The signature is not of this secret.")
    event: WebhookEvent = json.loads(payload)
    return event
