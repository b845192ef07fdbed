"""The Raspberry Pi Pico in the project's own boards: making and loading its firmware."""
