"""The store itself."""

from __future__ import annotations

from toolmint.runtime import (
    Call,
    Effects,
    Path,
    ToolGroup,
    http,
)


class Store(ToolGroup):
    """The store itself."""

    @http(
        "GET",
        "/photos/{name}",
        arguments=(Path("name"),),
        accept=("image/png",),
        effects=Effects(read_only=True, idempotent=True, reason="GET reads"),
        tags=("store",),
        operation_id="getPhoto",
    )
    def get_photo(
        self,
        *,
        name: str,
    ) -> Call[object]:
        """Get a photo.

        GET /photos/{name}

        Args:
            name: Which photo.
        """
        return self._call(
            "get_photo",
            {
                "name": name,
            },
        )

    @http(
        "GET",
        "/health",
        security=[],
        effects=Effects(read_only=True, idempotent=True, reason="GET reads"),
        tags=("store",),
    )
    def health(self) -> Call[object]:
        """Tell whether the store is open.

        GET /health
        """
        return self._call("health", {})

    @http(
        "POST",
        "/orders",
        security=[],
        idempotency_key="Idempotency-Key",
        effects=Effects(reason="POST creates"),
        tags=("store",),
        operation_id="placeOrder",
    )
    def place_order(self) -> Call[object]:
        """Place an order.

        POST /orders
        """
        return self._call("place_order", {})
