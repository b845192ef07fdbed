"""A peripheral of the open Chess Peripheral Protocol with the features that streaming needs."""

from drivers.testing import Device


class CppBoard(Device):
    begun = False

    def switched_on(self):
        self.begun = False

    def heard(self, data):
        for line in data.decode().splitlines():
            self.command(line)

    def command(self, line):
        word, _, rest = line.partition(" ")
        if word == "feature":
            self.tell("ok" if rest in {"get_state", "state_stream"} else "nok")
        elif word == "get_state":
            self.tell(f"state {self.placement()}")
        elif word == "begin":
            self.begun = True
            self.tell(f"sync {self.placement()}")
        elif word != "ok":
            self.tell("err Unexpected command")

    def tell(self, line):
        self.send(f"{line}\n".encode())

    def placement(self):
        rows = []
        for rank in range(8, 0, -1):
            row = ""
            for file in "abcdefgh":
                label = self.stands.get(f"{file}{rank}")
                if label is None:
                    row += "."
                else:
                    row += label[1] if label[0] == "w" else label[1].lower()
            for run in range(8, 0, -1):
                row = row.replace("." * run, str(run))
            rows.append(row)
        return "/".join(rows)

    def changed(self, cell):
        self.tell(f"state {self.placement()}")
