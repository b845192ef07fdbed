"""A line board that never was."""

from drivers.testing import Device


class LineDevice(Device):
    """Answers like the real one."""

    _left = b""

    def heard(self, data):
        *lines, self._left = (self._left + data).split(b"\n")
        commands = (line.decode("ascii", "replace").split() for line in lines)
        for word, *rest in filter(None, commands):
            if word == "all":
                self._say("all", *sorted(self.stands))
            elif word == "light":
                self.lights = set(rest)

    def changed(self, cell):
        self._say("down" if cell in self.stands else "up", cell)

    def pressed(self, button):
        self._say("press", button)

    def _say(self, *words):
        self.send(f"{' '.join(words)}\n".encode())
