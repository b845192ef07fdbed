"""How Home Assistant learns what the board can tell: one message for the whole device. Pure."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, get_args

from firmware_bridge.config import MqttConfig
from firmware_bridge.mqtt.events import TYPES
from firmware_bridge.mqtt.topics import OFFLINE, ONLINE, Topics
from firmware_bridge.views import Phase

BEAT = 60.0
"""Seconds after which the state is published again although nothing changed: what a restarted
broker has forgotten or a full queue has dropped is back by then."""
EXPIRES = 150
"""Seconds without a state after which what it said counts as unknown."""
NOBODY = "nobody"
USUAL_BASE = MqttConfig.model_fields["base"].default


def discovery_topic(prefix: str, topics: Topics) -> str:
    """Return where the discovery message goes; an empty retained one there removes the device.

    Below another base than the usual one that comes before the board's id.
    """
    hall = "" if topics.base == USUAL_BASE else f"{topics.hall}/"
    return f"{prefix}/device/{hall}{topics.board}/config"


def discovery(topics: Topics, name: str, address: str) -> dict[str, Any]:
    """Return the discovery message.

    `address` is the display's in the house, empty if only this machine can open it.
    """
    unique = topics.name
    device = {
        "identifiers": [unique],
        "name": name,
        "manufacturer": "firmware-bridge",
        "model": "Game board",
        "sw_version": version("firmware-bridge"),
    }
    if address:
        device["configuration_url"] = address
    components = _components(topics)
    for key, component in components.items():
        component["unique_id"] = f"{unique}-{key}"
    return {
        "device": device,
        "origin": {"name": "firmware-bridge", "sw": version("firmware-bridge")},
        "availability_topic": topics.availability,
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "state_topic": topics.state,
        "qos": 1,
        "components": components,
    }


def _components(topics: Topics) -> dict[str, dict[str, Any]]:
    return {
        "phase": _sensor("Phase", "{{ value_json.phase }}", options=list(get_args(Phase))),
        "to_act": _sensor(
            "To move",
            f"{{{{ value_json.to_act or '{NOBODY}' }}}}",
            options=["white", "black", NOBODY],
        ),
        "away": _sensor(
            "Far away",
            f"{{{{ value_json.away or '{NOBODY}' }}}}",
            options=["white", "black", NOBODY],
        ),
        "shared": _sensor("Game of two boards", f"{{{{ value_json.shared or '{NOBODY}' }}}}"),
        "game": _sensor("Game", "{{ value_json.title }}"),
        "turns": _sensor("Turns", "{{ value_json.turns }}"),
        "says": _sensor("Says", "{{ value_json.headline }}"),
        "result": _sensor("Result", "{{ value_json.result or '-' }}"),
        "connected": _flag(
            "Board connected", "connectivity", "{{ 'OFF' if value_json.link else 'ON' }}"
        ),
        "sensors": _flag(
            "Sensors", "problem", "{{ 'ON' if value_json.faults else 'OFF' }}"
        ),
        "happenings": {
            "platform": "event",
            "name": "Happenings",
            "state_topic": topics.event,
            "event_types": list(TYPES),
        },
    }  # fmt: skip


def _sensor(name: str, template: str, options: list[str] | None = None) -> dict[str, Any]:
    sensor: dict[str, Any] = {
        "platform": "sensor",
        "name": name,
        "value_template": template,
        "expire_after": EXPIRES,
    }
    return sensor | {"device_class": "enum", "options": options} if options else sensor


def _flag(name: str, device_class: str, template: str) -> dict[str, Any]:
    return {
        "platform": "binary_sensor",
        "name": name,
        "device_class": device_class,
        "entity_category": "diagnostic",
        "value_template": template,
        "expire_after": EXPIRES,
    }
