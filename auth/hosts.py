"""What the name of a host stands for, and which addresses may be spoken to."""

import socket
from contextlib import suppress

from .errors import CredentialError


class PrivateAddress(CredentialError):
    """A host that a description names is not on the public internet."""

    def __init__(self, host: str, number: str) -> None:
        super().__init__(
            f"{host} is at the private address {number}: a description cannot send "
            "credentials there. Give the address in code (token_url=…) if it is right"
        )
        self.host = host
        self.number = number


class Unreachable(CredentialError):
    """The authorization server gave no answer. Nothing is lost; the call can be made again."""

    retryable = True


def addresses(host: str, port: int, private: bool) -> list[str]:
    """What a host's name stands for. Raises `PrivateAddress` when one of them is not allowed."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # UnicodeError: a label that is empty or too long
        raise Unreachable(f"no answer from {host}: it cannot be resolved") from None
    numbers = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for number in numbers:
        if not allowed(number, private):
            raise PrivateAddress(host, number)
    return numbers


def is_private(host: str) -> bool:
    """Whether a host stands for an address that is not on the public internet."""
    with suppress(OSError, UnicodeError):
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return not all(allowed(str(entry[4][0]), private=False) for entry in found)
    return False


def allowed(number: str, private: bool) -> bool:
    """Whether an IP address may be spoken to."""
    from ipaddress import IPv6Address, ip_address

    address = ip_address(number.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_link_local or address.is_multicast or address.is_unspecified:
        return False
    return address.is_global or private
