"""`python -m toolmint`: the command line."""

from toolmint.generator.cli import main

if __name__ == "__main__":
    main()
