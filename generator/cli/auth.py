"""`toolmint auth`: sign in for a package, see which credentials are there, sign out."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import click

from ...auth import CredentialError, DeviceCode, Missing, OAuthClient, Target, environment_variables
from ...auth.environment import client_variables
from ...auth.oauth2.token import Token
from ...auth.schemes import OAuth2, OpenIdConnect, Scheme, title
from ...auth.store.named import KNOWN, VARIABLE, store_named, store_of
from ...runtime.validation import did_you_mean
from ..errors import InputError, one_line
from ..visible import visible_json
from .access import Access
from .ending import Finding
from .package import toolset_class

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group("auth")
def command() -> None:
    """Sign in for a generated package, see which credentials are there, sign out.

    Client ids, keys and tokens are read from the environment, as the package's README says.
    """


def _options(wrapped: Command) -> Command:
    """What the three commands have in common."""
    for option in (
        click.option("--scheme", metavar="NAME", help="The description's scheme; else any."),
        click.option("--principal", default="", metavar="NAME", help="On whose behalf."),
        click.option(
            "--store",
            default="",
            metavar="STORE",
            help=f"Where tokens are kept: {KNOWN}; else what {VARIABLE} says, else file.",
        ),
        click.option("--base-url", metavar="URL", help="Replaces every server of the package."),
    ):
        wrapped = option(wrapped)
    return click.argument("package")(wrapped)


@command.command("login")
@_options
@click.option("--no-browser", is_flag=True, help="Only print the address to open.")
@click.option("--device", is_flag=True, help="Sign in on another device, with a code.")
def login(
    package: str,
    scheme: str | None,
    principal: str,
    store: str,
    base_url: str | None,
    no_browser: bool,
    device: bool,
) -> None:
    """Sign a person in; the token is kept for the calls of PACKAGE."""
    if store == "memory":
        raise InputError("--store memory: the token would be gone when this command ends.")
    access = _access(package, principal, store, base_url)
    name = _to_sign_in(access, scheme)
    with_code = DeviceCode() if device else None
    try:
        under_way = access.clients[name].login(access.target(name), with_code)
        click.echo(one_line(f"Open this address to sign in: {under_way.url}"), err=True)
        if under_way.code:
            click.echo(one_line(f"and enter the code: {under_way.code}"), err=True)
        if not no_browser:
            click.launch(under_way.url)
        under_way.wait()
        token = access.clients[name].status(access.target(name))
    except CredentialError as error:
        raise Finding(one_line(f"{name}: {error}")) from None
    click.echo(one_line(f"{name}: signed in{'; ' + _told(token) if token else ''}"))


@command.command("status")
@_options
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def status(
    package: str,
    scheme: str | None,
    principal: str,
    store: str,
    base_url: str | None,
    as_json: bool,
) -> None:
    """Say for each scheme of PACKAGE what is there; no secret is shown."""
    access = _access(package, principal, store, base_url)
    found = [_state(access, name) for name in _names(access, scheme)]
    if as_json:
        click.echo(visible_json(found, indent=2))
        return
    rows = [(one["scheme"], one["kind"], one["state"]) for one in found]
    for line in _aligned([("scheme", "kind", "state"), *rows]):
        click.echo(one_line(line))


@command.command("logout")
@_options
def logout(
    package: str, scheme: str | None, principal: str, store: str, base_url: str | None
) -> None:
    """Forget the tokens of PACKAGE, and revoke them where the server can."""
    access = _access(package, principal, store, base_url)
    names = [name for name in _names(access, scheme) if name in access.clients]
    if scheme and not names:
        raise InputError(_no_client(access, scheme))
    problems = [problem for name in names if (problem := _sign_out(access, name))]
    if problems:
        raise Finding("; ".join(problems))


# ── inside ──────────────────────────────────────────────────────────────────────────


def _access(package: str, principal: str, store: str, base_url: str | None) -> Access:
    toolset = toolset_class(package)(credentials={})
    try:
        store_named(store) if store else store_of(os.environ)
    except CredentialError as error:
        raise InputError(f"--store: {error}." if store else f"{error}.") from None
    return Access(toolset, base_url=base_url, principal=principal, store=store)


def _names(access: Access, scheme: str | None) -> list[str]:
    """The schemes that are meant: one, or all."""
    known = list(access.toolset.package.schemes)
    if scheme is None:
        return known
    if scheme not in known:
        hint = did_you_mean(scheme, known) or f"; it has {', '.join(known) or 'none'}."
        raise InputError(f"{scheme}: the package has no such scheme{hint}")
    return [scheme]


def _to_sign_in(access: Access, scheme: str | None) -> str:
    """The one scheme that a person can sign in for."""
    names = [
        name
        for name in _names(access, scheme)
        if name in access.clients and (scheme or access.clients[name].interactive)
    ]
    if len(names) == 1:
        return names[0]
    if names:
        raise InputError(f"several schemes take a sign-in: give --scheme {' or '.join(names)}.")
    if scheme:
        raise InputError(_no_client(access, scheme))
    ways = [_identity(access, name) for name in _names(access, None) if _takes_client(access, name)]
    if not ways:
        raise InputError("no scheme of this package takes a sign-in.")
    raise InputError(f"there is no client to sign in with: set {' or '.join(ways)}.")


def _no_client(access: Access, name: str) -> str:
    scheme = access.toolset.package.schemes[name]
    if not _takes_client(access, name):
        return f"{name}: nobody signs in for {title(scheme)}."
    (variable,) = _variables(access, name)
    if access.credentials.usable([{name: []}]):
        return f"{name}: calls use the token in {variable}; unset it to sign in."
    return f"{name}: there is no client to sign in with: set {_identity(access, name)}."


def _takes_client(access: Access, name: str) -> bool:
    return isinstance(access.toolset.package.schemes[name], OAuth2 | OpenIdConnect)


def _variables(access: Access, name: str) -> tuple[str, ...]:
    package = access.toolset.package
    return environment_variables(package.name, package.schemes)[name]


def _identity(access: Access, name: str) -> str:
    identity, secret = client_variables(_variables(access, name)[0])
    return f"{identity} (and {secret}, if the client has one)"


def _state(access: Access, name: str) -> dict[str, Any]:
    """What is there for one scheme, as plain data without a secret."""
    scheme: Scheme = access.toolset.package.schemes[name]
    token: Token | None = None
    try:
        client = access.clients.get(name)
        if client is not None:
            target = access.target(name)
            token = client.status(target)
            usable, state = client.is_ready(target), _client_state(client, target, token)
        else:
            choice = access.credentials.choose([{name: []}])
            usable = not isinstance(choice, Missing)
            state = (
                choice.alternatives[0][0].reason.removeprefix(f"{title(scheme)}: ")
                if isinstance(choice, Missing)
                else f"{' and '.join(_variables(access, name))} set"
            )
    except (CredentialError, InputError) as error:
        usable, state = False, str(error)
    return {
        "scheme": name,
        "kind": title(scheme),
        "usable": usable,
        "state": state,
        "token": token and _facts(token),
    }


def _client_state(client: OAuthClient, target: Target, token: Token | None) -> str:
    if token is None:
        return "not signed in" if client.interactive else "a token is got when a call needs one"
    said = "signed in" if client.interactive else "a token is kept"
    if not client.is_ready(target):
        said = "signed out: the token has expired"
    return f"{said}; {_told(token)}"


def _told(token: Token) -> str:
    facts = _facts(token)
    parts = [f"expires {facts['expires']}" if facts["expires"] else "expiry not stated"]
    parts += ["renewable"] if facts["renewable"] else []
    parts += [f"scopes {' '.join(facts['scopes'])}"] if facts["scopes"] else []
    return ", ".join(parts)


def _facts(token: Token) -> dict[str, Any]:
    at = token.expires_at
    return {
        "expires": None
        if at is None
        else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds"),
        "renewable": token.refresh is not None,
        "scopes": sorted(token.scopes),
        "generation": token.generation,
    }


def _sign_out(access: Access, name: str) -> str | None:
    """What went wrong, if anything did."""
    client, target = access.clients[name], access.target(name)
    try:
        had = client.logout(target)
    except CredentialError as error:
        return one_line(f"{name}: {error}")
    click.echo(f"{name}: {'signed out' if had else 'nobody was signed in'}")
    return None


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]
