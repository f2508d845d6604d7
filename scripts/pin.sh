#!/usr/bin/env bash
# Pins and hashes what pyproject.toml and dev.in ask for. The files hold no index address.
set -euo pipefail
bin=$1
options=(--quiet --generate-hashes --strip-extras --allow-unsafe --no-header --no-annotate
    --no-emit-index-url --no-emit-trusted-host --no-emit-find-links)
"$bin/pip-compile" "${options[@]}" --output-file requirements/default.txt pyproject.toml
"$bin/pip-compile" "${options[@]}" --output-file requirements/dev.txt --extra ocr pyproject.toml requirements/dev.in
"$bin/pip-compile" "${options[@]}" --output-file requirements/bench.txt pyproject.toml requirements/bench.in
