"""A client certificate: mutual TLS.

    NOTES_URL=https://… NOTES_FILES=folder NOTES_PASSWORD=… python examples/auth/mutual_tls.py

The folder holds client.pem, client.key (under a password) and authority.pem. When the files
are replaced, the next connection shows the new certificate.
"""

import os
from pathlib import Path

from notes_tools import Notes

from toolmint.auth import Certificate, env

folder = Path(os.environ["NOTES_FILES"])
certificate = Certificate(
    folder / "client.pem",
    folder / "client.key",
    password=env("NOTES_PASSWORD"),
    authorities=folder / "authority.pem",
)

with Notes(credentials={"mtls": certificate}, base_url=os.environ["NOTES_URL"]) as notes:
    print("I am", notes.account.who_am_i().run()["who"])
