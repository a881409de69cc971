# Everything a person or CI runs. `make help` lists the targets.
SHELL := /bin/sh
.DEFAULT_GOAL := help

# Found once a run, and only by targets that need them.
UV = $(shell .ci/find-uv)
VENV := .venv
STAMP := $(VENV)/.synced
RUN := $(VENV)/bin
ARGS ?=
PYTEST_ARGS ?=

# The tests start many processes; without bytecode each of them compiles all it imports, which takes longer than its work.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo up test acceptance check lint types arch deps contract protos protos-check migrate mutants bench tck env format clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml uv.lock $(wildcard libs/*/pyproject.toml apps/*/pyproject.toml)
	@uv=$$(.ci/find-uv) && python=$$(.ci/find-python "$$uv") && export UV_PYTHON="$$python" && \
	    { "$$uv" sync --locked --quiet 2>.sync.log || UV_SYSTEM_CERTS=true "$$uv" sync --locked --quiet || \
	    { cat .sync.log >&2; exit 1; }; }; result=$$?; rm -f .sync.log; exit $$result
	@touch $@

demo: $(STAMP) ## Start everything, load the demo catalogue, answer three questions (ARGS=--once exits after them)
	@$(RUN)/enishi demo $(ARGS)

up: $(STAMP) ## Start the embedded stack and stay up
	@$(RUN)/enishi up $(ARGS)

test: $(STAMP) ## All tests that fit in minutes
	@$(RUN)/pytest -n 2 $(PYTEST_ARGS)

acceptance: $(STAMP) ## The long proofs, on top of the tests
	@$(RUN)/pytest --slow $(PYTEST_ARGS)

check: lint types arch deps protos-check contract ## Lint, types, arrows of import, dependencies, generated code, contract tests

lint: $(STAMP)
	@$(RUN)/ruff check . && $(RUN)/ruff format --check .

types: $(STAMP)
	@$(RUN)/pyright

arch: $(STAMP)
	@$(RUN)/lint-imports

deps: $(STAMP)
	@for package in libs/* apps/*; do (cd $$package && ../../$(RUN)/deptry src) || exit 1; done

contract: $(STAMP)
	@$(RUN)/pytest -q tests/contract $(PYTEST_ARGS)

protos: $(STAMP) ## Generate the gRPC code from protos/
	@$(RUN)/python -m grpc_tools.protoc -Iprotos --plugin=protoc-gen-mypy_grpc=$(RUN)/protoc-gen-mypy_grpc \
	    --python_out=libs/agent_api/src --pyi_out=libs/agent_api/src --grpc_python_out=libs/agent_api/src \
	    --mypy_grpc_out=quiet:libs/agent_api/src protos/agent_api/v1/*.proto

protos-check: protos
	@git diff --exit-code --stat -- libs/agent_api/src/agent_api/v1

migrate: $(STAMP) ## Bring the database of ENISHI_POSTGRES_DSN to the newest schema
	@$(RUN)/enishi migrate $(ARGS)

bench: $(STAMP) ## Measure a small catalogue beside its peers (ARGS="full --json FILE" for the whole one)
	@"$(UV)" run --locked --group bench enishi bench $(or $(ARGS),quick)

tck: $(STAMP) ## Ask the graph language the openCypher TCK; the last line has the sums (ARGS="--data DIR" or ENISHI_DATA)
	@$(RUN)/enishi eval tck $(ARGS)

env: .env ## Write .env with fresh passwords for docker compose

.env:
	@umask 077; secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }; { \
	    echo "ENISHI_POSTGRES_PASSWORD=$$(secret)"; echo "ENISHI_QDRANT_API_KEY=$$(secret)"; \
	    echo "ENISHI_INTERNAL_TOKEN=$$(secret)"; echo "ENISHI_API_KEYS={\"owner\":\"$$(secret)\"}"; } > $@
	@echo "wrote .env; the key of the principal 'owner' is in ENISHI_API_KEYS"

mutants: $(STAMP) ## Switch guards off one at a time; each must turn a named test red
	@$(RUN)/python tests/mutants/run.py $(ARGS)

format: $(STAMP) ## Format and fix what can be fixed
	@$(RUN)/ruff check --fix -q . ; $(RUN)/ruff format -q .

clean: ## Remove the environment and what tests leave behind
	@rm -rf $(VENV) .tools .pytest_cache .ruff_cache .hypothesis .import_linter_cache
