"""A person signs in with a browser: authorization code with PKCE.

    NOTES_URL=… NOTES_ID=… python examples/auth/authorization_code.py

A call that needs a sign-in does not raise for an agent: its outcome is `denied`, with the
address to open. The browser comes back to a port on this machine; then the call works.
"""

import asyncio
import os

from notes_tools import Notes

from toolmint.auth import AuthorizationCode, OAuthClient, Target

client = OAuthClient(os.environ["NOTES_ID"], grant=AuthorizationCode())


async def main() -> None:
    """Call, be told to sign in, wait until somebody did, call again."""
    url = os.environ["NOTES_URL"]
    async with Notes(credentials={"person": client}, base_url=url) as notes:
        result = await notes.call("who_am_i")
        assert result.outcome == "denied" and result.error
        (needed,) = result.error.details
        assert not isinstance(needed, str)
        print("open", needed["url"], flush=True)

        target = Target(url, notes.package.schemes["person"])
        await asyncio.to_thread(client.login_under_way(target).wait)
        print("I am", (await notes.account.who_am_i())["who"])


asyncio.run(main())
