#!/bin/sh
# Runs the tests of the site and of the page of a graph in headless Chromium. As root on Debian it installs the browser and its driver
# where they are missing, elsewhere it says which packages have them.
#
#   VENV     folder of the environment with what scripts/browser/requirements.txt names (default: build/browser-venv)
#   PYTHON   the Python that makes it (default: python3)
#
# Usage: scripts/browser.sh [argument of pytest ...]
set -eu
cd "$(dirname "$0")/.."
venv=${VENV:-build/browser-venv}
has() { command -v "$1" >/dev/null 2>&1; }
present() { { has chromium || has google-chrome; } && has chromedriver; }
if ! present; then
  if [ "$(id -u)" = 0 ] && has apt-get; then
    echo "installing chromium chromium-driver"
    apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends chromium chromium-driver >/dev/null
  fi
  present || { echo "chromium and chromedriver are missing; on Debian or Ubuntu:  apt-get install chromium chromium-driver" >&2; exit 1; }
fi
[ -x "$venv/bin/pytest" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check -r scripts/browser/requirements.txt
exec "$venv/bin/pytest" -q scripts/browser "$@"
