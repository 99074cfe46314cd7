"""Everything about your pets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolmint.runtime import (
    UNSET,
    Call,
    Effects,
    Json,
    Member,
    Path,
    Query,
    ToolGroup,
    Unset,
    http,
)

if TYPE_CHECKING:
    from . import models


class Pets(ToolGroup):
    """Everything about your pets."""

    @http(
        "POST",
        "/pets",
        arguments=(
            Member("name"),
            Member("tag"),
        ),
        body=Json(required=True),
        effects=Effects(reason="POST creates"),
        tags=("pets",),
        operation_id="createPet",
    )
    def create_pet(
        self,
        *,
        name: str,
        tag: str | Unset | None = UNSET,
    ) -> Call[models.Pet]:
        """Create a pet.

        POST /pets

        Args:
            name: What the pet is called.
            tag: A free label.
        """
        return self._call(
            "create_pet",
            {
                "name": name,
                "tag": tag,
            },
        )

    @http(
        "DELETE",
        "/pets/{id}",
        arguments=(Path("id"),),
        effects=Effects(destructive=True, idempotent=True, reason="DELETE removes"),
        tags=("pets",),
        operation_id="deletePet",
        deprecated=True,
    )
    def delete_pet(
        self,
        *,
        id: int,
    ) -> Call[None]:
        """Delete a pet.

        DELETE /pets/{id}

        Args:
            id: Which pet.
        """
        return self._call(
            "delete_pet",
            {
                "id": id,
            },
        )

    @http(
        "GET",
        "/pets/{id}",
        arguments=(Path("id"),),
        effects=Effects(read_only=True, idempotent=True, reason="GET reads"),
        tags=("pets",),
        operation_id="getPet",
    )
    def get_pet(
        self,
        *,
        id: int,
    ) -> Call[models.Pet]:
        """Get a pet.

        GET /pets/{id}

        Args:
            id: Which pet.
        """
        return self._call(
            "get_pet",
            {
                "id": id,
            },
        )

    @http(
        "GET",
        "/pets",
        arguments=(
            Query("limit"),
            Query("tags", explode=False),
            Query("q", allow_reserved=True),
            Query("marks", style="pipeDelimited", explode=False),
            Query("filter", content="application/json"),
        ),
        effects=Effects(read_only=True, idempotent=True, reason="GET reads"),
        tags=("pets",),
        operation_id="listPets",
    )
    def list_pets(
        self,
        *,
        limit: int | Unset = UNSET,
        tags: list[str] | Unset = UNSET,
        q: str | Unset = UNSET,
        marks: list[str] | Unset = UNSET,
        filter: models.Filter | Unset = UNSET,
    ) -> Call[list[models.Pet]]:
        """List all pets.

        GET /pets

        Args:
            limit: How many items to return at one time.
            tags: Labels to look for.
            q: Words to look for.
            marks: Marks to look for.
            filter: Which pets.
        """
        return self._call(
            "list_pets",
            {
                "limit": limit,
                "tags": tags,
                "q": q,
                "marks": marks,
                "filter": filter,
            },
        )
