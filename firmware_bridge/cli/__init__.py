"""The command `firmware-bridge`: one module here is one command.

A module in this package that has a `command` (a click command) is found by itself; its name, with
`-` for `_`, is the command's name. Heavy imports belong inside the command's function, so that
`--help` stays quick on a small machine.
"""

from __future__ import annotations

import importlib
import pkgutil

import click


class Commands(click.Group):
    """A group that finds its commands among the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        names = (module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))
        return sorted(name for name in names if self.get_command(ctx, name) is not None)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or `None`."""
        del ctx
        module = cmd_name.replace("-", "_")
        if module not in {found.name for found in pkgutil.iter_modules(__path__)}:
            return None
        command = getattr(importlib.import_module(f"{__name__}.{module}"), "command", None)
        return command if isinstance(command, click.Command) else None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="firmware-bridge", prog_name="firmware-bridge")
def main() -> None:
    """A referee for physical game boards.

    Begin with `firmware-bridge demo`: a simulated board and a game, no hardware needed.
    With a real board: `firmware-bridge doctor` says what is wrong, `firmware-bridge run` plays.
    """
