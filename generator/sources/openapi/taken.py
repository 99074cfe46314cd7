"""Parameters that are no arguments: credentials, headers the runtime sets, the idempotency key."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...model.arguments import Argument, Parameter
from ...model.nodes import Location
from ...model.security import SecurityRequirement, SecurityScheme
from ...plain import as_object, as_text
from .credential_names import is_credential
from .findings import Findings
from .framing import is_framing
from .security import SecurityReader

_IGNORED_HEADERS = frozenset(("accept", "content-type"))
_IDEMPOTENCY = frozenset(("idempotency-key", "x-idempotency-key"))


@dataclass(frozen=True, slots=True)
class Sorted:
    """The parameters that stay, and what the others became."""

    arguments: list[Argument]
    credentials: tuple[str, ...]
    idempotency_key: str | None


def sort_out(
    findings: Findings,
    security: SecurityReader,
    parameters: Sequence[Argument],
    requirement: SecurityRequirement,
) -> Sorted:
    """Take out what no model may fill in. `requirement` holds for the operation.

    Header parameters named Accept, Content-Type and Authorization are ignored (OpenAPI,
    Parameter Object); an Authorization that no scheme owns is an optional credential.
    """
    arguments: list[Argument] = []
    credentials: dict[str, None] = {}
    key: str | None = None
    for argument in parameters:
        carrier = argument.carrier
        if not isinstance(carrier, Parameter):
            continue
        header = carrier.name.lower() if carrier.place == "header" else None
        description = as_text(as_object(argument.schema).get("description"))
        if header in _IDEMPOTENCY:
            key = carrier.name
        elif header in _IGNORED_HEADERS:
            continue
        elif owners := security.owners(carrier.place, carrier.name):
            credentials |= dict.fromkeys(_unasked(owners, requirement, argument.required))
        elif is_credential(carrier.name, carrier.place, description):
            credentials[security.adopt(carrier, description, argument.location)] = None
        elif header is not None and is_framing(header):
            text = f"the header {carrier.name!r} is the sender's own: it is no argument"
            findings.warn(argument.location, text)
        else:
            _doubt(carrier, argument.location, findings)
            arguments.append(argument)
    return Sorted(arguments, tuple(credentials), key)


def _doubt(carrier: Parameter, location: Location, findings: Findings) -> None:
    if carrier.place == "path" and is_credential(carrier.name, "query", ""):
        findings.warn(
            location,
            f"the path parameter {carrier.name!r} is called like a credential, which cannot "
            "stand in a path: it is an argument that a model fills in",
        )


def _unasked(
    owners: Sequence[SecurityScheme], requirement: SecurityRequirement, required: bool
) -> list[str]:
    """A key that the operation declares as a parameter, although its security does not ask.

    One that is required counts so beside an alternative that does without it: some services
    list as alternatives what they want together.
    """
    asking = [[owner.name in alternative for owner in owners] for alternative in requirement]
    if asking and (all if required else any)(map(any, asking)):
        return []
    return [owner.name for owner in owners if owner.kind == "apiKey"]
