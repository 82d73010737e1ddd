"""The command line: one command a file.

A command is a module with two functions, listed once in ``app.py`` with its line for the overview:

- ``configure(parser: Parser) -> None`` declares its arguments;
- ``run(args: Namespace, out: Output) -> int`` does the work and returns the exit status.

Its module's top level imports nothing heavy, so that ``--help`` answers at once; what it shows goes through
``Output``, which knows about ``--json``, ``--quiet``, ``--verbose`` and terminals. A user's mistake is raised as
``UserError``.
"""
