"""English function words: what is left of an answer without them is its content."""

_WORDS = """
a about after again all also am an and any are as at be because been before being both but by can could d did do
does doing during each few for from further had has have having he her here hers herself him himself his how i if in
into is it its itself just ll m may me might more most must my myself no nor not now of off on once only or other
our ours ourselves out over own rd re s same shall she should so some st such t than that the their theirs them
themselves then there these they this those through to too under until up upon us ve very was we were what when
where which while who whom whose why will with would yes you your yours yourself yourselves nd th
"""

STOP_WORDS = frozenset(_WORDS.split())
"""Also the pieces that a word splitter leaves of ``she's``, ``don't``, ``we'll`` and ``5th``."""
