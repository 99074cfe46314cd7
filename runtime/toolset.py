"""The base of generated toolsets: all tools of one package, with what it takes to call them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from .describe import TYPE_HELPER, described, explain_type, loaded_group, refuse_to_load
from .edge.shared import Shared
from .fitting import require_limits, require_prefix, require_tools, require_variables
from .group import ToolGroup
from .operations import Operations
from .schemas import SchemaStore
from .session import Edge, Session
from .tool import Tool, named

if TYPE_CHECKING:
    from types import TracebackType

    from ..auth.held import Credential
    from .audit import Audit, Sink
    from .bounds import Bounds
    from .context import CallContext
    from .dialects import Export, Provider
    from .edge.recovery import Recovery
    from .edge.retry import RetryPolicy
    from .execute import Executor
    from .package import Package
    from .policy import Policy
    from .prepared import PreparedRequest
    from .result import ToolResult
    from .selection import Effect
    from .settings import Cache, LimitSetting, Surroundings, Validation, ValidationName
    from .wire.client import AsyncClient

G = TypeVar("G", bound=ToolGroup)


class Toolset:
    """The tools of one API. Making one reads no schema, opens nothing and sends nothing.

    `credentials` maps the description's scheme names to secrets; left out, the package's
    environment variables are read. `base_url` replaces every server, base path included;
    `variables` are the server's. `client` is an `httpx.AsyncClient` (or httpx2's) of the
    caller's: it is used on the event loop it belongs to and never closed here. `bounds` are
    the timeouts and size caps of a call. `prefix` goes before every tool's name.

    Every call, typed or by name, meets the same edge:

    - `policy` decides about each call before anything is sent; None allows what code calls.
    - `limits` is a `RateLimit` in place of the described one, a mapping of such (or False: none)
      by tool or group, or False: nothing is held back. None: what the description states. What
      servers say of their limits is obeyed unless it is False.
    - `audit` is a file, a function that takes each record, or an `Audit`.
    - `validation`: what follows bad arguments: "fail"; "repair", which mends what can be meant
      in one way only; "retry", which asks a model to correct itself a few times; or a
      `Validation`, which also says whether results are checked.
    - `retry`: a `RetryPolicy`, or False for a single attempt. A write is only repeated where
      that cannot do it twice.
    - `cache`: results of tools that only read are kept for five minutes (True), or as a `Cache`
      says. A write through this toolset forgets them all.
    - `recovery`: other arguments or another tool for when a tool fails, by its name.
    - `surroundings`: the clock, chance and shared limiters, for tests.
    """

    package: ClassVar[Package]
    _schemas: ClassVar[SchemaStore]
    _operations: ClassVar[Operations]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.package.require_compatible()
        cls._schemas = SchemaStore(cls.package.name)
        cls._operations = Operations(cls.package.name)

    def __init__(
        self,
        *,
        credentials: Mapping[str, Credential] | None = None,
        base_url: str | None = None,
        variables: Mapping[str, str] | None = None,
        client: AsyncClient | None = None,
        policy: Policy | None = None,
        limits: LimitSetting | None = None,
        audit: Audit | Sink | None = None,
        prefix: str = "",
        bounds: Bounds | None = None,
        validation: Validation | ValidationName = "fail",
        retry: RetryPolicy | bool = True,
        cache: Cache | bool = False,
        recovery: Mapping[str, Recovery] | None = None,
        surroundings: Surroundings | None = None,
    ) -> None:
        require_prefix(prefix, self.package)
        self._tools: Mapping[str, Tool] = self._all_tools(prefix)
        require_tools(recovery or {}, self._tools)
        require_limits(limits, self.package, self._tools)
        require_variables(variables or {}, self.package, self._tools)
        self._session = Session(
            self.package,
            prefix=prefix,
            credentials=credentials,
            client=client,
            bounds=bounds,
            base_url=base_url,
            variables=variables,
            edge=Edge(
                policy=policy,
                limits=limits,
                audit=audit,
                validation=validation,
                retry=retry,
                cache=cache,
                recovery=recovery or {},
                surroundings=surroundings,
            ),
        )
        self._shared = Shared(self._session)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} tools)"

    # ── the tools ───────────────────────────────────────────────────────────────────

    def names(self) -> list[str]:
        """The tools' names, in the package's order."""
        return list(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __getitem__(self, name: str) -> Tool:
        """The tool of exactly this name; KeyError lists near ones."""
        return named(self._tools, name)

    def find(self, operation: str) -> Tool:
        """The tool of an operation: `GET /things/{id}` or its operationId, as written there."""
        from .selection import of_operation

        return of_operation(self._tools, operation)

    def select(
        self,
        *,
        tags: str | Iterable[str] | None = None,
        names: str | Iterable[str] | None = None,
        effects: Effect | Iterable[Effect] | None = None,
        predicate: Callable[[Tool], bool] | None = None,
    ) -> Self:
        """A view with the tools that have one of `tags`, one of `names`, and all of `effects`.

        It shares credentials and connections with this toolset, and runs no other tool, typed
        calls included. A tag or name that no tool has is a KeyError.
        """
        from .selection import chosen

        tools = chosen(self._tools, tags, names, effects, predicate)
        return self._view({tool.name: tool for tool in tools})

    def graphql(self, text: str) -> Self:
        """A view whose tools are the operations of a GraphQL document, made at this moment.

        It is held against the committed schema, and a root field that has no tool here cannot be
        called; effects and gates are the gravest of the tools whose root fields it calls.
        Raises ValueError for a document that does not fit.
        """
        from .graphql_codec.documents import Committed, tools_of

        if self.package.graphql is None:
            raise ValueError(f"{self.package.name} is no GraphQL package")
        fields, types = self._schemas.field_map, self._schemas.input_types
        view = self._view({})
        committed = Committed(list(self), fields, types, view._run_call)
        view._tools = {one.name: one for one in tools_of(text, committed, self._session.prefix)}
        return view

    def describe(self, provider: Provider = "json-schema") -> list[dict[str, Any]]:
        """What a provider is sent as `tools`; ValueError for one that is not known.

        What a model answers goes into `call` as it is. Where a schema was cut to the budget,
        `describe_type` is added, which `call` answers.
        """
        return self.export(provider, strict=False).payload

    def export(self, provider: Provider, *, strict: bool = True) -> Export:
        """The same, with what had to change for the provider, and the way back.

        `strict` spends the provider's strict mode on the tools that lose nothing by it. What a
        model then answers must go through `Export.restore` before it goes into `call`.
        """
        from .dialects import export

        return export(described(list(self), self._session.prefix), provider, strict=strict)

    # ── calls ───────────────────────────────────────────────────────────────────────

    def prepare(
        self, name: str, arguments: Mapping[str, object] | str | None = None
    ) -> PreparedRequest:
        """The exact request of a call, made and not sent. Raises `ToolError`."""
        return self._executor.prepare(name, arguments)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, object] | str | None = None,
        *,
        call_id: str | None = None,
    ) -> ToolResult:
        """Run a tool for an agent: whatever happens is a `ToolResult`, nothing is raised.

        `arguments` by their names in the input schema, or the JSON text of them.
        """
        from .context import CallContext

        return await self._run_call(name, arguments, CallContext(call_id=call_id))

    async def aclose(self) -> None:
        """Close the connections made here; a client that was passed in stays open."""
        from . import loop_thread

        self._session.close_audit()
        if not self._session.is_connected:
            return
        transport = self._session.transport
        await transport.aclose()
        if transport.open_on(loop_thread.current()):
            import asyncio

            await asyncio.wrap_future(loop_thread.submit(transport.aclose()))

    def close(self) -> None:
        """Close the connections that `.run()` made."""
        from . import loop_thread

        self._session.close_audit()
        if self._session.is_connected:
            transport = self._session.transport
            if transport.open_on(loop_thread.current()):
                loop_thread.run(transport.aclose())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    # ── inside ──────────────────────────────────────────────────────────────────────

    @cached_property
    def _executor(self) -> Executor:
        from .execute import Executor

        return Executor(tools=self._tools, session=self._session, shared=self._shared)

    async def _run_call(self, name: str, arguments: object, context: CallContext) -> ToolResult:
        """`call` for any entry: `context` says which run it is of, for whom, under what policy."""
        name = str(
            name
        )  # a model's word for a tool may be anything; as text it is at worst unknown
        if name in self:
            return await self._executor.execute(name, arguments, context)
        if name == f"{self._session.prefix}{TYPE_HELPER}":
            helper = partial(explain_type, list(self), arguments)
            return await self._executor.answer(name, helper, context)
        group = self._loaded_group(name)
        if group is not None:
            return await self._executor.answer(name, partial(refuse_to_load, group), context)
        return await self._executor.execute(name, arguments, context)

    def _loaded_group(self, name: str) -> str | None:
        """The group that a loader of this name offers."""
        group = loaded_group(name, self._session.prefix)
        return group if group in self.package.groups else None

    def _group(self, group: type[G]) -> G:
        """The typed methods of one tag."""
        return group(self._executor)

    def _all_tools(self, prefix: str) -> dict[str, Tool]:
        return {
            f"{prefix}{key}": Tool(
                f"{prefix}{key}",
                key,
                group,
                self.package,
                self._schemas,
                self._operations,
                self._run_call,
            )
            for group, keys in self.package.groups.items()
            for key in keys
        }

    def _view(self, tools: Mapping[str, Tool]) -> Self:
        view = object.__new__(type(self))
        view._tools = tools
        view._session = self._session
        view._shared = self._shared
        return view
