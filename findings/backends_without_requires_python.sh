#!/bin/sh
# Four of five PEP 517 backends say that a project without requires-python runs on Python 2; hatchling writes a version as it
# was typed.
#
# Versions: setuptools 84.2.1, hatchling 1.33.0, flit_core 4.2.0, poetry-core 2.5.0, pdm-backend 2.5.0
#
# Expected: backends that run on Python 3 only tag wheels py3, refuse unknown settings, and write version 1.0-1 as 1.0.post1.
#
# Seen: hatchling, flit_core, poetry-core and pdm-backend give py2.py3-none-any, and poetry-core adds classifiers of
# Python 2; hatchling's metadata say "Version: 1.0-1" where the file's name has 1.0.post1. None minds a setting that nobody
# knows, so that a misspelt one has no effect.
. "$(dirname "$0")/parts/begin.sh"
environment "3.11 3.12 3.13" setuptools==84.2.1 hatchling==1.33.0 flit_core==4.2.0 poetry-core==2.5.0 pdm-backend==2.5.0
cat >build.py <<'P'
import importlib
import os
import sys
import zipfile

backend = importlib.import_module(sys.argv[1])
out = f"{os.getcwd()}-out"
os.mkdir(out)
wheel = backend.build_wheel(out, {"no-such-setting": "1"})
with zipfile.ZipFile(f"{out}/{wheel}") as archive:
    [metadata] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    text = archive.read(metadata).decode()
version = next(line for line in text.splitlines() if line.startswith("Version: "))
print("@", "-".join(wheel.split("-")[1:]), version, "Python :: 2" in text)
P
for backend in setuptools.build_meta hatchling.build flit_core.buildapi poetry.core.masonry.api pdm.backend; do
  mkdir -p $backend/sample
  echo '"""A sample."""' >$backend/sample/__init__.py
  printf '[build-system]\nrequires = []\nbuild-backend = "%s"\n[project]\nname = "sample"\nversion = "1.0-1"\ndescription = "x"\n' \
    $backend >$backend/pyproject.toml
  (cd $backend && "$python" ../build.py $backend 2>&1 | sed -n "s/^@/$backend/p")
done | tee rows
cat >wanted <<'R'
setuptools.build_meta 1.0.post1-py3-none-any.whl Version: 1.0.post1 False
hatchling.build 1.0.post1-py2.py3-none-any.whl Version: 1.0-1 False
flit_core.buildapi 1.0.post1-py2.py3-none-any.whl Version: 1.0.post1 False
poetry.core.masonry.api 1.0.post1-py2.py3-none-any.whl Version: 1.0.post1 True
pdm.backend 1.0.post1-py2.py3-none-any.whl Version: 1.0.post1 False
R
diff wanted rows
