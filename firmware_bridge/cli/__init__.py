"""The command `firmware-bridge`: one module here is one command.

A module in this package that has a `command` (a click command) is found by itself; its name, with
`-` for `_`, is the command's name. Other packages add theirs as entry points of the group
`firmware_bridge.commands`. A module here is imported when its command is called, and for nothing
else: the list of all commands is read from the sources, so that it stays quick on a small machine.
"""

import ast
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint
from importlib.resources import files
from typing import Any

import click

GROUP = "firmware_bridge.commands"


class Commands(click.Group):
    """A group that finds its commands among the modules of this package and installed ones."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        del ctx
        return sorted(_own().keys() | _added().keys())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or `None`; what is here comes first.

        One of another package that cannot be loaded only says why: the others go on working.
        """
        del ctx
        if module := _modules().get(cmd_name):
            command = getattr(importlib.import_module(f"{__name__}.{module}"), "command", None)
            if isinstance(command, click.Command):
                return command
        point = _added().get(cmd_name)
        if point is None:
            return None
        from drivers.plug_ins import NotLoaded, loaded

        try:
            command = loaded(point)
        except NotLoaded as error:
            return _unusable(cmd_name, str(error))
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands; of those here only the sources are read."""
        shown = {name: click.Command(name, help=told) for name, told in _own().items()}
        added = {name: self.get_command(ctx, name) for name in _added().keys() - shown.keys()}
        shown |= {name: command for name, command in added.items() if command}
        click.Group(commands=shown).format_commands(ctx, formatter)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command; what people can put right is said plainly."""
        from firmware_bridge.cli.failures import plain_failures

        with plain_failures():
            return super().invoke(ctx)


def _unusable(name: str, why: str) -> click.Command:
    """Return a command that only says why it cannot be loaded."""

    def tell() -> None:
        raise click.ClickException(f"The command {name!r} cannot be loaded: {why}.")

    taking_anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return click.Command(
        name, callback=tell, help="Cannot be loaded.", context_settings=taking_anything
    )


@cache
def _modules() -> Mapping[str, str]:
    """Return the modules here, by the name of the command that each would be."""
    return {info.name.replace("_", "-"): info.name for info in pkgutil.iter_modules(__path__)}


@cache
def _own() -> Mapping[str, str]:
    """Return what each command here does, by its name: all sources are read for that."""
    found = {}
    for name, module in _modules().items():
        source = files(__name__).joinpath(f"{module}.py").read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and node.name == "command":
                found[name] = ast.get_docstring(node) or ""
    return found


def _added() -> Mapping[str, EntryPoint]:
    """Return where to find the commands of other packages, by their names."""
    from drivers.plug_ins import installed

    return installed(GROUP)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="firmware-bridge", prog_name="firmware-bridge")
def main() -> None:
    """A referee for physical game boards.

    Begin with `firmware-bridge demo`: a simulated board and a game, no hardware needed.
    With a real board: `firmware-bridge doctor` says what is wrong, `firmware-bridge run` plays.
    """
