"""The game of an outsider's host, written from docs/distance.md alone: it imports nothing of ours.

It knows no rules: which turns it makes it is told. What is its own to tell it tells.
"""

import hashlib
import json


def hashed(text):
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class OutsidersGame:
    """One game of Reality Check as Black.

    Args:
        host: the outsider's host, which writes and hears letters.
        game: names the correspondence.
        send: carries what is sealed.
        discs: the faces of its discs by place, the upper one first.
    """

    def __init__(self, host, game, send, discs):
        self.host, self.game, self.send = host, game, send
        self.start, self.board = dict(discs), {s: x for s, x in discs.items() if s != "hand"}
        self.salts = {place: hashed(f"salt of {place}") for place in discs}
        self.chain = [hashed("an outsider's dice")]
        for _ in range(4096):
            self.chain.append(hashed(self.chain[-1]))
        self.read = 0
        self.facts, self.turns, self.audit, self.accused = [], {}, None, None
        self.record, self.right_there = None, []

    def hear(self, sealed):
        """Take a letter or a receipt, confirm it, and answer what is asked."""
        came = self.host.hear(sealed)
        if "kind" not in came:
            return
        self.send(self.host.receipt(self.game))
        if came["n"] != self.read + 1 or came["game"] != self.game:
            return
        self.read += 1
        kind, body = came["kind"], came["body"]
        if kind == "proposal":
            self.write("answer", {"accepts": True, "name": "Olga"})
            self.write("answer", {"begun": True})
        elif kind == "audit":
            self.audit = body
        elif "right" in body:
            self.right_there.append(body["right"])
        elif "record" in body:
            self.record = body["record"]
            if self.right():
                self.write("end", {"record": self.record})
        elif "false" in body:
            self.accused = body["false"]
        elif "fact" in body:
            assert body["fact"] == len(self.facts) + 1
            self.facts.append((kind, body["data"]))
            self.follow(kind, body["data"])

    def follow(self, kind, data):
        if kind == "commitment":
            pieces = {
                place: hashed(f"reality-check black {place} {faces} {self.salts[place]}")
                for place, faces in self.start.items()
            }
            self.tell("commitment", pieces=pieces, dice=self.chain[-1], told=self.told())
        elif kind == "turn":
            self.change(data["public"])
            self.tell("reveal", opened={}, told=self.told(), link=None)
        elif kind == "answer" and data["what"] == "resign":
            self.write("audit", self.opened())

    def change(self, turn):
        """Do to its own discs what a turn does; this far it knows moves, flips and captures."""
        turn = turn.rstrip("!")
        move, _, flipped = turn.partition("/")
        source, target = move[:2], move[-2:]
        if source in self.board:
            self.board[target] = self.board.pop(source)
        if flipped in self.board:
            self.board[flipped] = self.board[flipped][::-1]

    def make(self, turn, opened=()):
        """Make a turn that is legal; `opened` names its discs of which it shows both sides."""
        opened = {s: [self.label(self.board[s]), self.salts[s]] for s in opened}
        self.change(turn)
        self.turns[str(len(self.facts) + 1)] = turn
        self.tell("turn", public=turn, opened=opened, told=self.told(), link=None)

    def say(self, what, by):
        """Say something for both players, or let stand what the friend has said."""
        self.tell("answer", what=what, by=by, data={})
        if what == "resign":
            self.write("audit", self.opened())

    def told(self):
        shown = " ".join(f"{square}{faces[0]}" for square, faces in sorted(self.board.items()))
        return f"black {shown} hand 1 waiting 0 -"

    @staticmethod
    def label(faces):
        return f"b{''.join(sorted(faces, key='PNBR'.index))}:{faces[1]}"

    def opened(self):
        pieces = {
            place: [self.label(faces), self.salts[place]] for place, faces in self.start.items()
        }
        pieces["hand"][0] = pieces["hand"][0][:3]
        return {"pieces": pieces, "turns": self.turns}

    def tell(self, kind, **data):
        self.facts.append((kind, data))
        data = {"at": "black", "clock": [0, 0], **data}
        self.write(kind, {"fact": len(self.facts), "data": data})

    def write(self, kind, body):
        self.send(self.host.letter(self.game, kind, json.loads(json.dumps(body))))

    def right(self):
        """Whether all that the friend has opened at the end is what it was bound to."""
        bound = next(data["pieces"] for kind, data in self.facts if kind == "commitment")
        for place, (label, salt) in self.audit["pieces"].items():
            name, _, down = label[1:].partition(":")
            faces = name[::-1] if down and name[0] == down else name
            if hashed(f"reality-check white {place} {faces} {salt}") != bound[place]:
                return False
        return len(self.audit["pieces"]) == 10
