"""Where a server is found: links for others, and the sentence where there is none."""

from __future__ import annotations

import ipaddress

import pytest

from agents.web import addresses
from agents.web.addresses import Listening, network_address


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_a_private_server_invites_nobody_and_says_why(host):
    backend = Listening(host, 8765)
    assert backend.is_private
    assert backend.elsewhere is None
    assert "--host 0.0.0.0" in backend.invitation()["why"]


def test_a_server_on_all_addresses_is_known_by_that_of_the_network(monkeypatch):
    monkeypatch.setattr(addresses, "network_address", lambda family: "192.168.1.20")
    backend = Listening("0.0.0.0", 8765)
    assert backend.here == "http://127.0.0.1:8765"
    assert backend.invitation() == {"origin": "http://192.168.1.20:8765", "why": ""}


def test_without_a_network_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr(addresses, "network_address", lambda family: None)
    told = Listening("::", 8765).invitation()
    assert told["origin"] is None
    assert "no address in a network" in told["why"]


def test_a_server_on_one_address_is_known_by_it():
    assert Listening("192.168.1.5", 80).elsewhere == "http://192.168.1.5:80"
    assert Listening("fd00::5", 80).here == "http://[fd00::5]:80"


def test_the_address_of_this_machine_is_one_of_others_or_none():
    address = network_address()
    assert address is None or not ipaddress.ip_address(address).is_loopback
