# Sous: build, try, test, install. `make help` lists the targets.

PREFIX ?= /usr/local
MINUTES ?= 10
SEEDS ?= 1000
PACKAGES := libsqlite3-dev libssl-dev libyaml-dev libre2-dev zlib1g-dev g++ libpango1.0-dev libcairo2-dev \
	libcmark-gfm-dev libcmark-gfm-extensions-dev \
	libhunspell-1.7-0 hunspell-de-de hunspell-de-ch hunspell-en-us hunspell-en-gb
TEST_PACKAGES := python3 python3-venv sqlite3 strace openssl nghttp2-server python3-aiosmtpd publicsuffix dovecot-imapd dovecot-lmtpd \
	dovecot-sieve postfix glewlwyd poppler-utils fonts-dejavu-core fonts-noto-color-emoji

# What the installed form and the packages are made with.
PACKAGE_TOOLS := python3 binutils patchelf
DEBIAN_TOOLS := debhelper dpkg-dev fakeroot xz-utils

.DEFAULT_GOAL := help
.PHONY: help packages test-packages build demo test format lint bench fuzz chaos office simulate docs install package release clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages:
	@Scripts/install-packages.sh $(PACKAGES)

test-packages: packages
	@Scripts/install-packages.sh $(TEST_PACKAGES)

build: packages ## Build the program and its plugins (release)
	@swift build -c release

demo: build ## Build, then make a digest of the mailbox in examples/
	@Scripts/demo.sh "$$(swift build -c release --show-bin-path)"

test: test-packages ## Lint, run all tests
	@Scripts/check.sh

format: ## Format the Swift sources in place
	@swift format format --in-place --parallel --recursive Package.swift Sources plugins Tests examples

lint: ## Check format, folders that use each other, forbidden marks, links
	@Scripts/check.sh format rooms words source docs

bench: build ## Measure against public peers
	@Benchmarks/run.sh "$$(swift build -c release --show-bin-path)"

fuzz: packages ## Feed mutated input to the readers for MINUTES (default 10)
	@Scripts/fuzz.sh "$(MINUTES)"

simulate: packages ## Simulate it with faults that seeds decide (SEEDS=1000, SEED=, PLANT=)
	@swift build -c release --product Simulation
	@Scripts/simulate.sh "$$(swift build -c release --show-bin-path)/Simulation" "$(SEEDS)"

chaos: build ## Kill it, starve it, run it twice (PART=, RUNS=, KILLS=, SEED=)
	@python3 Scripts/chaos "$$(swift build -c release --show-bin-path)/sous" $(PART)

office: test-packages build ## Play a day at an office and judge it, as root (SEED=, DAYS=1, MESSAGES=2000, KILLS=20)
	@python3 Scripts/office "$$(swift build -c release --show-bin-path)/sous"

docs: packages ## Write the reference pages that come from the code
	@Scripts/docs.sh

# A build of its own, without the path of this folder in the program: two clones make the same package.
PACKAGED := -c release --scratch-path .build/packaged -Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xcxx -ffile-prefix-map=$(CURDIR)=. -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.

package: packages ## Make the Debian package and the tarball in dist/
	@Scripts/install-packages.sh $(PACKAGE_TOOLS) $(DEBIAN_TOOLS)
	@swift build $(PACKAGED)
	@Scripts/smoke.sh "$$(swift build $(PACKAGED) --show-bin-path)/sous"
	@Scripts/package.sh "$$(swift build $(PACKAGED) --show-bin-path)"

release: ## Make the packages of a clean clone, and tag it with the version
	@Scripts/release.sh

install: build ## Install below PREFIX (default /usr/local)
	@Scripts/install-packages.sh $(PACKAGE_TOOLS)
	@Scripts/install.sh "$$(swift build -c release --show-bin-path)" "$(PREFIX)"

clean: ## Remove what the build made
	@rm -rf .build
