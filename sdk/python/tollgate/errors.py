"""Why a call was refused or failed."""

from __future__ import annotations

from typing import Any


class TollgateError(Exception):
    """``reason`` says why, for programs; ``retryable``, whether the same call may succeed later."""

    def __init__(self, status: int, body: dict[str, Any], request_id: str | None, retry_after: float | None):
        said = body.get("error")
        # The error of a model has what it says inside, with a message.
        told = {**body, **said, "error": said.get("message")} if isinstance(said, dict) else body
        super().__init__(told.get("error") or f"The request failed with {status}.")
        self.status = status
        """HTTP status; 0: the connection broke."""
        self.body = body
        self.code: str = told.get("code", "internal_error")
        self.reason: str = "connection" if status == 0 else told.get("reason", "internal_error")
        self.retryable: bool = status == 0 or told.get("retryable") is True
        self.charged: int | None = (told.get("service") or {}).get("credits_charged")
        """Credits that were charged although it failed; None: nothing ran."""
        self.issues: list[dict[str, str]] = told.get("issues", [])
        self.request_id = request_id
        self.retry_after = retry_after
