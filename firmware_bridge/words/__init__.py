"""Every text said or shown, by language: catalogues of keys, never sentences put together."""

from firmware_bridge.words.catalogue import LANGUAGES, Catalogue, MissingWords, catalogue

__all__ = ["LANGUAGES", "Catalogue", "MissingWords", "catalogue"]
