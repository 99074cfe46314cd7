"""A sign-in that outlives the program: tokens in files, refreshed with rotation.

    NOTES_URL=… NOTES_ID=… NOTES_TOKENS=folder python examples/auth/refresh.py

Run it once and sign in; run it again later, in several processes if you like: an expired token
is refreshed once for all of them, and the new refresh token replaces the old one.
"""

import os

from notes_tools import Notes

from toolmint.auth import AuthorizationCode, FileStore, OAuthClient, Target

client = OAuthClient(
    os.environ["NOTES_ID"],
    grant=AuthorizationCode(),
    store=FileStore(os.environ["NOTES_TOKENS"]),
)
url = os.environ["NOTES_URL"]

with Notes(credentials={"person": client}, base_url=url) as notes:
    target = Target(url, notes.package.schemes["person"], frozenset({"read"}))
    if client.status(target) is None:
        login = client.login(target)
        print("open", login.url, flush=True)
        login.wait()
    print("I am", notes.account.who_am_i().run()["who"])
    token = client.status(target)
    assert token
    print("token of generation", token.generation)
