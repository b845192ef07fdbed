"""What was set in Raspberry Pi Imager before it wrote the card: files of cloud-init on `BOOT`.

Name, wireless network, keys for ssh and time zone are taken; users and passwords are not, since
this machine has none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

FILES = ("user-data", "network-config", "meta-data")
"""Gone once everything is written down: what a network's password is made into lies in one."""
KEYS = "authorized_keys"
"""On the boot drive: who may log in."""


def settings(boot: Path) -> dict[str, str]:
    """Return what was set, as answers by their names; nothing where nothing was.

    Raises:
        ValueError: a file is there and cannot be read; the text says which and where.
    """
    user, network = _read(boot / FILES[0]), _read(boot / FILES[1])
    network = _under(network, "network") or network
    found = {"hostname": user.get("hostname"), "timezone": user.get("timezone")}
    for device in _under(network, "wifis").values():
        if not isinstance(device, dict):
            continue
        found["country"] = device.get("regulatory-domain")
        for name, point in _under(device, "access-points").items():
            found["network"] = name
            found["password"] = point.get("password") if isinstance(point, dict) else None
    return {name: str(value) for name, value in found.items() if value}


def take_keys(boot: Path) -> None:
    """Let those log in whose keys were set, unless a file of one's own says who may."""
    users = _read(boot / FILES[0]).get("users")
    keys = [
        str(key)
        for user in (users if isinstance(users, list) else [])
        if isinstance(user, dict)
        for key in user.get("ssh_authorized_keys") or ()
    ]
    if keys and not (boot / KEYS).exists():
        (boot / KEYS).write_text("".join(f"{key}\n" for key in keys), encoding="utf-8")


def forget(boot: Path) -> None:
    """Take away what has been read."""
    for name in FILES:
        (boot / name).unlink(missing_ok=True)


def _under(mapping: dict[str, Any], name: str) -> dict[str, Any]:
    found = mapping.get(name)
    return found if isinstance(found, dict) else {}


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        read = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ValueError(f"{path.name}: {' '.join(str(error).split())}") from error
    return read if isinstance(read, dict) else {}
