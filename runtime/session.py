"""What the calls of a toolset and its views share: credentials, connections, server settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ..auth.credentials import Credentials
    from ..auth.held import Credential
    from .audit import Audit, Sink
    from .bounds import Bounds
    from .edge.recovery import Recovery
    from .edge.retry import RetryPolicy
    from .package import Package
    from .policy import Policy
    from .settings import Cache, LimitSetting, Surroundings, Validation, ValidationName
    from .wire.client import AsyncClient
    from .wire.transport import Transport


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What was set about the execution edge, as it was given; see `Toolset`."""

    policy: Policy | None = None
    limits: LimitSetting | None = None
    audit: Audit | Sink | None = None
    validation: Validation | ValidationName = "fail"
    retry: RetryPolicy | bool = True
    cache: Cache | bool = False
    recovery: Mapping[str, Recovery] = field(default_factory=dict[str, "Recovery"])
    surroundings: Surroundings | None = None


USUAL = Edge()


class Session:
    """The settings of a toolset; what only a call needs is loaded by the first call.

    Credentials and a client that are given are checked at once, so that a mistake shows where
    it was made.
    """

    def __init__(
        self,
        package: Package,
        *,
        prefix: str,
        credentials: Mapping[str, Credential] | None,
        client: AsyncClient | None,
        bounds: Bounds | None,
        base_url: str | None,
        variables: Mapping[str, str] | None,
        edge: Edge,
    ) -> None:
        self.package = package
        self.prefix = prefix
        self.base_url = base_url
        self.variables = dict(variables or {})
        self._client = client
        self._bounds = bounds
        self._edge = edge
        self.policy = edge.policy
        self.recovery = edge.recovery
        if edge != USUAL:
            self._check_edge()
        self._from_environment = credentials is None
        if credentials:
            self.credentials = self._checked(credentials)
        if client is not None:
            _ = self.transport

    @cached_property
    def credentials(self) -> Credentials:
        """What may be sent; the environment's when none were given."""
        return self._checked(None if self._from_environment else {})

    @cached_property
    def transport(self) -> Transport:
        """The connections."""
        from .wire.transport import Transport

        return Transport(self._client, self._bounds, self.credentials.hide)

    @property
    def is_connected(self) -> bool:
        """Something was sent, or may be at once."""
        return "transport" in vars(self)

    def _check_edge(self) -> None:
        """Raise for a setting that could not be obeyed."""
        from .operation import RateLimit

        limits = cast(object, self._edge.limits)
        if not (limits is None or limits is False or isinstance(limits, RateLimit | Mapping)):
            raise TypeError("limits= takes a RateLimit, a mapping of them, or False")
        if self.policy is not None and not callable(getattr(self.policy, "decide", None)):
            raise TypeError("policy= takes an object with `async def decide(proposal)`")
        _ = self.validation, self.patience, self.kept, self.audit

    # ── the execution edge ──────────────────────────────────────────────────────────

    @cached_property
    def surroundings(self) -> Surroundings:
        """Clock, chance, and the limiters of this process."""
        from .settings import Surroundings

        return self._edge.surroundings or Surroundings()

    @cached_property
    def validation(self) -> Validation:
        """What is done about bad arguments and odd results."""
        from .settings import validation_of

        return validation_of(self._edge.validation)

    @cached_property
    def patience(self) -> RetryPolicy:
        """When and how often an attempt is repeated."""
        from .settings import retry_of

        return retry_of(self._edge.retry)

    @cached_property
    def kept(self) -> Cache | None:
        """For how long results of pure calls are kept, where they are kept at all."""
        from .settings import cache_of

        return cache_of(self._edge.cache)

    @property
    def limits(self) -> LimitSetting | None:
        """What was given in place of the described limits."""
        return self._edge.limits

    @property
    def total_seconds(self) -> float:
        """What all requests of a call may take together."""
        from .bounds import Bounds

        return (self._bounds or Bounds()).total_seconds

    @property
    def client_name(self) -> str:
        """Tells a client that was passed in from others: it may bring credentials of its own."""
        return "" if self._client is None else f"client {id(self._client)}"

    @cached_property
    def audit(self) -> Audit | None:
        """Where calls are recorded, if anywhere."""
        from .audit import audit_of

        return audit_of(self._edge.audit, self.surroundings.clock)

    def close_audit(self) -> None:
        """Close the file that was opened for `audit=`; a later call opens it again."""
        audit = vars(self).get("audit")
        if audit is not None and audit is not self._edge.audit:
            audit.close()

    @cached_property
    def page_key(self) -> bytes:
        """Signs the addresses of next pages that a model hands back."""
        from secrets import token_bytes

        return token_bytes(32)

    def _checked(self, values: Mapping[str, Credential] | None) -> Credentials:
        from ..auth.credentials import Credentials

        return Credentials(self.package.schemes, values, module=self.package.name)
