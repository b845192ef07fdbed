"""Run by MicroPython: wire the workbench of the image's board."""

import json
import os
import sys

sys.path[:0] = ["/fakes", "/board"]
os.chdir("/board")

import bench

with open("config.json") as file:
    bench.build(json.load(file))
