# SPDX-License-Identifier: Apache-2.0
#
# The short face of the build; meson.build is the build. Each target installs what it needs first.

BUILD   ?= build
PREFIX  ?= /usr/local
CONSOLE ?= yes

.PHONY: all build run test check bench fuzz coverage install clean help

all: build ## builds $(BUILD)/hustings, libhustings and the test programs

build: # CONSOLE=no leaves the web console out
	@tools/install-packages build
	@tools/set-up-build $(BUILD)
	@CONSOLE=$(CONSOLE) tools/build-console $(BUILD)
	@ninja -C $(BUILD)

run: ## a gateway with a room, a server and a client to look at
	@CONSOLE=$(CONSOLE) tools/install-packages run
	@$(MAKE) --no-print-directory build
	@tools/run-demo $(BUILD)

test: ## every test; the last line counts them
	@tools/install-packages test
	@$(MAKE) --no-print-directory build
	@tools/run-tests $(BUILD)

check: ## form, layers, warnings and sanitizers
	@tools/install-packages check
	@$(MAKE) --no-print-directory build
	@tools/run-checks $(BUILD)

bench: ## the figures of docs/performance.md
	@tools/install-packages bench
	@tools/run-bench

fuzz: ## every fuzz target, SECONDS=60 each
	@tools/install-packages check
	@tools/run-fuzzers $(SECONDS)

coverage: ## line coverage by file, held to its limits
	@tools/install-packages check
	@tools/run-coverage

install: build ## installs below PREFIX=/usr/local (and DESTDIR)
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@meson install -C $(BUILD)

clean: ## removes what was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
