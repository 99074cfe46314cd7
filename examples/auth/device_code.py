"""A person signs in on another device: for machines without a browser.

NOTES_URL=… NOTES_ID=… python examples/auth/device_code.py
"""

import os

from notes_tools import Notes

from toolmint.auth import DeviceCode, OAuthClient, Target

client = OAuthClient(os.environ["NOTES_ID"], grant=DeviceCode())
url = os.environ["NOTES_URL"]

with Notes(credentials={"device": client}, base_url=url) as notes:
    login = client.login(Target(url, notes.package.schemes["device"], frozenset({"read"})))
    print("open", login.url, flush=True)
    print("enter", login.code, flush=True)
    login.wait()
    print("I am", notes.account.who_am_i().run()["who"])
