"""Run by MicroPython: wire the workbench, then start the firmware as its main.py does."""

import json
import os
import sys

import outside

sys.path[:0] = ["/fakes", "/board"]
os.chdir("/board")

import bench

with open("config.json") as file:
    bench.build(json.load(file))


class Wire:
    """The pseudo-terminal; between two reads the bench answers questions from outside."""

    def read(self):
        question = outside.question()
        if question:
            outside.answer(json.dumps(eval(question, {"bench": bench.now})))
        data = outside.read()
        return bytes(data) if data.length else b""

    def write(self, data):
        return outside.write(data)


from boardware import pico

pico.main(Wire())
