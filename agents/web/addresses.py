"""Server addresses for this machine and for others."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from dataclasses import dataclass
from typing import Any

_ALL_INTERFACES = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}
# Addresses reserved for documentation (RFC 5737, RFC 3849); nothing is sent to them.
_UNREACHABLE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}

_LOCAL_ONLY = (
    "Only browsers on this machine can open this link. To invite people on your network, "
    "restart the server with --host 0.0.0.0."
)
_NO_NETWORK = (
    "Only browsers on this machine can open this link: the machine has no network address."
)


@dataclass
class ListenAddress:
    """Address on which a server listens; its port is known once it does.

    Args:
        host: The address; ``"0.0.0.0"`` or ``"::"`` for all interfaces.
        port: The port; 0 for unknown.
    """

    host: str = "127.0.0.1"
    port: int = 0

    @property
    def is_private(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def local_url(self) -> str:
        """URL for a browser on this machine, such as ``"http://127.0.0.1:8765"``."""
        own = {"0.0.0.0": "127.0.0.1", "::": "::1"}
        return origin(own.get(self.host, self.host), self.port)

    @property
    def network_url(self) -> str | None:
        """URL for browsers on other machines; None if there is none."""
        if self.is_private or not self.port:
            return None
        if self.host in _ALL_INTERFACES:
            address = network_address(_ALL_INTERFACES[self.host])
            return None if address is None else origin(address, self.port)
        return origin(self.host, self.port)

    def invitation(self) -> dict[str, Any]:
        """Values for pages: the ``origin`` of links for others, or the ``reason`` for its lack."""
        url = self.network_url
        reason = "" if url else _LOCAL_ONLY if self.is_private else _NO_NETWORK
        return {"origin": url, "reason": reason}


def is_loopback(host: str) -> bool:
    """Whether an address or name is reachable from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host.lower() == "localhost"


def origin(host: str, port: int) -> str:
    """Origin of the pages' URLs.

    >>> origin("::1", 80)
    'http://[::1]:80'
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def network_address(family: int = socket.AF_INET) -> str | None:
    """Address of this machine on its network; None without a network."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_UNREACHABLE[socket.AddressFamily(family)], 9))
            address = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(address) else address
