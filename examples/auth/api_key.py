"""An API key from the environment: NOTES_KEY.

    NOTES_URL=https://notes.example/api NOTES_KEY=… python examples/auth/api_key.py

Without `credentials=` the package reads this variable by itself; here it is said in code.
"""

import os

from notes_tools import Notes

from toolmint.auth import env

with Notes(credentials={"key": env("NOTES_KEY")}, base_url=os.environ["NOTES_URL"]) as notes:
    print(notes.account.who_am_i().prepare())  # as it would be sent, the key hidden
    print("I am", notes.account.who_am_i().run()["who"])
