"""On which Raspberry Pis a card can run, by the names in Debian's packages; none was tried."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from hardware.tools.catalogue import parts

INSTALL = Path(__file__).parents[2] / "hardware" / "install"
MACHINES = tomllib.loads((INSTALL / "machines.toml").read_text(encoding="utf-8"))["machine"]
KEPT = Path(__file__).with_name("debian_names.txt")
DRIVERS = ("genet", "smsc95xx", "lan78xx", "brcmfmac", "bcm2835_wdt", "spi-bcm2835", "i2c-bcm2835",
           "vc4", "rp1", "rp1-pci", "rp1_pci", "macb")  # fmt: skip
WANTED = re.compile(
    rf"broadcom/bcm2[\w-]*\.dtb|(?:{'|'.join(DRIVERS)})\.ko|start\w*\.elf"
    r"|brcmfmac434(?:30|36|55|56)(?:\w\d)?-sdio(?:\.bin|\.raspberrypi,[\w-]+\.(?:bin|txt))"
)
SOURCES = "deb [signed-by={keys}] http://deb.debian.org/debian trixie main non-free-firmware\n"
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def kept():
    return {line for line in KEPT.read_text().splitlines() if not line.startswith("#")}


def missing(machine, names):
    """What this machine needs and the packages lack."""
    needed = [f"broadcom/{machine['tree']}.dtb", *machine["wireless"]]
    needed += [machine["starts"]] if machine["starts"] else []
    needed += [f"{driver}.ko" for driver in machine["drivers"]]
    return {name for name in (*needed, *machine.get("missing", ())) if name not in names}


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine["name"])
def test_what_is_said_of_a_machine_is_what_its_packages_hold(machine):
    lacks = missing(machine, kept())
    assert lacks == {*machine.get("missing", ())}
    assert bool(lacks) == (machine["runs"] != "yes"), "what lacks something is not said to run"
    assert ("why" in machine) == (machine["runs"] != "yes")


def test_the_page_says_so_before_anybody_buys():
    page = (INSTALL / "image.md").read_text(encoding="utf-8")
    for machine in MACHINES:
        row = f"| {machine['name']} | {machine['runs']} | {machine.get('why', '')} |"
        assert row.replace("  ", " ") in page, row


def test_what_the_parts_list_names_first_is_one_that_a_card_is_for():
    first, _ = parts()["pi"].orders
    runs = [m["name"] for m in MACHINES if m["runs"] == "yes"]
    assert any(name.removesuffix(" B") in first for name in runs)


def test_a_name_that_goes_is_noticed():
    for name in kept():
        changed = [m["name"] for m in MACHINES if missing(m, kept() - {name}) != missing(m, kept())]
        needed = [m["name"] for m in MACHINES if name in {
            f"broadcom/{m['tree']}.dtb", m["starts"], *m["wireless"],
            *(f"{driver}.ko" for driver in m["drivers"])}]  # fmt: skip
        assert changed == needed


@pytest.mark.skipif(
    not os.environ.get("FIRMWARE_BRIDGE_DEBIAN"),
    reason="fetches 105 MB of Debian's packages; set FIRMWARE_BRIDGE_DEBIAN=1",
)
@pytest.mark.timeout(1800)
def test_debian_has_these_names_today(tmp_path):
    for folder in ("lists/partial", "cache/archives/partial", "state"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "status").touch()
    (tmp_path / "sources.list").write_text(SOURCES.format(keys=KEYS))
    (tmp_path / "apt.conf").write_text(
        f'Dir::Etc::sourcelist "{tmp_path}/sources.list"; Dir::Etc::sourceparts "-";\n'
        f'Dir::State "{tmp_path}/state"; Dir::State::lists "{tmp_path}/lists";\n'
        f'Dir::State::status "{tmp_path}/status"; Dir::Cache "{tmp_path}/cache";\n'
        'APT::Architecture "arm64"; APT::Architectures "arm64";\n'
    )
    settings = {**os.environ, "APT_CONFIG": str(tmp_path / "apt.conf")}

    def run(*command):
        return subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=tmp_path, env=settings
        ).stdout

    run("apt-get", "update")
    depends = run("apt-cache", "depends", "linux-image-arm64")
    kernel = re.search(r"Depends: (linux-image-\S+)", depends)[1]
    run("apt-get", "download", kernel, "raspi-firmware", "firmware-brcm80211")
    held = "".join(run("dpkg-deb", "--contents", str(path)) for path in tmp_path.glob("*.deb"))
    assert {found for found in WANTED.findall(held) if found} == kept()
