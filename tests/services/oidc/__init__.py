"""oidc-provider, a certified OpenID provider, as a process of the test's own."""

import json
import os
import re
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

import httpx

from tests.needs import missing
from tests.services import INSTALL, free_port

HERE = Path(__file__).parent
VERSION = json.loads((HERE / "package.json").read_text())["dependencies"]["oidc-provider"]


def home() -> Path:
    """Where `tests/services/install` puts the provider."""
    cache = os.environ.get("TOOLMINT_SERVICES")
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return (Path(cache) if cache else Path(base) / "toolmint-services") / f"oidc-{VERSION}"


@dataclass
class Provider:
    """A running provider; `kill` and `start` play a server that fails and comes back."""

    settings: dict[str, Any]
    process: "subprocess.Popen[str] | None" = None

    @property
    def issuer(self) -> str:
        """Its address."""
        scheme = "https" if self.settings.get("tls") else "http"
        return f"{scheme}://127.0.0.1:{self.settings['port']}"

    @property
    def api(self) -> str:
        """An API that takes its tokens; `/write` below it asks for the scope `write`."""
        return f"{self.issuer}/api"

    def start(self) -> None:
        """Until it listens."""
        node = which("node")
        assert node
        command = [node, str(HERE / "provider.mjs"), json.dumps(self.settings)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout and self.process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        """At once, whatever it is doing."""
        if self.process:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout
            self.process.stdout.close()
            self.process = None

    def seen(self) -> dict[str, Any]:
        """What it did so far: `grants` by type, `refused` token requests, `calls` of the API."""
        told: dict[str, Any] = httpx.get(f"{self.issuer}/_seen").json()
        return told

    def tell(self, **what: object) -> None:
        """`stallTokens`: leave token requests waiting. `refuse`: access tokens the API rejects."""
        httpx.get(f"{self.issuer}/_tell", params={"what": json.dumps(what)})


@contextmanager
def provider(
    clients: Sequence[dict[str, Any]],
    *,
    lifetime: int = 600,
    state: Path | None = None,
    tls: dict[str, str] | None = None,
) -> Generator[Provider]:
    """A provider that knows these clients and whose access tokens live for so many seconds."""
    if not which("node") or not (home() / "node_modules" / "oidc-provider").is_dir():
        missing("oidc-provider", INSTALL)
    port = free_port()
    settings: dict[str, Any] = {
        "home": str(home()),
        "port": port,
        "clients": list(clients),
        "lifetime": lifetime,
        "state": str(state) if state else None,
        "tls": tls,
    }
    running = Provider(settings)
    try:
        running.start()
        yield running
    finally:
        running.kill()


def client(name: str, *grants: str, **more: Any) -> dict[str, Any]:
    """A client as oidc-provider is told of it."""
    interactive = "authorization_code" in grants
    return {
        "client_id": name,
        "client_secret": f"secret of {name}",
        "grant_types": list(grants),
        "response_types": ["code"] if interactive else [],
        "redirect_uris": ["http://127.0.0.1/callback"] if interactive else [],
        "application_type": "native",
        "scope": "read write openid offline_access",
        **more,
    }


def sign_in(url: str, user: str, code: str | None = None) -> httpx.Response:
    """Do in a browser's place what a person would: name oneself, agree, be sent back."""
    with httpx.Client(follow_redirects=True) as browser:
        page = browser.get(url)
        for _ in range(6):
            form = re.search(r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', page.text, re.DOTALL)
            if not form:
                return page
            fields = dict(re.findall(r'name="(\w+)"[^>]*value="([^"]*)"', form[2]))
            fields |= {"login": user, "password": "any"} if 'name="login"' in form[2] else {}
            fields |= {"user_code": code} if code and "user_code" in form[2] else {}
            target = str(page.url.join(form[1].replace("&amp;", "&")))
            page = browser.post(target, data=fields)
        return page
