"""A program that acts for itself: OAuth 2 client credentials.

    NOTES_URL=… NOTES_ID=… NOTES_SECRET=… python examples/auth/client_credentials.py

The token is got when the first call needs it, kept, and renewed before it expires. Each tool
asks for the scopes that it needs.
"""

import os

from notes_tools import Notes

from toolmint.auth import OAuthClient, env

client = OAuthClient(os.environ["NOTES_ID"], env("NOTES_SECRET"))

with Notes(credentials={"machine": client}, base_url=os.environ["NOTES_URL"]) as notes:
    print("reads with", notes.account.who_am_i().run()["scope"])
    print("writes with", notes.notes.create_note(text="Hello").run()["scope"])
