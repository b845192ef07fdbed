"""The diode matrix as it is drawn, simulated: what its columns show while a row is low."""

import os
import shutil
import subprocess

import pytest

from hardware.tools.circuits import netlist
from tests.hardware.test_netlist import MATRIX, changed

needs_ngspice = pytest.mark.skipif(
    not os.environ.get("CI") and not shutil.which("ngspice"), reason="needs ngspice"
)
PULL_UP, CABLE = 80e3, 100e-12
"""The RP2040's weakest pull-up (data sheet: 50 to 80 kOhm), and half a metre of cable and pin."""
ROW_US, SETTLE_US = 15, 5
"""From row to row in MicroPython, and what the firmware waits before it reads."""
LOW, HIGH = 0.8, 2.0
"""Volts below which the RP2040 reads low, and above which high, at 3.3 V."""


def matrix():
    return changed("starter", reeds=MATRIX, leds=None, buttons=[], buzzer=None)


def deck(description, closed, *, diodes=True):
    """The netlist's reeds and diodes in ngspice's words, and a scan row by row."""
    lines = ["matrix", "Vcc vcc 0 3.3", ".model DX D(Is=2.52n N=1.752 Rs=0.568 Cjo=4p)"]
    lines += [".model SX SW(Vt=1 Vh=0.1 Ron=50 Roff=1G)"]
    for component in netlist(description).components:
        ends = component.nets[:2]
        if component.part == "diode-1n4148":
            ends = component.net("A"), component.net("K")
        a, b = (net.replace(" ", "_") for net in ends)
        name = component.ref.replace(" ", "_")
        if component.part == "reed":
            ohm = 0.2 if component.ref.removeprefix("reed ") in closed else 1e10
            lines.append(f"R{name} {a} {b} {ohm:g}")
        elif component.part == "diode-1n4148":
            lines.append(f"D{name} {a} {b} DX" if diodes else f"R{name} {a} {b} 0.1")
    rows = [f"GP{MATRIX['pins'][f'row{n}']}" for n in range(8)]
    columns = [f"GP{MATRIX['pins']['column0'] + 7 - n}" for n in range(8)]
    for line in columns:
        lines += [f"Ru{line} vcc {line} {PULL_UP:g}", f"Cc{line} {line} 0 {CABLE:g}"]
    for n, line in enumerate(rows):  # open drain: let go while another row is read
        lines += [
            f"S{line} {line} 0 on{n} 0 SX",
            f"Cr{line} {line} 0 {CABLE:g}",
            f"V{n} on{n} 0 PULSE(0 3 {1 + n * ROW_US}u 10n 10n {SETTLE_US}u 1)",
        ]
    for n in range(8):
        at = 1 + n * ROW_US + SETTLE_US - 0.05
        lines += [f".meas tran r{n}c{m} FIND v({c}) AT={at}u" for m, c in enumerate(columns)]
    return "\n".join([*lines, f".tran 50n {8 * ROW_US + 2}u", ".end", ""])


def sensed(closed, tmp_path, *, diodes=True):
    description = matrix()
    source = tmp_path / "matrix.cir"
    source.write_text(deck(description, closed, diodes=diodes))
    done = subprocess.run(
        ["ngspice", "-b", str(source)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    found = set()
    for number, cell in enumerate(description.built):
        name = f"r{number // 8}c{number % 8}"
        (line,) = (line for line in done.stdout.splitlines() if line.split("=")[0].strip() == name)
        volts = float(line.split("=")[1].split()[0])
        assert not LOW <= volts <= HIGH, f"{cell}: {volts} V is neither"
        if volts < LOW:
            found.add(cell)
    return found


START = {f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)}


@needs_ngspice
@pytest.mark.parametrize(
    "closed",
    [set(), {"a1", "h1", "a8"}, START, {f"{f}{r}" for f in "abcdefgh" for r in range(1, 9)}],
    ids=["empty", "three corners", "set up", "everywhere"],
)
def test_every_piece_is_felt_and_no_other(closed, tmp_path):
    assert sensed(closed, tmp_path) == closed


@needs_ngspice
def test_without_diodes_three_corners_show_a_fourth(tmp_path):
    assert sensed({"a1", "h1", "a8"}, tmp_path, diodes=False) == {"a1", "h1", "a8", "h8"}
