"""`python -m swe_assets`: the command line, also where a script's first line cannot hold Python's path."""

from swe_assets.cli import main

if __name__ == "__main__":
    main()
