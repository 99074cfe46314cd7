"""A GraphQL server in the test's process: graphql-core with real resolvers, over loopback HTTP."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from inspect import isawaitable
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import graphql as core

from tests.behaviour.loopback import Answer, Loopback, Seen, loopback

SDL = '''
"""An issue tracker."""
type Query {
  "Who is asking."
  viewer: User
  "One issue."
  issue(id: ID!): Issue
  "Issues, the newest first."
  issues(first: Int, after: String, last: Int, before: String, filter: IssueFilter): IssueConnection!
  "Whatever has this text."
  search(text: String!): [Hit!]!
}
type Mutation {
  createIssue(input: CreateIssueInput!): CreateIssuePayload
  deleteIssue(id: ID!): Boolean!
  attach(issue: ID!, files: [Upload!]!, note: NoteInput): AttachPayload
}
type Subscription {
  issueCreated(limit: Int = 3): Issue!
}
scalar Upload
scalar DateTime
enum State { OPEN CLOSED @deprecated(reason: "use DONE") DONE }
type User { id: ID! name: String! email: String issues(first: Int): IssueConnection! }
type Issue {
  id: ID!
  title: String!
  state: State!
  body: String
  createdAt: DateTime!
  author: User!
  secretNote: Note
  comments(first: Int): CommentConnection!
}
type Note { id: ID! text: String! }
type Comment { id: ID! body: String! author: User }
type CommentConnection { totalCount: Int! nodes: [Comment!]! pageInfo: PageInfo! }
type IssueConnection { totalCount: Int! edges: [IssueEdge!]! pageInfo: PageInfo! }
type IssueEdge { cursor: String! node: Issue! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
union Hit = Issue | User
input IssueFilter { and: [IssueFilter!] state: State titleContains: String }
input CreateIssueInput { title: String! body: String state: State = OPEN labels: [String!] }
input NoteInput { text: String! file: Upload }
type CreateIssuePayload { userErrors: [UserError!]! issue: Issue }
type AttachPayload { names: [String!]! sizes: [Int!]! noteFile: String }
type UserError { field: [String!] message: String! code: String }
'''

ISSUES: list[dict[str, Any]] = [
    {
        "id": str(number),
        "title": f"Issue {number}",
        "state": "OPEN",
        "body": None,
        "createdAt": "2026-01-02T03:04:05Z",
        "author": {"id": "u1", "name": "Ann", "email": "ann@example.org"},
        "comments": {"totalCount": 0, "nodes": [], "pageInfo": {"hasNextPage": False}},
    }
    for number in range(1, 26)
]


class Refusal(core.GraphQLError):
    """An error with a code."""

    def __init__(self, message: str, code: str, **more: Any) -> None:
        super().__init__(message, extensions={"code": code, **more})


@dataclass
class Tracker:
    """What the server does; tests set its moods."""

    http: Loopback
    seen: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    stored: dict[str, str] = field(default_factory=dict[str, str])  # hash → document
    learns: bool = True  # it stores a document that comes with its hash
    throttled: int = 0  # so many answers are refused
    hidden: frozenset[str] = frozenset()  # fields of an issue nobody may see
    limit: int | None = None  # characters of a document it takes
    created: list[str] = field(default_factory=list[str])
    schema: core.GraphQLSchema = field(default_factory=lambda: core.build_schema(SDL))

    @property
    def url(self) -> str:
        return self.http.url

    # ── HTTP ────────────────────────────────────────────────────────────────────────

    def answer(self, request: Seen) -> Answer:
        """One request of any kind the server understands."""
        question = asked(request)
        self.seen.append(question)
        if self.throttled:
            self.throttled -= 1
            refused = {"message": "Throttled", "extensions": {"code": "THROTTLED"}}
            cost = {
                "requestedQueryCost": 30,
                "throttleStatus": {
                    "maximumAvailable": 100.0,
                    "currentlyAvailable": 10.0,
                    "restoreRate": 10.0,
                },
            }
            return Answer.of({"errors": [refused], "extensions": {"cost": cost}})
        text = self.text_of(question)
        if text is None:
            missing = {
                "message": "PersistedQueryNotFound",
                "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"},
            }
            return Answer.of({"errors": [missing]})
        if self.limit is not None and len(text) > self.limit:
            message = "The query is too complex"
            error = {"message": message, "extensions": {"code": "QUERY_TOO_COMPLEX"}}
            return Answer.of({"errors": [error]}, 400)
        parsed = core.parse(text)
        if faults := core.validate(self.schema, parsed):
            told = [{**fault.formatted, "extensions": {"code": "GRAPHQL_VALIDATION_FAILED"}}
                    for fault in faults]  # fmt: skip
            return Answer.of({"errors": told}, 400)
        if request.headers.get("accept") == "text/event-stream":
            return self.stream(parsed, question)
        made = cast(Any, core).execute_sync(
            self.schema,
            parsed,
            root_value=self,
            variable_values=question.get("variables"),
            operation_name=question.get("operationName"),
        )
        return Answer.of(made.formatted)

    def text_of(self, question: Mapping[str, Any]) -> str | None:
        """The document, which may be known by its hash alone."""
        stored = question.get("extensions", {}).get("persistedQuery", {}).get("sha256Hash")
        text: str | None = question.get("query")
        if stored is None:
            return text
        if text is None:
            return self.stored.get(stored)
        assert hashlib.sha256(text.encode()).hexdigest() == stored
        if self.learns:
            self.stored[stored] = text
        return text

    def stream(self, parsed: Any, question: Mapping[str, Any]) -> Answer:
        """A subscription, as graphql-sse sends it."""

        async def collected() -> list[bytes]:
            given = question.get("variables")
            made: Any = cast(Any, core).subscribe(self.schema, parsed, self, variable_values=given)
            stream = await made if isawaitable(made) else made
            if not hasattr(stream, "__aiter__"):
                return [event("next", stream.formatted)]
            return [event("next", one.formatted) async for one in stream]

        pieces = [b":\n\n", *asyncio.run(collected()), event("complete", None)]
        return Answer(200, headers={"Content-Type": "text/event-stream"}, pieces=tuple(pieces))

    # ── resolvers ───────────────────────────────────────────────────────────────────

    def viewer(self, info: Any) -> Any:
        raise Refusal("Sign in first", "UNAUTHENTICATED")

    def issue(self, info: Any, id: str) -> Any:
        if id == "boom":
            raise RuntimeError("the database fell over")
        found = next((one for one in ISSUES if one["id"] == id), None)
        return None if found is None else self.shown(found)

    def issues(self, info: Any, first: int | None = None, after: str | None = None,
               last: int | None = None, before: str | None = None,
               filter: Any = None) -> Any:  # fmt: skip
        if first is not None and last is not None:
            raise Refusal("give first or last, not both", "BAD_USER_INPUT")
        start = int(after or 0)
        some = ISSUES[-last:] if last else ISSUES[start : start + (first or len(ISSUES))]
        end = int(some[-1]["id"]) if some else 0
        return {
            "totalCount": len(ISSUES),
            "edges": [{"cursor": one["id"], "node": self.shown(one)} for one in some],
            "pageInfo": {"hasNextPage": end < len(ISSUES), "endCursor": str(end)},
        }

    def shown(self, issue: Mapping[str, Any]) -> Mapping[str, Any]:
        def refuse(name: str) -> Any:
            def resolver(*_: Any) -> Any:
                raise Refusal(f"{name} may not be seen", "FORBIDDEN")

            return resolver

        return {**issue, **{name: refuse(name) for name in self.hidden}}

    def search(self, info: Any, text: str) -> Any:
        issue = {"__typename": "Issue", **ISSUES[0]}
        user = {"__typename": "User", "id": "u1", "name": "Ann", "issues": self.issues(info, 2)}
        return [issue, user]

    def createIssue(self, info: Any, input: Mapping[str, Any]) -> Any:
        if not input["title"].strip():
            wrong = {"field": ["input", "title"], "message": "is blank", "code": "BLANK"}
            return {"userErrors": [wrong], "issue": None}
        self.created.append(input["title"])
        return {"userErrors": [], "issue": {**ISSUES[0], **input, "id": "99"}}

    def deleteIssue(self, info: Any, id: str) -> bool:
        return True

    def attach(self, info: Any, issue: str, files: list[Any], note: Any = None) -> Any:
        return {
            "names": [one["filename"] for one in files],
            "sizes": [len(one["data"]) for one in files],
            "noteFile": note["file"]["filename"] if note and note.get("file") else None,
        }

    async def issueCreated(self, info: Any, limit: int) -> AsyncIterator[Any]:
        for issue in ISSUES[:limit]:
            yield {"issueCreated": self.shown(issue)}


def event(name: str, data: object) -> bytes:
    """One server-sent event."""
    return f"event: {name}\ndata: {'' if data is None else json.dumps(data)}\n\n".encode()


def asked(request: Seen) -> dict[str, Any]:
    """The question in a request: JSON, a query string, or a multipart request with files."""
    if request.method == "GET":
        found = {name: texts[0] for name, texts in parse_qs(urlsplit(request.target).query).items()}
        parts = ("variables", "extensions")
        return {name: json.loads(t) if name in parts else t for name, t in found.items()}
    kind = request.headers.get("content-type", "")
    if kind.startswith("multipart/form-data"):
        return uploaded(kind, request.body)
    question: dict[str, Any] = json.loads(request.body)
    return question


def uploaded(kind: str, body: bytes) -> dict[str, Any]:
    """A multipart request (its specification's order: operations, map, files)."""
    head = b"Content-Type: " + kind.encode() + b"\r\n\r\n"
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    parts = [cast(EmailMessage, part) for part in message.iter_parts()]
    named = {str(part.get_param("name", header="content-disposition")): part for part in parts}
    assert list(named)[:2] == ["operations", "map"]
    question: dict[str, Any] = json.loads(content(named["operations"]))
    places: dict[str, list[str]] = json.loads(content(named["map"]))
    for name, paths in places.items():
        file = {"filename": named[name].get_filename(), "data": content(named[name])}
        for path in paths:
            put(question, path.split("."), file)
    return question


def content(part: EmailMessage) -> bytes:
    """The bytes of a part."""
    return cast(bytes, part.get_payload(decode=True))


def put(value: Any, path: list[str], file: Any) -> None:
    """Put a file where the map says; null must stand there."""
    *steps, last = [int(step) if step.isdecimal() else step for step in path]
    for step in steps:
        value = value[step]
    assert value[last] is None
    value[last] = file


@contextmanager
def tracker() -> Generator[Tracker]:
    """The server on a free port, gone at the end."""
    with loopback() as http:
        server = Tracker(http)
        http.answer = server.answer
        yield server
