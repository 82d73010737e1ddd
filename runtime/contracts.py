"""The signature of every kind of stage, once.

``M`` is the :class:`Memory` that the stage runs against (its stores, views, indexes and history), never global state.

======== =============================================================== =========================================
kind      function                                                        returns
======== =============================================================== =========================================
units     ``f(params, history: History)``                                 ``Units``
view      ``f(params, units: Units, history: History)``                   ``list[str]``, one text a unit
write     ``f(params, units: Units)``                                     ``Units``
query     ``f(params, queries: Queries, m: Memory)``                      ``Queries``
retrieve  ``f(params, queries: Queries, m: Memory)``                      ``Rankings`` (matching units only)
fuse      ``f(params, rankings: Sequence[Rankings], m: Memory)``          ``Rankings``
refine    ``f(params, ranking: Rankings, queries: Queries, m: Memory)``   ``Rankings``
branch    ``f(params, queries: Queries, m: Memory)``                      ``Rankings`` (runs inner cascades)
feature   ``f(params, ranking: Rankings, queries: Queries, m: Memory)``   ``float64`` array, one value an entry
======== =============================================================== =========================================

An operator marked LM (``needs_model``) of the storage gets the :class:`Services` last, and one that writes gets the
history before them: units ``f(params, history, services)``, view ``f(params, units, history, services)``, write
``f(params, units, history, services)``. Its model is ``services.helper``, in a cascade ``m.services.helper``; it asks
for all that a batch needs at once (:meth:`Model.complete`). A request that failed costs its item what the model would
have added, never the item itself, and stands in the helper's tally as failed.

An operator of the storage that embeds texts or counts tokens says ``needs_services`` and gets the :class:`Services`
last likewise, with or without a model; what it makes is then cached under the embedder and the counter too.

Rules that the conformance suite holds every operator to: inputs are never changed; the same input gives the same
output; an empty history, an empty question, a duplicate record and text in any script are ordinary input; every id is
one of the memory's; a question's ranking holds a unit at most once; scores are finite.
"""
