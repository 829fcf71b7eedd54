"""What a user says of a model, by which studies name it: provider, parameters, limits and price."""

from dataclasses import dataclass
from typing import Any, Literal

Structured = Literal["json_schema", "json_object", "none"]
"""How an object is asked for: by its JSON schema, as any object, or by the prompt's words alone."""


@dataclass(frozen=True)
class ModelSpec:
    """One named model.

    ``id``: the name that studies use; ``key``: the name of the environment variable that holds the key,
    None for a service that wants none. ``temperature``, ``top_p``, ``seed`` and ``max_tokens``: None sends
    nothing and leaves the service's own; ``longer_max_tokens``: the limit with which a reply that was cut is
    asked for once more, None for never. ``timeout_s`` bounds one attempt, in seconds. Limits are per minute,
    None for none that is known; ``concurrency``: calls under way at once. Prices: USD per million tokens,
    None where the price list is to be asked. ``structured``: what the service takes; ``api_version``: the
    query parameter of Azure's dated addresses, which also makes the key an ``api-key`` header.
    """

    id: str
    provider: str
    model: str = ""
    base_url: str | None = None
    key: str | None = None
    temperature: float | None = 0.0
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    longer_max_tokens: int | None = None
    timeout_s: float = 180.0
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int = 4
    price_in: float | None = None
    price_out: float | None = None
    structured: Structured = "json_schema"
    api_version: str | None = None

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that shape an answer and are sent, leaving out those that are not."""
        named = ("temperature", "top_p", "seed", "max_tokens")
        return {name: value for name in named if (value := getattr(self, name)) is not None}
