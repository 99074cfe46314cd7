"""Security schemes and requirements, and which parameters belong to them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...model.arguments import Parameter
from ...model.nodes import Location
from ...model.security import OAuthFlow, SecurityRequirement, SecurityScheme
from ...plain import as_object, is_array, is_object, kind
from ...pointers import Place
from ...reading.addresses import is_reference
from .contents import is_field_name
from .findings import Findings
from .framing import is_framing
from .objects import complaint
from .reached import Part
from .references import BrokenReference, References
from .scalars import held_object, prose, strings, text

WHOLE_SECURITY: Part = ("security", "")
"""The document's own requirement, which holds where an operation says nothing."""

_FLOWS = ("authorizationCode", "clientCredentials", "password", "implicit", "deviceAuthorization")


class SecurityReader:
    """Reads security; schemes that nobody declared are kept as unsupported ones."""

    def __init__(self, references: References, findings: Findings, declared: Any) -> None:
        self._references = references
        self._findings = findings
        self._place: Place = "/components/securitySchemes"
        self.schemes: dict[str, SecurityScheme] = {}  # grows with what operations name
        self._described = described = as_object(declared)
        for name in sorted(described):
            with findings.within(_part(name)):
                self.schemes[name] = self._scheme(name, described[name], (self._place, name))
        self._declared = tuple(self.schemes.values())

    def requirement(self, security: Any, place: Place) -> SecurityRequirement | None:
        """An OR of ANDs in document order; None when nothing is said."""
        if security is None:
            return None
        if not is_array(security):
            rest = "nothing is asked for" if place == "/security" else "the document's own holds"
            self._findings.lose(place, f"`security` is {kind(security)} and no list; {rest}")
            return None
        found: list[Mapping[str, tuple[str, ...]]] = []
        for index, alternative in enumerate(security):
            if not is_object(alternative):
                self._findings.lose((place, index), "a security requirement is no object")
                continue
            for name in alternative:
                self._know(name, (place, index))
            found.append(
                {
                    name: strings(self._findings, alternative, name, (place, index))
                    for name in sorted(alternative)
                }
            )
        return tuple(found)

    def owners(self, place: str, parameter: str) -> tuple[SecurityScheme, ...]:
        """The declared schemes that send a parameter themselves."""
        return tuple(one for one in self._declared if _owns(one, place, parameter))

    def adopt(self, carrier: Parameter, description: str, location: Location) -> str:
        """The scheme for a credential that stands among the parameters; made when it is new."""
        place, parameter = carrier.place, carrier.name
        if place not in ("header", "query", "cookie"):
            raise ValueError(f"no credential travels in the {place}")
        name = parameter
        known = self.schemes.get(name)
        if known is not None and (known.place, known.parameter) != (place, parameter):
            name = f"{parameter}__{place}"
        self._findings.reach(_part(name))
        if name not in self.schemes:
            self.schemes[name] = SecurityScheme(
                name=name,
                kind="apiKey",
                place=place,
                parameter=parameter,
                description=description,
                location=location,
            )
            with self._findings.within(_part(name)):
                self._findings.warn(
                    location,
                    f"the {place} parameter {parameter!r} is a credential: it is no argument, "
                    f"give it as the credential {name!r}",
                )
        return name

    def _know(self, name: str, place: Place) -> None:
        self._findings.reach(_part(name))
        if name not in self._described:
            self._findings.lose(place, f"the security scheme {name!r} is not declared")
            if name not in self.schemes:
                self.schemes[name] = self._unsupported(name, "not declared", "", place)

    def _scheme(self, name: str, declared: Any, place: Place) -> SecurityScheme:
        try:
            scheme, at = self._references.follow(declared, place)
        except BrokenReference as problem:
            self._findings.lose(place, f"a security scheme cannot be read: {problem}")
            return self._unsupported(name, str(problem), "", place)
        told = prose(self._findings, scheme, "description", at)
        read = self._known_kind(name, scheme, told, at)
        if read is not None:
            return read
        why = complaint("security scheme", scheme) or _oddity(scheme)
        self._findings.lose(place, f"a security scheme is not supported: {why}")
        return self._unsupported(name, str(scheme.get("type")), told, at)

    def _known_kind(
        self, name: str, scheme: Mapping[str, Any], told: str, at: Place
    ) -> SecurityScheme | None:
        made = partial(
            SecurityScheme, name=name, description=told, location=self._findings.location(at)
        )
        match scheme:
            case {
                "type": "apiKey",
                "name": str(parameter),
                "in": "header" | "query" | "cookie" as place,
            } if (place == "query" or is_field_name(parameter)) and not (
                place == "header" and is_framing(parameter)
            ):
                return made(kind="apiKey", place=place, parameter=parameter)
            case {"type": "http", "scheme": str(http)}:
                return made(kind="http", scheme=_http_scheme(http.strip()))
            case {"type": "oauth2", "flows": flows} if is_object(flows):
                return made(
                    kind="oauth2",
                    flows=self._flows(flows, (at, "flows")),
                    openid_url=self._url(scheme, "oauth2MetadataUrl", at),
                )
            case {"type": "openIdConnect", "openIdConnectUrl": str(url)} if is_reference(url):
                return made(kind="openIdConnect", openid_url=url)
            case {"type": "mutualTLS"}:
                return made(kind="mutualTLS")
            case _:
                return None

    def _flows(self, flows: Mapping[str, Any], place: Place) -> tuple[OAuthFlow, ...]:
        return tuple(
            self._flow(kind, held_object(self._findings, flows, kind, place), (place, kind))
            for kind in _FLOWS
            if flows.get(kind) is not None
        )

    def _flow(self, kind: Any, flow: Mapping[str, Any], place: Place) -> OAuthFlow:
        scopes = held_object(self._findings, flow, "scopes", place)
        return OAuthFlow(
            kind=kind,
            authorization_url=self._url(flow, "authorizationUrl", place),
            token_url=self._url(flow, "tokenUrl", place),
            refresh_url=self._url(flow, "refreshUrl", place),
            device_authorization_url=self._url(flow, "deviceAuthorizationUrl", place),
            scopes={
                scope: text(self._findings, scopes, scope, (place, "scopes"))
                for scope in sorted(scopes)
            },
        )

    def _url(self, holder: Mapping[str, Any], key: str, place: Place) -> str | None:
        url = text(self._findings, holder, key, place)
        if is_reference(url):
            return url or None
        self._findings.lose((place, key), f"`{key}` is no address; it is dropped")
        return None

    def _unsupported(self, name: str, scheme: str, told: str, at: Place) -> SecurityScheme:
        return SecurityScheme(
            name=name,
            kind="unsupported",
            scheme=scheme,
            description=told,
            location=self._findings.location(at),
        )


def _part(name: str) -> Part:
    return "scheme", name


def _oddity(scheme: Mapping[str, Any]) -> str:
    if scheme.get("type") == "apiKey":
        return f"no {scheme.get('in')} can be called {scheme.get('name')!r}"
    if scheme.get("type") == "openIdConnect":
        return "its `openIdConnectUrl` is no address"
    return f"its type is {scheme.get('type')!r}"


def _http_scheme(name: str) -> str:
    """The name of an HTTP scheme: case does not count, but servers compare what they invented."""
    return name.lower() if name.lower() in ("basic", "bearer", "digest") else name


def _owns(scheme: SecurityScheme, place: str, parameter: str) -> bool:
    if scheme.kind == "apiKey" and scheme.parameter is not None and scheme.place == place:
        return (
            scheme.parameter.lower() == parameter.lower()
            if place == "header"
            else scheme.parameter == parameter
        )
    return (
        scheme.kind in ("http", "oauth2", "openIdConnect")
        and place == "header"
        and parameter.lower() == "authorization"
    )
