"""Who asks, as far as limits go: this machine, somebody with a cookie of ours, or a network.

What one stranger may take is counted for the network that he asks from, so that changing the last
half of an IPv6 address makes nobody another one.
"""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers
from starlette.types import Scope

from drivers.simulator.guard import FORWARDED, HERE

MACHINE = "machine"
KNOWN = frozenset({MACHINE, "referee", "seat-white", "seat-black"})
"""Visitors who are no strangers: each has allowances and places of his own."""


def network_of(address: str) -> str:
    """Return the network whose limits hold for an address: of IPv6 a /64, of IPv4 itself."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ip) if ip.is_loopback else str(ipaddress.ip_network((int(ip) >> 64 << 64, 64)))


def asks_from(scope: Scope) -> str:
    """Return `MACHINE`, or the network that a request comes from.

    A proxy on this machine is not taken for the machine as long as it says whom it forwards.
    """
    headers = Headers(scope=scope)
    network = network_of((scope.get("client") or ("", 0))[0])
    if network not in HERE:
        return network
    if not any(name in headers for name in FORWARDED):
        return MACHINE
    # Of several addresses the last is the one that our own proxy has seen.
    return network_of(", ".join(headers.getlist("x-forwarded-for")).rpartition(",")[2].strip())
