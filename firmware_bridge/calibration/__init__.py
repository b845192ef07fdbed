"""The guided walk over a new board: what was found out, what is asked next, what comes of it.

Everything that people answered is one `Progress`; the steps still to go, the board file and the
summary all follow from it, so a walk can be undone and taken up again at any place. Pure, but for
`files`, which keeps the notebook and writes the results.
"""
