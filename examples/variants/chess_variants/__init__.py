"""Seven chess variants for firmware-bridge, on the boards that python-chess has for them."""
