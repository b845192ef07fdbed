"""How far a hand bends the plate: so little that no reed's glass below it carries anything.

Thin plates and slender beams, by the textbook (Timoshenko, Theory of Plates and Shells, articles 34
and 36): a load in the middle of a plate that merely lies on its supports, without help from what
goes on beyond them. Newtons and millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass

HAND_N = 20.0
"""A hand that leans on the board: two kilograms."""
MOST_MM = 0.3
"""What the plate may bend: the gap that spacers leave above a reed's glass is wider than that."""
_SQUARE, _STRIP = 0.0116, 0.01695
"""Of a square plate on four sides, and of a strip on two that is much longer than wide."""


@dataclass(frozen=True, slots=True)
class Material:
    """What something is made of, the softest of what may be bought.

    Attributes:
        stiffness: modulus of elasticity in N/mm2.
        contraction: Poisson's ratio.
    """

    stiffness: float
    contraction: float


ACRYLIC = Material(2900, 0.37)
"""The softest that a top plate is cut from (PMMA; plywood across its grain has 4000)."""
PINE = Material(9000, 0.3)
"""Softwood of the lowest class that is sold for building, along its grain (EN 338, C18)."""


def plate(thickness: float, span: float, *, square: bool, of: Material = ACRYLIC) -> float:
    """Return how far a plate bends in the middle between its supports.

    Args:
        thickness: of the plate.
        span: from support to support.
        square: whether it lies on all four sides of a square, or on two lines.
        of: what it is made of.
    """
    stiff = of.stiffness * thickness**3 / (12 * (1 - of.contraction**2))
    return (_SQUARE if square else _STRIP) * HAND_N * span**2 / stiff


def rib(width: float, height: float, length: float, of: Material = PINE) -> float:
    """Return how far a rib bends that lies on its two ends."""
    return HAND_N * length**3 / (48 * of.stiffness * width * height**3 / 12)
