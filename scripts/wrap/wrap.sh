#!/bin/sh
# Wraps Go libraries with `selfsame-ffi wrap`, without a line written, checks the types of each package, and does a small job with it
# from Python. Fetches the libraries. The arguments choose some: scripts/wrap/wrap.sh roaring goja
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
tool=${TOOL:-$root/build/bin/selfsame-ffi}
python=${PYTHON:-$root/build/venv/bin/python}
# Both are run in other folders, so that a path from the repository's root (the Makefile gives one) is made absolute.
case $tool in /*) ;; *) tool=$root/$tool ;; esac
case $python in */*) case $python in /*) ;; *) python=$root/$python ;; esac ;; esac
folder=$root/build/wrap
mkdir -p "$folder"
failed=

# Every package's annotations are checked as strictly as mypy can.
checker=$folder/check-venv
"$python" -m scripts.tools.environments venv "$checker" "$(grep '^mypy==' scripts/requirements-check.txt)"

while read -r name paths; do
  case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
  echo "=== $name ($paths)"
  # shellcheck disable=SC2086 # several import paths are several arguments
  if (cd "$folder" && "$tool" wrap $paths --name "$name" --replace "$root" --accept) &&
    (cd "$folder/$name/build" && "$checker/bin/mypy" --strict --follow-imports=silent --python-executable "$python" "$name") &&
    PYTHONPATH=$folder/$name/build "$python" -m pytest -q -p no:cacheprovider "$(grep -l "^def test_$name(" "$root"/scripts/wrap/jobs/*.py)::test_$name"; then
    :
  else
    failed="$failed $name"
  fi
done <<'LIBRARIES'
roaring github.com/RoaringBitmap/roaring/v2
excelize github.com/xuri/excelize/v2
mat gonum.org/v1/gonum/mat
git github.com/go-git/go-git/v5
cel github.com/google/cel-go/cel
goja github.com/dop251/goja
yaml gopkg.in/yaml.v3
url net/url
regexp regexp
gotime time
gjson github.com/tidwall/gjson
godecimal github.com/shopspring/decimal
gouuid github.com/google/uuid
gotoml github.com/BurntSushi/toml
goldmark github.com/yuin/goldmark
bbolt go.etcd.io/bbolt
chi github.com/go-chi/chi/v5
cobra github.com/spf13/cobra
prometheus github.com/prometheus/client_golang/prometheus
zerolog github.com/rs/zerolog
bleve github.com/blevesearch/bleve/v2
protobuf google.golang.org/protobuf/proto google.golang.org/protobuf/types/known/structpb google.golang.org/protobuf/encoding/protojson
otel go.opentelemetry.io/otel/sdk/trace go.opentelemetry.io/otel/sdk/trace/tracetest
hcl github.com/hashicorp/hcl/v2/hclparse github.com/zclconf/go-cty/cty
semver github.com/Masterminds/semver/v3
fsnotify github.com/fsnotify/fsnotify
xhtml golang.org/x/net/html
goquery github.com/PuerkitoBio/goquery
lua github.com/yuin/gopher-lua
logrus github.com/sirupsen/logrus
humanize github.com/dustin/go-humanize
ini gopkg.in/ini.v1
lru github.com/hashicorp/golang-lru/v2
lo github.com/samber/lo
jwt github.com/golang-jwt/jwt/v5
mux github.com/gorilla/mux
redblack github.com/emirpasic/gods/trees/redblacktree
afero github.com/spf13/afero
pflag github.com/spf13/pflag
gocache github.com/patrickmn/go-cache
gozip archive/zip
gosql database/sql modernc.org/sqlite
LIBRARIES

if [ -n "$failed" ]; then
  echo "wrap: failed:$failed" >&2
  exit 1
fi
