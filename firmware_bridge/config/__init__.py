"""The configuration: one TOML file, read once, every mistake named at once."""

from firmware_bridge.config.loading import ConfigError, load_config
from firmware_bridge.config.schema import (
    BoardConfig,
    BrokerConfig,
    Config,
    DistanceConfig,
    GameConfig,
    MetricsConfig,
    MqttConfig,
    PagesConfig,
    PlayersConfig,
    SoundConfig,
    UpdatesConfig,
)

__all__ = [
    "BoardConfig",
    "BrokerConfig",
    "Config",
    "ConfigError",
    "DistanceConfig",
    "GameConfig",
    "MetricsConfig",
    "MqttConfig",
    "PagesConfig",
    "PlayersConfig",
    "SoundConfig",
    "UpdatesConfig",
    "load_config",
]
