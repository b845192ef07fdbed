"""Where the answers go: configuration, name, network, and whether the card is written to.

Each file is replaced as a whole, and the one that asks for all this is removed last, so that a
power cut at any moment leads to the page again and not to half a file.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from .answers import AS_SAVED, KEY, Answers

CONFIGURATION = "etc/firmware-bridge/config.toml"
CONNECTION = "first-start"
"""The wireless network that was answered, as NetworkManager knows it."""
NETWORK = f"etc/NetworkManager/system-connections/{CONNECTION}.nmconnection"
DISPLAY = "etc/default/firmware-bridge-display"
COUNTRY = "etc/modprobe.d/first-start.conf"
OVERLAY = "etc/overlayroot.local.conf"
_ROUNDS = 4096  # of PBKDF2, by IEEE 802.11
_KEY_BYTES = 32  # the same


def write_down(answers: Answers, board_driver: str, root: Path) -> None:
    """Put everything where it belongs below `root`.

    Raises:
        OSError: something cannot be written.
        ValueError: the configuration that is there is none.
    """
    text = (root / CONFIGURATION).read_text(encoding="utf-8")
    replace(root / CONFIGURATION, configured(text, answers, board_driver))
    replace(root / "etc/hostname", f"{answers.hostname}\n")
    replace(
        root / "etc/hosts", f"127.0.0.1 localhost\n127.0.1.1 {answers.hostname}\n::1 localhost\n"
    )
    write_network(answers, root)
    replace(root / DISPLAY, f"ROTATION={answers.rotation}\n")
    write_timezone(answers, root)
    _write_or_remove(root / OVERLAY, 'overlayroot="tmpfs:recurse=0"\n' if answers.protected else "")
    table = (root / "etc/fstab").read_text(encoding="utf-8")
    replace(root / "etc/fstab", mounted(table, protected=answers.protected))


def write_network(answers: Answers, root: Path) -> None:
    """Write down the wireless network; without one, what was written before stays as it is."""
    if answers.network:
        replace(root / NETWORK, connection(answers), mode=0o600)
    if answers.country:
        _write_or_remove(root / COUNTRY, f"options cfg80211 ieee80211_regdom={answers.country}\n")


def write_timezone(answers: Answers, root: Path) -> None:
    """Let the clock show the time of a place that this system knows; otherwise it stays."""
    place = f"usr/share/zoneinfo/{answers.timezone}"
    if answers.timezone and (root / place).is_file():
        replace(root / "etc/timezone", f"{answers.timezone}\n")
        new = root / "etc/localtime.new"
        new.unlink(missing_ok=True)
        new.symlink_to(f"../{place}")
        new.replace(root / "etc/localtime")


def configured(text: str, answers: Answers, board_driver: str) -> str:
    """Return a configuration's text with what was answered in it, and the rest as it was.

    Raises:
        ValueError: it is no configuration.
    """
    values: list[tuple[str, str, object]] = [
        ("", "language", answers.language),
        ("pages", "host", "0.0.0.0"),  # noqa: S104 - phones in the same network join
        ("pages", "names", [f"{answers.hostname}.local", answers.hostname]),
        ("pages", "kiosk", answers.use == "kiosk"),
    ]
    if answers.board != AS_SAVED:
        values += [("board", "driver", board_driver), ("board", "description", answers.board)]
        values.append(("pages", "board_page", ":8322" if board_driver == "simulated" else ""))
    if answers.pin:
        values.append(("pages", "referee_pin", answers.pin))
    for section, key, value in values:
        text = _with_key(text, section, key, json.dumps(value))
    return text


def _with_key(text: str, section: str, key: str, value: str) -> str:
    """Set one key of a section, in its own line or in a new one behind the section's head."""
    head = (
        re.search(rf"^\[{section}\].*\n", text, re.MULTILINE) if section else re.search("^", text)
    )
    if head is None:
        return f"{text}\n[{section}]\n{key} = {value}\n"
    after = re.search(r"^\[", text[head.end() :], re.MULTILINE)
    end = head.end() + after.start() if after else len(text)
    line = re.compile(rf"^{key}\s*=.*\n?", re.MULTILINE)
    found = line.search(text, head.end(), end)
    start, stop = found.span() if found else (head.end(), head.end())
    return f"{text[:start]}{key} = {value}\n{text[stop:]}"


def connection(answers: Answers) -> str:
    """Return the network as NetworkManager keeps it: the name as bytes, the password as a key."""
    name = answers.network.encode()
    security = ("[wifi-security]", "key-mgmt=wpa-psk", f"psk={_key(answers.password, name)}")
    return "\n".join(
        (
            *("[connection]", f"id={CONNECTION}", "type=wifi", "autoconnect=true"),
            *("[wifi]", "mode=infrastructure", f"ssid={''.join(f'{byte};' for byte in name)}"),
            *(security if answers.password else ()),
            *("[ipv4]", "method=auto", "[ipv6]", "method=auto", ""),
        )
    )


def _key(password: str, name: bytes) -> str:
    """Return what a password stands for in this network; 64 digits are that already."""
    if re.fullmatch(KEY, password):
        return password.lower()
    made = hashlib.pbkdf2_hmac("sha1", password.encode(), name, _ROUNDS, _KEY_BYTES)
    return made.hex()


def mounted(table: str, *, protected: bool) -> str:
    """Return the table of file systems with the boot partition to be read only, or not."""
    how = "ro" if protected else "rw"
    return re.sub(r"^(\S+ /boot/firmware vfat )r[ow]\b", rf"\1{how}", table, flags=re.MULTILINE)


def replace(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file so that at every moment the old one or the new one is there; owners stay."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    new.touch(mode)
    with new.open("w", encoding="utf-8") as file:
        file.write(text)
        if path.exists():
            shutil.copymode(path, new)
            shutil.chown(new, path.stat().st_uid, path.stat().st_gid)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _write_or_remove(path: Path, text: str) -> None:
    if text:
        replace(path, text)
    else:
        path.unlink(missing_ok=True)
