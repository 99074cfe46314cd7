"""Parses GraphQL documents: executable ones only, and of values only what a call needs.

The text itself is what is sent, so nothing here prints.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .nodes import (
    Body,
    Directive,
    DocumentNode,
    EnumName,
    FieldNode,
    FragmentNode,
    InlineNode,
    Kind,
    OperationNode,
    Selection,
    SpreadNode,
    Value,
    VariableNode,
    VariableUse,
)

DEEPEST = 60
LONGEST = 200_000  # characters


class GraphQLSyntaxError(ValueError):
    """A text that is no document; it says the line."""


def parse(text: str) -> DocumentNode:
    """The document in a text. Raises GraphQLSyntaxError."""
    if len(text) > LONGEST:
        raise GraphQLSyntaxError(f"a document has at most {LONGEST} characters")
    return _Parser(text).document()


_IGNORED = re.compile(r"(?:[\s,\ufeff]|#[^\n\r]*)*")
_TOKEN = re.compile(
    r'(?P<block>"""(?:\\"""|[^"]|"(?!""))*""")'
    r'|(?P<string>"(?:[^"\\\n\r]|\\.)*")'
    r"|(?P<name>[_A-Za-z][_0-9A-Za-z]*)"
    r"|(?P<float>-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)(?![._A-Za-z0-9]))"
    r"|(?P<int>-?(?:0|[1-9]\d*)(?![._A-Za-z0-9]))"
    r"|(?P<mark>\.\.\.|[!$&():=@\[\]{|}])"
)
_KINDS: dict[str, Kind] = {
    "query": "query",
    "mutation": "mutation",
    "subscription": "subscription",
}
_WORDS = {"true": True, "false": False, "null": None}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0  # of the token that was taken last
        self._depth = 0
        self._token = self._next(0)

    def document(self) -> DocumentNode:
        operations: list[OperationNode] = []
        fragments: dict[str, FragmentNode] = {}
        while self._token.kind != "end":
            if self._token.text == "fragment":
                fragment = self._fragment()
                if fragment.name in fragments:
                    raise self._error(f"two fragments are called {fragment.name}")
                fragments[fragment.name] = fragment
            else:
                operations.append(self._operation())
        return DocumentNode(tuple(operations), fragments)

    def _operation(self) -> OperationNode:
        if self._token.text == "{":
            return OperationNode("query", None, (), self._body())
        kind = _KINDS.get(self._token.text)
        if kind is None:
            raise self._error("expected query, mutation, subscription or fragment")
        self._take()
        name = self._take().text if self._token.kind == "name" else None
        variables = self._between("(", ")", self._variable) if self._at("(") else ()
        self._directives()
        return OperationNode(kind, name, variables, self._body())

    def _fragment(self) -> FragmentNode:
        self._take()
        name = self._name()
        if name == "on" or self._take().text != "on":
            raise self._error("expected fragment NAME on TYPE")
        kind = self._name()
        self._directives()
        return FragmentNode(name, kind, self._body())

    def _variable(self) -> VariableNode:
        start = self._token.start
        self._expect("$")
        name = self._name()
        self._expect(":")
        kind = self._type()
        has_default = self._at("=")
        default = None
        if has_default:
            self._take()
            default = self._value()
        self._directives()
        return VariableNode(name, kind, default, has_default, start, self._end)

    def _type(self) -> str:
        if self._at("["):
            self._deeper()
            self._take()
            inner = f"[{self._type()}]"
            self._expect("]")
            self._depth -= 1
        else:
            inner = self._name()
        if self._at("!"):
            self._take()
            return f"{inner}!"
        return inner

    def _body(self) -> Body:
        self._deeper()
        start = self._token.start
        selections = self._between("{", "}", self._selection)
        self._depth -= 1
        return Body(selections, start, self._end)

    def _selection(self) -> Selection:
        start = self._token.start
        if self._at("..."):
            return self._spread(start)
        name, alias = self._name(), None
        if self._at(":"):
            self._take()
            name, alias = self._name(), name
        arguments = self._arguments()
        directives = self._directives()
        body = self._body() if self._at("{") else None
        return FieldNode(name, alias, arguments, directives, body, start, self._end)

    def _spread(self, start: int) -> Selection:
        self._take()
        kind = None
        if self._token.kind == "name" and self._token.text != "on":
            name = self._name()
            return SpreadNode(name, self._directives(), start, self._end)
        if self._token.text == "on":
            self._take()
            kind = self._name()
        directives = self._directives()
        body = self._body()
        return InlineNode(kind, directives, body, start, self._end)

    def _directives(self) -> tuple[Directive, ...]:
        found: list[Directive] = []
        while self._at("@"):
            self._take()
            found.append(Directive(self._name(), self._arguments()))
        return tuple(found)

    def _arguments(self) -> dict[str, Value]:
        if not self._at("("):
            return {}
        return dict(self._between("(", ")", self._pair))

    def _pair(self) -> tuple[str, Value]:
        name = self._name()
        self._expect(":")
        return name, self._value()

    def _value(self) -> Value:
        token = self._token
        if token.text == "[" and token.kind == "mark":
            return self._nested("[", "]", self._value)
        if token.text == "{" and token.kind == "mark":
            return dict(self._nested("{", "}", self._pair))
        self._take()
        match token.kind:
            case "int":
                return int(token.text)
            case "float":
                return float(token.text)
            case "string":
                return self._string(token.text)
            case "block":
                return token.text[3:-3].replace('\\"""', '"""')
            case "name":
                return _WORDS[token.text] if token.text in _WORDS else EnumName(token.text)
            case "mark" if token.text == "$":
                return VariableUse(self._name())
            case _:
                raise self._error("expected a value")

    def _nested(self, opening: str, closing: str, read: Callable[[], T]) -> list[T]:
        self._deeper()
        self._take()
        found: list[T] = []
        while not self._at(closing):
            found.append(read())
        self._take()
        self._depth -= 1
        return found

    def _string(self, text: str) -> str:
        try:
            return str(json.loads(text, strict=False))  # a tab may stand as it is
        except ValueError:
            raise self._error("a string that cannot be read") from None

    # ── one token after another ─────────────────────────────────────────────────────

    def _between(self, opening: str, closing: str, read: Callable[[], T]) -> tuple[T, ...]:
        self._expect(opening)
        found = [read()]
        while not self._at(closing):
            found.append(read())
        self._take()
        return tuple(found)

    def _at(self, mark: str) -> bool:
        return self._token.kind == "mark" and self._token.text == mark

    def _expect(self, mark: str) -> None:
        if not self._at(mark):
            raise self._error(f"expected {mark}")
        self._take()

    def _name(self) -> str:
        if self._token.kind != "name":
            raise self._error("expected a name")
        return self._take().text

    def _take(self) -> _Token:
        token = self._token
        if token.kind == "end":
            raise self._error("the document ends too early")
        self._end = token.end
        self._token = self._next(token.end)
        return token

    def _next(self, position: int) -> _Token:
        ignored = _IGNORED.match(self._text, position)
        start = ignored.end() if ignored else position
        if start == len(self._text):
            return _Token("end", "", start, start)
        match = _TOKEN.match(self._text, start)
        if match is None:
            self._token = _Token("odd", "", start, start)
            raise self._error(f"unexpected {self._text[start]!r}")
        return _Token(str(match.lastgroup), match[0], start, match.end())

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error(f"is nested more than {DEEPEST} levels deep")

    def _error(self, text: str) -> GraphQLSyntaxError:
        line = self._text.count("\n", 0, self._token.start) + 1
        return GraphQLSyntaxError(f"line {line}: {text}")
