"""The Petstore API as a toolset: one lazily imported group per tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolmint.auth import ApiKey, HttpBasic, HttpBearer
from toolmint.runtime import Package, Server, Toolset, Variable

if TYPE_CHECKING:
    from .pets import Pets
    from .store import Store


class Petstore(Toolset):
    """The Petstore API."""

    package = Package(
        module=__package__,
        title="Petstore",
        version="1.0.0",
        compatibility=1,
        servers=(
            Server(
                "https://{region}.petstore.example/v1",
                variables={
                    "region": Variable("eu", enum=("eu", "us")),
                },
            ),
        ),
        schemes={
            "apiKey": ApiKey("X-Key", place="header"),
            "basicAuth": HttpBasic(),
            "bearerAuth": HttpBearer(),
        },
        security=[
            {"bearerAuth": []},
            {"apiKey": [], "basicAuth": []},
        ],
        rate_limit=None,
        groups={
            "pets": (
                "create_pet",
                "delete_pet",
                "get_pet",
                "list_pets",
            ),
            "store": (
                "get_photo",
                "health",
                "place_order",
            ),
        },
    )

    @property
    def pets(self) -> Pets:
        """Everything about your pets."""
        from .pets import Pets

        return self._group(Pets)

    @property
    def store(self) -> Store:
        """The store itself."""
        from .store import Store

        return self._group(Store)
