"""Run by the Python that has KiCad's module `pcbnew`: checks one board, and makes its gerbers.

in_kicad.py board.kicad_pcb report.rpt [folder]

Fills the plane and keeps it, writes the design rule check's report, and with a folder what a
fabricator takes.
"""

from __future__ import annotations

import sys

import pcbnew

LAYERS = {
    "F_Cu": pcbnew.F_Cu,
    "B_Cu": pcbnew.B_Cu,
    "F_Paste": pcbnew.F_Paste,
    "F_Silkscreen": pcbnew.F_SilkS,
    "B_Silkscreen": pcbnew.B_SilkS,
    "F_Mask": pcbnew.F_Mask,
    "B_Mask": pcbnew.B_Mask,
    "Edge_Cuts": pcbnew.Edge_Cuts,
}


def plot(board: pcbnew.BOARD, folder: str) -> None:
    """Write gerbers and drill files."""
    plotter = pcbnew.PLOT_CONTROLLER(board)
    options = plotter.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetPlotFrameRef(False)
    options.SetUseGerberProtelExtensions(True)
    options.SetSubtractMaskFromSilk(True)
    for name, layer in LAYERS.items():
        plotter.SetLayer(layer)
        plotter.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        plotter.PlotLayer()
    plotter.ClosePlot()
    drills = pcbnew.EXCELLON_WRITER(board)
    drills.SetFormat(True)
    drills.CreateDrillandMapFilesSet(folder, True, False)


def main(path: str, report: str, folder: str | None = None) -> None:
    """Check the board, and plot it where a folder is given."""
    board = pcbnew.LoadBoard(path)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    board.BuildConnectivity()
    board.Save(path)
    if not pcbnew.WriteDRCReport(board, report, pcbnew.EDA_UNITS_MILLIMETRES, True):
        sys.exit("KiCad did not write its report.")
    if folder:
        plot(board, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
