"""The other end of a line, written from docs/distance.md alone: it imports nothing of ours."""

import hashlib
import json
import os

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B

INFO = b"firmware-bridge/distance/1/"


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def expand(secret, purpose, way, length=32):
    return HKDF(SHA256(), length, None, INFO + purpose + b"\n" + way).derive(secret)


def seal(key, content):
    nonce = os.urandom(12)
    return b"\x01" + nonce + ChaCha20Poly1305(key).encrypt(nonce, content, b"\x01")


def unseal(key, sealed):
    assert sealed[:1] == b"\x01"
    return ChaCha20Poly1305(key).decrypt(sealed[1:13], sealed[13:], b"\x01")


class Outsider:
    """A host with keys of its own, that pairs by words and writes one chain of letters."""

    def __init__(self, name="Olga"):
        self.name = name
        self.signing = Ed25519PrivateKey.generate()
        self.agreement = X25519PrivateKey.generate()
        self.sent, self.taken = [], []

    # Pairing

    @staticmethod
    def room(words):
        text = "firmware-bridge/distance/1/room\n" + " ".join(words.split()[:2])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def hello(self, key, way):
        told = {
            "v": 1,
            "name": self.name,
            "release": "outsider 7",
            "signing": self.signing.public_key().public_bytes_raw().hex(),
            "agreement": self.agreement.public_key().public_bytes_raw().hex(),
        }
        return seal(expand(key, b"hello", way), canonical(told)).hex()

    def meet(self, key, way, sealed):
        told = json.loads(unseal(expand(key, b"hello", way), bytes.fromhex(sealed)))
        self.friends_name = told["name"]
        self.befriend(bytes.fromhex(told["signing"]), bytes.fromhex(told["agreement"]))

    def knock(self, words):
        self.exchange = SPAKE2_B(words.encode(), idA=b"inviter", idB=b"joiner")
        return canonical({"v": 1, "step": "knock", "spake": self.exchange.start().hex()})

    def greet(self, answer):
        told = json.loads(answer)
        key = self.exchange.finish(bytes.fromhex(told["spake"]))
        self.meet(key, b"inviter", told["sealed"])
        return canonical({"v": 1, "step": "hello", "sealed": self.hello(key, b"joiner")})

    def answer(self, words, knock):
        exchange = SPAKE2_A(words.encode(), idA=b"inviter", idB=b"joiner")
        own = exchange.start().hex()
        self.key = exchange.finish(bytes.fromhex(json.loads(knock)["spake"]))
        sealed = self.hello(self.key, b"inviter")
        return canonical({"v": 1, "step": "answer", "spake": own, "sealed": sealed})

    def welcome(self, hello):
        self.meet(self.key, b"joiner", json.loads(hello)["sealed"])
        return canonical({"v": 1, "step": "done"})

    # Letters

    def befriend(self, signing, agreement):
        self.theirs = Ed25519PublicKey.from_public_bytes(signing)
        secret = self.agreement.exchange(X25519PublicKey.from_public_bytes(agreement))
        own = self.agreement.public_key().public_bytes_raw()
        self.outbox = expand(secret, b"address", own + agreement, 16).hex()
        self.inbox = expand(secret, b"address", agreement + own, 16).hex()
        self.outgoing = expand(secret, b"seal", own + agreement)
        self.incoming = expand(secret, b"seal", agreement + own)

    def heard(self):
        return [len(self.taken), self.digest(self.taken)]

    @staticmethod
    def digest(letters):
        return hashlib.sha256(letters[-1]).hexdigest() if letters else "0" * 64

    def pack(self, inside):
        packet = len(inside).to_bytes(4, "big") + inside
        size = next(size for size in (512, 2048, 8192) if len(packet) <= size)
        return seal(self.outgoing, packet + bytes(size - len(packet)))

    def letter(self, game, kind, body):
        """Write the next letter; return it sealed."""
        self.sent.append(
            canonical(
                {
                    "v": 1,
                    "game": game,
                    "n": len(self.sent) + 1,
                    "before": self.digest(self.sent),
                    "heard": self.heard(),
                    "kind": kind,
                    "body": body,
                    "t": 1_800_000_000_000,
                }
            )
        )
        return self.again(len(self.sent))

    def again(self, number):
        data = self.sent[number - 1]
        signature = self.signing.sign(b"firmware-bridge/letter/1\n" + data)
        return self.pack(b"L" + signature + data)

    def receipt(self, game):
        return self.pack(b"R" + canonical({"v": 1, "game": game, "heard": self.heard()}))

    def hear(self, sealed):
        """Take a letter if it is the next; return what came: a letter or a receipt as JSON."""
        packet = unseal(self.incoming, sealed)
        assert len(packet) in {512, 2048, 8192}
        inside = packet[4 : 4 + int.from_bytes(packet[:4], "big")]
        if inside[:1] == b"R":
            return json.loads(inside[1:])
        signature, data = inside[1:65], inside[65:]
        self.theirs.verify(signature, b"firmware-bridge/letter/1\n" + data)
        told = json.loads(data)
        if told["n"] == len(self.taken) + 1:
            assert told["before"] == self.digest(self.taken)
            number, digest = told["heard"]
            assert digest == self.digest(self.sent[:number])
            self.taken.append(data)
        return told
