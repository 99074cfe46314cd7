"""What a server's errors mean, by their code, then their type, then their words."""

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from .response import GraphQLError

Class: TypeAlias = Literal[
    "throttled",
    "unauthenticated",
    "forbidden",
    "complex",
    "unknown_hash",
    "unsupported_hash",
    "invalid",
    "other",
]

_CODES: dict[Class, str] = {
    "throttled": "throttled ratelimited ratelimit toomanyrequests ratelimitexceeded",
    "unauthenticated": """
        unauthenticated authenticationerror authenticationfailed unauthorized invalidjwt
        invalidtoken tokenexpired jwtexpired
    """,
    "forbidden": """
        forbidden accessdenied permissiondenied insufficientscopes notauthorized
        unauthorizedfieldortype
    """,
    "complex": """
        maxcostexceeded querytoocomplex operationtoocomplex complexitylimitexceeded
        maxnodelimitexceeded costlimitexceeded depthlimitexceeded querytoodeep
        maxcomplexityexceeded excessivepagination resourcelimitsexceeded
    """,
    "unknown_hash": "persistedquerynotfound",
    "unsupported_hash": "persistedquerynotsupported",
    "invalid": """
        graphqlvalidationfailed graphqlparsefailed baduserinput badrequest validation
        validationerror validationfailed invalidinput inputerror undefinedfield
        argumentliteralsincompatible variablemismatch missingrequiredarguments
    """,
}
_CLASS: dict[str, Class] = {word: kind for kind, told in _CODES.items() for word in told.split()}
_PROSE: dict[Class, str] = {
    "unknown_hash": r"^PersistedQueryNotFound$",
    "unsupported_hash": r"^PersistedQueryNotSupported$",
    "throttled": r"\brate.?limit|\bthrottled\b|too many requests",
    "complex": r"(?:query|operation|request).{0,40}(?:too complex|too deep|complexity|exceeds )",
    "unauthenticated": r"not authenticated|unauthenticated|must be (?:logged|signed) in",
    "forbidden": r"\b(?:forbidden|permission denied|access denied|not authorized)\b",
}
_WORDS: list[tuple[Class, re.Pattern[str]]] = [
    (kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PROSE.items()
]


def class_of(error: GraphQLError) -> Class:
    """The class of one error."""
    for word in (error.code, error.type):
        known = _CLASS.get(re.sub(r"[^a-z0-9]", "", word.lower()))
        if known is not None:
            return known
    if error.code or error.type:
        return "other"
    for kind, pattern in _WORDS:
        if pattern.search(error.message):
            return kind
    return "other"


def has(errors: Iterable[GraphQLError], kind: Class) -> bool:
    """Whether one of the errors is of a class."""
    return any(class_of(error) == kind for error in errors)
