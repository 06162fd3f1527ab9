"""Which address a caller has. What a proxy says of it counts only where that proxy is one of ours.

``X-Forwarded-For`` is a sentence that anybody can write. It is read from the right, from the connection itself
outwards, as far as each machine that has added to it is named in ``settings.TRUSTED_PROXIES``; the first that is not
is the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from django.conf import settings
from django.http import HttpRequest

Network = IPv4Network | IPv6Network
_ONE_SUBSCRIBER: Final = 64
"""Bits of an IPv6 address that name a line; whoever has the line has all the addresses below."""
UNKNOWN: Final = "unknown"


def address_of(request: HttpRequest) -> str:
    return caller(str(request.META.get("REMOTE_ADDR", "")), str(request.META.get("HTTP_X_FORWARDED_FOR", "")))


def caller(connected: str, forwarded: str) -> str:
    """The address to count by: a machine's, or the line's where it has one of IPv6."""
    found: IPv4Address | IPv6Address | None = None
    for said in _outwards(connected, forwarded):
        try:
            found = _plain(ip_address(said))
        except ValueError:
            break
        if not _trusted(found):
            break
    if found is None:
        return UNKNOWN
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _ONE_SUBSCRIBER), strict=False).network_address)
    return str(found)


def is_proxy(connected: str) -> bool:
    """Whether whoever is at the other end of the connection speaks for others."""
    try:
        return _trusted(_plain(ip_address(connected)))
    except ValueError:
        return False


def _trusted(address: IPv4Address | IPv6Address) -> bool:
    return any(address in network for network in settings.TRUSTED_PROXIES)


def _outwards(connected: str, forwarded: str) -> Iterator[str]:
    yield connected
    for said in reversed(forwarded.split(",")):
        yield said.strip()


def _plain(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def networks(text: str) -> list[Network]:
    """``10.0.0.7, 10.1.0.0/16`` as networks; raises ValueError with the part that is none."""
    return [ip_network(part.strip()) for part in text.split(",") if part.strip()]
