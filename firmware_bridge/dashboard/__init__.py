"""The wall: any number of boards on one page, known from the broker alone."""
