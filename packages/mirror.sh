#!/usr/bin/env bash
# Prints the address from which apt has Debian 12's packages here; nothing where it has none.
set -euo pipefail
architecture=$(dpkg --print-architecture)
# shellcheck disable=SC2016 # words of apt-get
apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT) $(ARCHITECTURE)' 'Created-By: Packages' 2>/dev/null |
    awk -v architecture="$architecture" '$2 == "bookworm" && $3 == "main" && $4 == architecture && !found++ { print $1 }'
