"""Keys of a friendship, and what is sealed with them. No cryptography of our own.

The packages `cryptography` and `spake2` are imported where they are used: the extra `distance`.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from importlib.util import find_spec

from firmware_bridge.distance.canonical import Refused
from firmware_bridge.distance.letters import Content, packed, unpacked

KEY = 32
"""Bytes of every key."""
_NONCE = 12  # bytes, of ChaCha20-Poly1305 (RFC 8439)
_ADDRESS = 16  # bytes: nobody guesses one
_FORM = b"\x01"
"""The first byte of everything sealed, and bound to it."""


class NotInstalled(Exception):  # noqa: N818 - names what happened
    """What this needs is not installed; the message says how it is."""


def hold_installed() -> None:
    """See that the extra is installed.

    Raises:
        NotInstalled: it is not.
    """
    missing = [name for name in ("cryptography", "spake2") if find_spec(name) is None]
    if missing:
        raise NotInstalled(
            f"Playing at a distance needs {' and '.join(missing)}. "
            "Install with: pip install 'firmware-bridge[distance]'"
        )


@dataclass(frozen=True, slots=True)
class Keys:
    """A host's private keys for one friendship.

    Attributes:
        signing: signs letters (Ed25519).
        agreement: makes the common secret (X25519).
    """

    signing: bytes = field(repr=False)
    agreement: bytes = field(repr=False)

    @classmethod
    def made(cls) -> Keys:
        """Return new ones."""
        return cls(secrets.token_bytes(KEY), secrets.token_bytes(KEY))

    @property
    def public(self) -> PublicKeys:
        """What the friend is given."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

        return PublicKeys(
            Ed25519PrivateKey.from_private_bytes(self.signing).public_key().public_bytes_raw(),
            X25519PrivateKey.from_private_bytes(self.agreement).public_key().public_bytes_raw(),
        )


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """What a host gives its friend: by it letters are known to be its own, and sealed for it."""

    signing: bytes
    agreement: bytes


class Envelope:
    """Seals what goes one way, and opens it, by a key for that way alone."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        self._cipher = ChaCha20Poly1305(key)

    def seal(self, content: bytes) -> bytes:
        """Return what only the other end can read, and nobody can alter."""
        nonce = secrets.token_bytes(_NONCE)
        sealed: bytes = self._cipher.encrypt(nonce, content, _FORM)
        return _FORM + nonce + sealed

    def open(self, sealed: bytes) -> bytes:
        """Return what was sealed.

        Raises:
            Refused: it was not sealed by the other end, or altered on the way.
        """
        from cryptography.exceptions import InvalidTag

        form, nonce, rest = sealed[:1], sealed[1 : 1 + _NONCE], sealed[1 + _NONCE :]
        if form != _FORM:
            raise Refused("it is sealed in a form that this version does not know")
        try:
            content: bytes = self._cipher.decrypt(nonce, rest, _FORM)
        except (InvalidTag, ValueError):
            raise Refused("it was not sealed by the other end, or altered on the way") from None
        return content


class Bond:
    """What two friends' hosts share: addresses, seals and signatures.

    Attributes:
        inbox: where what is for us arrives.
        outbox: where what is for the friend is sent.
    """

    def __init__(self, own: Keys, theirs: PublicKeys) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (
            Ed25519PrivateKey,
            Ed25519PublicKey,
        )
        from cryptography.hazmat.primitives.asymmetric.x25519 import (
            X25519PrivateKey,
            X25519PublicKey,
        )

        secret = X25519PrivateKey.from_private_bytes(own.agreement).exchange(
            X25519PublicKey.from_public_bytes(theirs.agreement)
        )
        inward = theirs.agreement + own.public.agreement
        outward = own.public.agreement + theirs.agreement
        self.inbox = derived(secret, b"address", inward, _ADDRESS).hex()
        self.outbox = derived(secret, b"address", outward, _ADDRESS).hex()
        self._incoming = Envelope(derived(secret, b"seal", inward))
        self._outgoing = Envelope(derived(secret, b"seal", outward))
        self._signing = Ed25519PrivateKey.from_private_bytes(own.signing)
        self._theirs = Ed25519PublicKey.from_public_bytes(theirs.signing)

    def sign(self, data: bytes) -> bytes:
        """Return our signature."""
        signature: bytes = self._signing.sign(data)
        return signature

    def seal(self, content: Content) -> bytes:
        """Return what is sent as it goes to the carrier."""
        return self._outgoing.seal(packed(content))

    def open(self, sealed: bytes) -> Content:
        """Return what the friend has sent.

        Raises:
            Refused: it is not the friend's, or of another version.
        """
        return unpacked(self._incoming.open(sealed), self._is_theirs)

    def _is_theirs(self, signature: bytes, data: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature

        try:
            self._theirs.verify(signature, data)
        except InvalidSignature:
            return False
        return True


def derived(secret: bytes, purpose: bytes, way: bytes, length: int = KEY) -> bytes:
    """Return what both ends make of a common secret for one purpose and one way (HKDF-SHA256)."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    info = b"firmware-bridge/distance/1/" + purpose + b"\n" + way
    made: bytes = HKDF(SHA256(), length, salt=None, info=info).derive(secret)
    return made
