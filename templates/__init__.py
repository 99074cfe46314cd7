"""Templates that only print; every decision is made before them."""
