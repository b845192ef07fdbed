"""A board without hardware: real bytes over a pty, and a page where hands move the pieces."""
