"""English words that carry grammar and little content; the optional stop list of the lexical index."""

ENGLISH = frozenset(
    """
    a about above after again against ain all am an and any are aren as at be because been before being below between
    both but by can cannot could couldn d did didn do does doesn doing don down during each few for from further had
    hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just
    ll m ma me might mightn more most must mustn my myself needn no nor not now o of off on once only or other ought our
    ours ourselves out over own re s same shall shan she should shouldn so some such t than that the their theirs them
    themselves then there these they this those through to too under until up upon us ve very was wasn we were weren
    what when where which while who whom whose why will with won would wouldn y you your yours yourself yourselves
    """.split()
)
