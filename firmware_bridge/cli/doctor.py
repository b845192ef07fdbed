"""`firmware-bridge doctor`: what is wrong, and what to do about it."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from firmware_bridge.cli.failures import ExitCode
from firmware_bridge.cli.options import configured
from firmware_bridge.config import load_config
from firmware_bridge.config.learnt import learnt
from firmware_bridge.diagnostics.checkup import Class, check_up

MARKS = {"good": "ok   ", "note": "note ", "bad": "WRONG"}
CODES: dict[Class, ExitCode] = {
    "config": ExitCode.CONFIG,
    "board": ExitCode.BOARD,
    "storage": ExitCode.STORAGE,
    "network": ExitCode.NETWORK,
    "machine": ExitCode.FAILED,
}


@click.command
@configured()
@click.option("--json", "as_json", is_flag=True, help="For machines and bug reports.")
def command(path: Path | None, changes: tuple[str, ...], *, as_json: bool) -> None:
    """Look at port, permissions, board, disk, clock and network, and say what is wrong.

    Stop the service first: two programs cannot hold one board. Ends with 0 when all is well, else
    with the code of the first thing that is wrong: 3 configuration, 4 board, 5 storage, 6 network.
    """
    config = learnt(load_config(path, changes))
    findings = []
    for finding in check_up(config):
        findings.append(finding)
        if not as_json:
            click.echo(f"{MARKS[finding.state]} {finding.about}: {finding.text}")
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    wrong = [finding for finding in findings if finding.state == "bad"]
    if wrong:
        raise SystemExit(CODES[wrong[0].about])
