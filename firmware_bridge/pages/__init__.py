"""The pages: display, seats, referee, set-up and the HTTP interface, made from views alone."""
