#!/bin/sh
# An editable installation with pdm-backend puts a file .gitignore with "*" into site-packages.
#
# Versions: pdm-backend 2.5.0
#
# Expected: an editable wheel holds a .pth file and the metadata.
#
# Seen: the wheel takes all of the backend's working folder .pdm-build, and so its .gitignore, as a file beside the
# packages; an environment that is kept in git ignores what is installed next to it from there on, and two such
# packages own one file, which goes with the first that is uninstalled.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" pdm-backend==2.5.0
mkdir -p project/sample
touch project/sample/__init__.py
printf '[build-system]\nrequires = ["pdm-backend"]\nbuild-backend = "pdm.backend"\n[project]\nname = "sample"\nversion = "1.0"\n' \
  >project/pyproject.toml
venv/bin/pip install -q --no-build-isolation -e ./project
"$python" - <<'P'
import sysconfig
from pathlib import Path

from seen import end, seen

site = Path(sysconfig.get_paths()["purelib"])
ignored = site / ".gitignore"
seen("text of site-packages/.gitignore", ignored.read_text().strip(), "*")
[record] = site.glob("sample-1.0.dist-info/RECORD")
seen("the package owns it", any(line.startswith(".gitignore,") for line in record.read_text().splitlines()), True)
end()
P
