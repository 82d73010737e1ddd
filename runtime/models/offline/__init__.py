"""The offline answerer: rules that read an answer out of a context, one idea a file."""
