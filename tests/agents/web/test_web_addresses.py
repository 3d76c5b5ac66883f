"""The address of a server: links to share, and the message where there is none."""

from __future__ import annotations

import ipaddress

import pytest

from agents.web import addresses
from agents.web.addresses import ListenAddress, network_address


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_a_private_server_gives_no_invitation_and_says_why(host):
    address = ListenAddress(host, 8765)
    assert address.is_private
    assert address.network_url is None
    assert "--host 0.0.0.0" in address.invitation()["reason"]


def test_a_server_on_all_addresses_shows_its_network_address(monkeypatch):
    monkeypatch.setattr(addresses, "network_address", lambda family: "192.168.1.20")
    address = ListenAddress("0.0.0.0", 8765)
    assert address.local_url == "http://127.0.0.1:8765"
    assert address.invitation() == {"origin": "http://192.168.1.20:8765", "reason": ""}


def test_without_a_network_a_message_is_shown(monkeypatch):
    monkeypatch.setattr(addresses, "network_address", lambda family: None)
    invitation = ListenAddress("::", 8765).invitation()
    assert invitation["origin"] is None
    assert "no network address" in invitation["reason"]


def test_a_server_on_one_address_shows_it():
    assert ListenAddress("192.168.1.5", 80).network_url == "http://192.168.1.5:80"
    assert ListenAddress("fd00::5", 80).local_url == "http://[fd00::5]:80"


def test_the_network_address_is_never_a_loopback_address():
    address = network_address()
    assert address is None or not ipaddress.ip_address(address).is_loopback
