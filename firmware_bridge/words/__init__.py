"""Every text said or shown, by language: catalogues of keys, never sentences put together."""

from firmware_bridge.words.catalogue import SOFT_HYPHEN, Catalogue, MissingWords, catalogue
from firmware_bridge.words.language_files import LANGUAGES, offered
from firmware_bridge.words.pseudo import PSEUDO, direction, pseudo
from firmware_bridge.words.spoken import spoken

__all__ = [
    "LANGUAGES",
    "PSEUDO",
    "SOFT_HYPHEN",
    "Catalogue",
    "MissingWords",
    "catalogue",
    "direction",
    "offered",
    "pseudo",
    "spoken",
]
