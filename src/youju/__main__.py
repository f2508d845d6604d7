"""python -m youju."""

from youju.cli.main import main

main()
