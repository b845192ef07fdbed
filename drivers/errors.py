"""What is raised when a board cannot be used."""


class DriverError(Exception):
    """A board cannot be used; the message says what, where and what to do."""
