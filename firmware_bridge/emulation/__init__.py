"""The own board posing as a board that chess programs know, for orthodox chess with them."""
