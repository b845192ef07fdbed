"""How the makers of boards count squares."""


def index_from_a8(cell):
    """0 for a8, 63 for h1."""
    return (8 - int(cell[1])) * 8 + "abcdefgh".index(cell[0])


def cell_from_a8(index):
    return f"{'abcdefgh'[index % 8]}{8 - index // 8}"


def turned(cell):
    """The same square on a board that lies the other way round."""
    return f"{'hgfedcba'['abcdefgh'.index(cell[0])]}{9 - int(cell[1])}"
