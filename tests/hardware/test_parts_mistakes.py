"""Mistakes in the files of parts, pins and builds: each has to be refused by its part's name."""

import re
import tomllib

import pytest
from pydantic import ValidationError

from hardware.tools.agreement import contradictions
from hardware.tools.catalogue import HARDWARE, read_builds, read_parts
from hardware.tools.netlist import read_pinouts

FILES = ("parts", "pinouts", "builds")
MISTAKES = """
parts | [74hc165] | price = [0.4, 1] | price = [1, 0.4] | 74hc165.*price
parts | [74hc165] | price = [0.4, 1] | price = [0, 1] | 74hc165.*price
parts | [74hc165] | price = [0.4, 1] | price = [0.4, 1000] | 74hc165.*price
parts | [74hc165] | price = [0.4, 1] | price = [-0.4, 1] | 74hc165.*price
parts | [74hc165] | typical = 0.1 | typical = 2 | 74hc165.*typical
parts | [74hc165] | typical = 0.1 | tipical = 0.1 | 74hc165.*tipical
parts | [74hc165] | most = 1 | most = 0 | 74hc165.*typical
parts | [74hc165] | most = 1 | most = -1 | 74hc165.*most
parts | [74hc165] | from = "derived" | from = "guess" | 74hc165.*from
parts | [74hc165] | from = "derived" | | 74hc165.*from
parts | [74hc165] | Instruments CD74HC165E | Instruments SN74HC165N | 74hc165.*orders
parts | [74hc165] | , "Texas Instruments CD74HC165E" | | 74hc165.*orders
parts | [74hc165] | name = "Shift register 74HC165" | name = "" | 74hc165.*name
parts | [mcp23017] | most = 1 | | mcp23017.*typical
parts | [mfrc522] | size = [40, 30, 4] | size = [60, 40, 4] | mfrc522.size
parts | [mfrc522] | size = [40, 30, 4] | size = [40, 0, 4] | mfrc522.*size
parts | [mfrc522] | coil = 28 | coil = 38 | mfrc522.*coil
parts | [mfrc522] | typical = 30, most = 100 | typical = 300, most = 100 | mfrc522.*typical
parts | [mfrc522] | typical = 30, most = 100 | typical = 0, most = 100 | mfrc522.*typical
parts | [mfrc522] | start = 14 | start = -14 | mfrc522.*start
parts | [pn532] | size = [43, 41, 4] | size = [43, 41] | pn532.*size
parts | [fuse] | most = 2500 | most = 3150 | fuse.gives
parts | [fuse] | most = 2500 | most = 0 | fuse.*most
parts | [fuse] | volts = 5 | volts = 12 | fuse.*volts
parts | [fuse] | { OUT = | { OUTPUT = | fuse
parts | [supply-5v4a] | most = 4000 | most = 400 | supply-5v4a.gives
parts | [supply-5v4a] | volts = 5 | volts = 3.3 | supply-5v4a.gives
parts | [regulator-3v3] | volts = 3.3 | volts = 5 | regulator-3v3.gives
parts | [regulator-3v3] | kept = 0.85 | kept = 8.5 | regulator-3v3.*kept
parts | [regulator-3v3] | kept = 0.85 | kept = 0 | regulator-3v3.*kept
parts | [regulator-3v3] | most = 3000 | most = 2000 | regulator-3v3.gives
parts | [pico] | { "3V3" = | { "5V" = | pico
parts | [socket-24] | [socket-24] | [socket-20] | DIP-24
parts | [ht16k33] | [ht16k33] | [ht16k32] | ht16k33
parts | [ws2812] | most = 60 | | ws2812
parts | [buzzer] | typical = 0.5 | typical = 50 | buzzer.*typical
pinouts | [74hc138] | DIP-16 | DIP-14 | 74hc138.*DIP-14
pinouts | [74hc138] | DIP-16 | SOIC-16 | 74hc138.*SOIC-16
pinouts | [74hc138] | E3/i  | | 74hc138.*15 pins
pinouts | [74hc138] | Y7/o | Y7/q | 74hc138 Y7
pinouts | [74hc138] | Y6/o | Y5/o | 74hc138 Y5
pinouts | [74hc138] | GND/g | GND/n | 74hc138.*ground
pinouts | [74hc138] | VCC/p | VCC/n | 74hc138.*supply
pinouts | [74hc138] | VCC/p | VCC/s | 74hc138
pinouts | [fuse] | OUT/s | OUT/x | fuse
pinouts | [pico] | 3V3/s | 3V3/p | pico
pinouts | [usb-cable] | VBUS/s | VBUS/p | usb-cable
pinouts | [mfrc522] | 3V3/p | 3V3/x | mfrc522
pinouts | [ws2812] | [ws2812] | [ws2813] | ws2813
builds | [starter] | hours = [10, 18] | hours = [18, 10] | starter.*hours
builds | [starter] | hours = [10, 18] | hours = [0, 18] | starter.*hours
builds | [starter] | discs = 0 | discs = 20 | starter.discs
builds | [starter] | discs = 0 | discs = -1 | starter.*discs
builds | [starter] | "mockery"] | "mockery", "reality-check"] | starter.games
builds | [starter] | "mockery"] | "mockeri"] | starter.*games
builds | [starter] | magnets = 34 | magnets = 3 | starter.pieces_with_magnets
builds | [starter] | sd-card = 1 | sd-cart = 1 | starter.extras
builds | [starter] | sd-card = 1, | | starter.extras
builds | [starter] | screw = 12 | screw = 0 | starter.*screw
builds | [starter] | screw = 12, | | starter.extras
builds | [starter] | felt = 1 | felt = 1, stripboard = 1 | starter.*stripboard
builds | [full] | discs = 20 | discs = 0 | full.discs
builds | [evening] | at_hand = ["usb-cable"] | at_hand = ["usb cable"] | evening.at_hand
builds | [evening] | case = false | case = "no thanks" | evening.*case
parts | [fuse] | Fuse 2.5 A, slow | Fuse 2.5 A, quick | fuse
parts | [supply-5v4a] | GST25E05 | GST25E12 | supply-5v4a
parts | [regulator-3v3] | D36V28F3 | D36V28F5 | regulator-3v3
parts | [fuse] | holds 2.5 A | holds 6 A | fuse.alternatives
parts | [74ahct125] | "74HCT125; | "74HC125; | 74ahct125.alternatives
parts | [tag] | ISO 14443 A | ISO 15693 | tag: ISO 15693
parts | [foil] | without a slit | with a slit | foil.*with a slit
parts | [pico] | 1.23 or newer | 1.12 or newer | pico.*1.12 or newer
pinouts | [74hc125] | 1OE/i | 1OE/o | 74hc125 1OE
pinouts | [regulator-3v3] | GND/g | GND/n | regulator-3v3.*ground
builds | [kiosk] | display = 1 | display = 2 | kiosk
builds | [full] | felt = 1 | felt = 1, standoff = 4 | full.*standoff
parts | [magnet] | N35 or N38 | N52 | magnet
parts | [magnet] | neodymium disc 8 x 2 mm, N38 | ferrite disc 8 x 2 mm, Y35 | magnet.*orders
parts | [magnet] | disc 8 x 2 mm, N35 | disc 15 x 2 mm, N35 | magnet
parts | [reed] | 10 to 15 ampere-turns | 25 to 30 ampere-turns | reed
parts | [reed] | ORD228VL, 10-15 AT | ORD228VL, 30-35 AT | reed
parts | [tag] | 25 mm, ISO 14443 A | 25 mm, 125 kHz | tag
parts | [tag] | NTAG213 on-metal tag, 25 mm | NTAG213 on-metal tag, 40 mm | tag
parts | [foil] | a round 31 mm wide | a round 21 mm wide | foil
parts | [usb-cable] | , with data lines | , for charging | usb-cable
parts | [resistor-10k] | ohm = 10000 | ohm = 10 | resistor-10k
parts | [resistor-27k] | FBF52-27K | FBF52-2K7 | resistor-27k
parts | [capacitor-1000u] | ECA-1AM102 | ECA-0JM102 | capacitor-1000u
parts | [dc-socket] | name = "DC socket 5.5 x 2.1 mm | name = "DC socket 5.5 x 2.5 mm | dc-socket
parts | [wire] | 0.75 to 1.5 mm2 for 5 V | 0.14 mm2 for 5 V | wire
parts | [regulator-3v3] | Step-down module 5 V | Linear regulator 5 V | regulator-3v3
parts | [supply-5v4a] | plus inside | minus inside | supply-5v4a
parts | [sd-card] | 16 GB or more | 16 MB or more | sd-card
builds | [starter] | magnets = 34 | magnets = 32 | starter.pieces_with_magnets
builds | [evening] | magnets = 4 | magnets = 0 | evening.pieces_with_magnets
builds | [starter] | supply-5v3a = 1 | supply-5v4a = 1 | starter
parts | [reed] | normally open, 14 mm | normally closed, 14 mm | reed
parts | [buzzer] | buzzer, passive | buzzer, active | buzzer
parts | [mfrc522] | 13.56 MHz, 3.3 V | 13.56 MHz, 5 V | mfrc522
parts | [standoff] | 6 mm, nylon, with | 6 mm, brass, with | standoff
parts | [ws2812] | SK6812 | APA102 | ws2812
parts | [socket-28] | 7.62 mm | 15.24 mm | socket-28
parts | [74hc165] | supplied with 3.3 V | supplied with 5 V | 74hc165
parts | [button] | normally open, | latching, | button
parts | [led-single] | red or amber | blue or white | led-single
parts | [74ahct125] | supplied with 5 V | supplied with 3.3 V | 74ahct125
parts | [usb-cable] | with data lines, 1 m | with data lines, 5 m | usb-cable
parts | [jumper] | socket to socket, 2.54 | pin to pin, 2.54 | jumper
parts | [screw] | 3 x 16 mm, brass" | 3 x 16 mm, steel" | screw
parts | [pi] | Raspberry Pi SC0194 (Pi 4, 4 GB) | Raspberry Pi SC0915 (Pico) | pi
parts | [mcp23017] | MCP23017-E/SP | MCP23S17-E/SP | mcp23017
builds | [full] | pieces = 1, felt = 1 | felt = 1 | full.extras
builds | [starter] | hours = [10, 18] | hours = [1, 2] | starter.hours
builds | [full] | extras = { pi = 1 | extras = { pico = 1 | full.extras
parts | [supply-5v3a] | 5 V supply, 3 A, for | 5 V supply, 1 A, for | supply-5v3a
parts | [felt] | 1 mm, one sheet | 5 mm, one sheet | felt
""".strip().splitlines()


def said(texts):
    """Everything that is wrong with the three files; TOML that is none fails the test."""
    data = {name: tomllib.loads(text) for name, text in texts.items()}
    try:
        return list(
            contradictions(
                read_parts(data["parts"]),
                read_pinouts(data["pinouts"]),
                read_builds(data["builds"]),
            )
        )
    except ValidationError as error:
        return [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]


@pytest.fixture(scope="module")
def texts():
    return {name: (HARDWARE / f"{name}.toml").read_text(encoding="utf-8") for name in FILES}


def test_the_files_agree(texts):
    assert said(texts) == []


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_is_refused_by_the_name_of_its_part(line, texts):
    file, section, before, after, named = (word.strip() for word in line.split("|"))
    start = texts[file].index(section)
    head, tail = texts[file][:start], texts[file][start:]
    assert before in tail.partition("\n\n")[0]
    found = said(texts | {file: head + tail.replace(before, after, 1)})
    assert any(re.search(named, one) for one in found), found
