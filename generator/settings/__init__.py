"""What the user decides about a package: the policy, and the table it is written in."""
