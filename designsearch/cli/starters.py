"""The files that ``designsearch init`` writes."""

from __future__ import annotations

DESIGN = """\
# yaml-language-server: $schema={schema}
version: 1
name: my-memory
about: Words and meaning searched side by side; the best of both shown in order of time.

storage:
  units: {{op: records}}                # one memory is one record; designsearch ops lists the others
  views:                              # further texts to search a memory by; raw is its own text
    window: {{op: window, before: 1, after: 1}}

retrieval:                            # read from top to bottom
  - {{op: bm25, k: 200}}                # by words
  - {{op: dense, view: window, k: 200}} # by meaning, with the neighbours as context
  - {{op: rrf}}                         # both rankings become one
  - {{op: take, k: 100}}

context:                              # what the answering model reads, within the budget of the study
  item: "[{{{{ unit.time | day }}}}] {{{{ unit.author }}}}: {{{{ unit.text }}}}"
  order: chronological                # relevance | chronological | edges
"""

STUDY = """\
# yaml-language-server: $schema={schema}
version: 1
study: {study}

data:                                 # one entry a history
  - history: {history}
    questions: {questions}  # made from the history by {{generate: ...}}; official: those it brings; or a file

base: design.yaml                     # where the search begins
context_budget: 4000                  # tokens, equal for all designs
objective: evidence_coverage          # what is to rise; accuracy as soon as there is a model worth the name

# models:                             # without them rules answer and nothing leaves this machine; two lines change that
#   default: {{model: NAME, base_url: "http://127.0.0.1:8080/v1"}} # an OpenAI-compatible server; local: this machine
#   judge: {{model: NAME, api_key_env: OPENAI_API_KEY, price: {{input: 0.4, output: 1.6}}}} # another one for one role

split: {{train: 0.5, validation: 0.3, locked: 0.2}}
proposer: {{op: mixed}}                 # rules | sampler | fit | llm | mixed
accept: {{op: paired, alpha: 0.1}}      # a revision is kept only where chance does not explain its gain
budget: {{trials: 30}}
seed: 0
"""
