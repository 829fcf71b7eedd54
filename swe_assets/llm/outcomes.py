"""How a model call can end: with an answer, or with one of these typed failures.

* JudgeError
  * CallError                one call that gave no usable answer
    * RefusedError           the model declined in words
    * BlockedError           the service withheld or ended the reply (safety, recitation, unknown reason)
    * TruncatedError         the reply was cut by the token limit; the same request would be cut again
    * EmptyReplyError        a reply without text
    * InvalidReplyError      text that is not the object that was asked for
    * InfrastructureError    the service or the line to it failed, or the request was not accepted
    * StopCallsError         no further call can succeed now: key refused, day quota used up, unknown model
      * BudgetSpentError     the next call could cost more than the user allowed
      * CallsCancelledError  the user or the machine ended the run
"""

from typing import TYPE_CHECKING, ClassVar, Literal

from swe_assets.errors import JudgeError

if TYPE_CHECKING:
    from swe_assets.llm.protocol import ChatReply

Outcome = Literal[
    "answered", "refused", "blocked", "truncated", "empty", "invalid", "infrastructure", "stop_calls"
]


class CallError(JudgeError):
    """A model call that ended without a usable answer.

    Attributes: ``reason`` in words, ``retryable`` (may the same request succeed later), ``wait_s`` (seconds
    the service asked for, or None), ``status`` (HTTP status, or None), ``attempts`` (requests that were sent
    for this call), ``served`` (the reply that the service gave and bills though it cannot be used, or None),
    ``perhaps_billed`` (nothing usable came back, but the service may have answered and bill it).
    """

    outcome: ClassVar[Outcome] = "infrastructure"
    retryable_by_nature: ClassVar[bool] = False

    def __init__(
        self,
        reason: str,
        *,
        retryable: bool | None = None,
        wait_s: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = self.retryable_by_nature if retryable is None else retryable
        self.wait_s = wait_s
        self.status = status
        self.attempts = 1
        self.served: ChatReply | None = None
        self.perhaps_billed = False

    def __str__(self) -> str:
        tried = f" (after {self.attempts} attempts)" if self.attempts > 1 else ""
        return f"{self.outcome}: {self.reason}{tried}"


class RefusedError(CallError):
    """The model declined to answer, in words."""

    outcome = "refused"


class BlockedError(CallError):
    """The service withheld or ended the reply for a reason other than its length."""

    outcome = "blocked"


class TruncatedError(CallError):
    """The reply was cut by the token limit."""

    outcome = "truncated"


class EmptyReplyError(CallError):
    """The reply holds no text."""

    outcome = "empty"
    retryable_by_nature = True


class InvalidReplyError(CallError):
    """The reply's text is not the object that was asked for."""

    outcome = "invalid"
    retryable_by_nature = True


class InfrastructureError(CallError):
    """The service or the line to it failed, or the request was not accepted."""


class StopCallsError(CallError):
    """No further call of this run can succeed: the caller stops calling and says why."""

    outcome = "stop_calls"

    def __str__(self) -> str:
        """Say why, without a count: most of those that read it sent nothing."""
        return f"{self.outcome}: {self.reason}"


class BudgetSpentError(StopCallsError):
    """The next call could cost more than the user allowed; what is answered is kept."""


class CallsCancelledError(StopCallsError):
    """The run was interrupted: nothing more is sent, and waits end at once."""
