"""The configuration: one TOML file, read once, every mistake named at once."""

from firmware_bridge.config.model import (
    BoardConfig,
    Config,
    GameConfig,
    MetricsConfig,
    MqttConfig,
    PagesConfig,
    PlayersConfig,
    SoundConfig,
)
from firmware_bridge.config.reading import ConfigError, load_config

__all__ = [
    "BoardConfig",
    "Config",
    "ConfigError",
    "GameConfig",
    "MetricsConfig",
    "MqttConfig",
    "PagesConfig",
    "PlayersConfig",
    "SoundConfig",
    "load_config",
]
