"""The client: calls, pages, waits and safe retries."""

from __future__ import annotations

import http.client
import json
import os
import time
import uuid
from collections.abc import Iterator
from typing import Any, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from .api import AgentJob, ApiCalls, BatchResult, KeyStatus, Query202, Receipt, StartedAgentRun, Task
from .errors import TollgateError
from .tools import ToolCalls


class Tollgate(ToolCalls, ApiCalls):
    """A client of one key. Every method raises TollgateError."""

    def __init__(
        self,
        key: str | None = None,
        base_url: str | None = None,
        *,
        customer: str | None = None,
        attempts: int = 4,
        timeout: float = 300,
    ):
        self.key = key or os.environ["TOLLGATE_KEY"]
        self.base_url = (base_url or os.environ.get("TOLLGATE_URL") or "http://localhost:3000").rstrip("/")
        self.customer = customer
        self.attempts = attempts
        self.timeout = timeout

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.base_url}/api/v1{path}", data=data, method=method)
        request.add_header("Authorization", f"Bearer {self.key}")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.customer is not None:
            request.add_header("X-Tollgate-Customer", self.customer)
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            with urlopen(request, timeout=self.timeout) as response:
                answer: dict[str, Any] = json.load(response)
                return answer
        except HTTPError as error:
            try:
                failure = json.load(error)
            except ValueError:
                failure = {}
            after = error.headers.get("retry-after")
            raise TollgateError(
                error.code, failure, error.headers.get("x-request-id"), float(after) if after else None
            ) from None
        except (URLError, TimeoutError, ConnectionError, http.client.HTTPException) as error:
            raise TollgateError(0, {"error": f"The connection broke: {error}"}, None, None) from error

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        idempotency_key: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        """Sends a request, and repeats it where it failed for now.

        A POST is repeated with its Idempotency-Key, so that no repeat is charged twice. A failure that was
        charged is stored under its key, so the next attempt has another.
        """
        key = idempotency_key
        for attempt in range(1, self.attempts + 1):
            sent = {**(headers or {}), **({"Idempotency-Key": key} if key else {})}
            try:
                return self._send(method, path, body, sent)
            except TollgateError as error:
                may_repeat = method in ("GET", "PUT") or key is not None
                if not error.retryable or not may_repeat or attempt == self.attempts:
                    raise
                if error.charged:
                    key = f"{idempotency_key}-{attempt + 1}"
                time.sleep(error.retry_after if error.retry_after is not None else 0.5 * 2**attempt)
        raise AssertionError("unreachable")

    def call_tool(self, tool: str, params: Any, *, idempotency_key: str | None = None) -> Any:
        body = {"tool": tool, "params": params}
        return self.request("POST", "/query", body, idempotency_key=idempotency_key or str(uuid.uuid4()))

    def rows(self, tool: str, params: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Every row of a tool, page after page. Each page is a call, with its charge."""
        cursor: str | None = None
        while True:
            page = self.call_tool(tool, {**params, **({"cursor": cursor} if cursor else {})})
            yield from page["rows"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def start_task(
        self, tool: str, params: Any, *, callback_url: str | None = None, idempotency_key: str | None = None
    ) -> Query202:
        """Begins a call that nobody waits for."""
        body = {"tool": tool, "params": params, **({"callbackUrl": callback_url} if callback_url else {})}
        key = idempotency_key or str(uuid.uuid4())
        answer = self.request("POST", "/query", body, idempotency_key=key, headers={"Prefer": "respond-async"})
        return cast(Query202, answer)

    def wait_for_task(self, task_id: str) -> Task:
        """A task, once it has ended."""
        while True:
            task = cast(Task, self.request("GET", f"/tasks/{task_id}?wait=20"))
            if task["status"] != "working":
                return task

    def batch(self, calls: list[dict[str, Any]], *, idempotency_key: str | None = None) -> BatchResult:
        """Up to 100 calls at once; look at the status of each result."""
        key = idempotency_key or str(uuid.uuid4())
        return cast(BatchResult, self.request("POST", "/query/batch", {"calls": calls}, idempotency_key=key))

    def start_batch(
        self, calls: list[dict[str, Any]], *, callback_url: str | None = None, idempotency_key: str | None = None
    ) -> BatchResult:
        """The same in the background: what is not refused is a task, whose id is `body.taskId` of its result."""
        key = idempotency_key or str(uuid.uuid4())
        body: dict[str, Any] = {"calls": calls, **({"callbackUrl": callback_url} if callback_url else {})}
        answer = self.request("POST", "/query/batch", body, idempotency_key=key, headers={"Prefer": "respond-async"})
        return cast(BatchResult, answer)

    def cancel_task(self, task_id: str) -> Task:
        """Cancels a task whose provider does not have the request yet; any other goes on, and is charged."""
        return cast(Task, self.request("POST", f"/tasks/{task_id}/cancel"))

    def chat(self, model: str, messages: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
        """A completion that is not streamed."""
        body = {"model": model, "messages": messages, **fields}
        return self.request("POST", "/chat/completions", body, idempotency_key=str(uuid.uuid4()))

    def embed(self, model: str, texts: list[str]) -> list[list[float]]:
        """A vector for each text."""
        body = {"model": model, "input": texts}
        answer = self.request("POST", "/embeddings", body, idempotency_key=str(uuid.uuid4()))
        return [row["embedding"] for row in answer["data"]]

    def _start_run(self, body: dict[str, Any], idempotency_key: str | None) -> StartedAgentRun:
        key = idempotency_key or str(uuid.uuid4())
        answer = self.request("POST", "/agent", {**body, "idempotencyKey": key}, idempotency_key=key)
        return cast(StartedAgentRun, answer)

    def wait_for_run(self, job_id: str) -> AgentJob:
        """A run, once it has ended or asks something."""
        while True:
            job = cast(AgentJob, self.request("GET", f"/agent/{job_id}?wait=20"))
            if job["status"] != "running":
                return job

    def run(self, goal: str, **fields: Any) -> AgentJob:
        """Starts an agent run, with the arguments of start_run, and waits for it."""
        return self.wait_for_run(self.start_run(goal, **fields)["jobId"])

    def _send_answer(self, job_id: str, body: dict[str, Any]) -> dict[str, Any]:
        return self.request("POST", f"/agent/{job_id}/answer", body)

    def _receipts(self, filters: dict[str, Any]) -> Iterator[Receipt]:
        cursor: str | None = None
        while True:
            query = urlencode({"limit": 100, **filters, **({"cursor": cursor} if cursor else {})})
            page = self.request("GET", f"/usage?{query}")
            yield from page["rows"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def key_status(self) -> KeyStatus:
        """What this key may do and has left."""
        return cast(KeyStatus, self.request("GET", "/key"))
