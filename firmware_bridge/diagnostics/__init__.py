"""What is logged, counted and timed, what may be wrong, what a person can send; no secrets."""
