"""Runs the command line in this process, as a shell would see it, on a small description."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pytest

from toolmint.generator.cli import run


@dataclass(frozen=True, slots=True)
class Ran:
    """One command's status and what it printed."""

    status: int
    out: str
    err: str


Toolmint: TypeAlias = Callable[..., Ran]


def runner(capsys: pytest.CaptureFixture[str]) -> Toolmint:
    """A function that takes the words after `toolmint`."""

    def toolmint(*words: str) -> Ran:
        capsys.readouterr()
        status = run(words)
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return toolmint


PETSTORE = """\
openapi: 3.1.0
info: {title: Petstore, version: "1.0"}
servers:
  - url: https://petstore.example/v1
security:
  - bearerAuth: []
tags:
  - name: pets
    description: Everything about your pets.
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      summary: List all pets.
      parameters:
        - name: limit
          in: query
          description: How many items to return at one time.
          schema: {type: integer, maximum: 100}
      responses:
        "200":
          description: The pets.
          content:
            application/json:
              schema:
                type: array
                items: {$ref: "#/components/schemas/Pet"}
    post:
      operationId: createPet
      tags: [pets]
      summary: Create a pet.
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                name: {type: string, description: What the pet is called.}
                tag: {type: [string, "null"]}
      responses:
        "201":
          description: The new pet.
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Pet"}
  /pets/{id}:
    delete:
      operationId: deletePet
      tags: [pets]
      summary: Delete a pet for good.
      parameters:
        - name: id
          in: path
          required: true
          schema: {type: string}
      responses:
        "204": {description: It is gone.}
components:
  securitySchemes:
    bearerAuth: {type: http, scheme: bearer}
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: {type: string}
        name: {type: string}
        tag: {type: [string, "null"]}
"""
