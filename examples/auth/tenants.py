"""Several people in one process: each call acts for one of them, tokens are never shared.

NOTES_URL=… NOTES_ID=… python examples/auth/tenants.py ann bob
"""

import asyncio
import os
import sys

from notes_tools import Notes

from toolmint.auth import AuthorizationCode, OAuthClient, Target, acting_for

client = OAuthClient(os.environ["NOTES_ID"], grant=AuthorizationCode())
url = os.environ["NOTES_URL"]


async def ask(notes: Notes, person: str) -> str:
    """Who the API says is calling, on behalf of a person."""
    with acting_for(person):
        return (await notes.account.who_am_i())["who"]


async def main(people: list[str]) -> None:
    """Sign everybody in, then call for all of them at once."""
    async with Notes(credentials={"person": client}, base_url=url) as notes:
        for person in people:
            scheme = notes.package.schemes["person"]
            target = Target(url, scheme, frozenset({"read"}), principal=person)
            login = client.login(target)
            print("open", login.url, flush=True)
            await asyncio.to_thread(login.wait)
        found = await asyncio.gather(*(ask(notes, person) for person in people))
        print("calls went out as", *found)


asyncio.run(main(sys.argv[1:]))
