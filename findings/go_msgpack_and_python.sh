#!/bin/sh
# A Go map with int keys, packed as MessagePack, cannot be read by msgpack and ormsgpack of Python; in Go, 5 comes back as int8,
# uint8 and uint64 from three packages.
#
# Versions: Go 1.26.8, vmihailenco/msgpack 5.4.1, shamaton/msgpack 2.4.0, fxamacker/cbor 2.10.0, msgpack 1.2.4, ormsgpack 1.13.1,
# msgspec 0.22.0, cbor2 6.3.0
#
# Expected: formats without a schema carry maps, times and structs between their libraries.
#
# Seen: as above, since both want options for other keys than texts; msgspec reads them. A time is a Timestamp, an error and a
# datetime in the three; CBOR has a plain number for it, and null for the zero time. shamaton loses the value of the key NaN, and
# nests an embedded struct, where the others write its fields. vmihailenco cannot read a map with int keys into an `any`, which it
# wrote itself.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
environment "3.11 3.12 3.13" msgpack==1.2.4 ormsgpack==1.13.1 msgspec==0.22.0 cbor2==6.3.0
cat >go.mod <<'G'
module example.com/messages
go 1.26
G
cat >main.go <<'G'
package main

import (
	"encoding/hex"
	"fmt"
	"math"
	"time"

	"github.com/fxamacker/cbor/v2"
	shamaton "github.com/shamaton/msgpack/v2"
	"github.com/vmihailenco/msgpack/v5"
)

type Inner struct{ X int }

type Outer struct {
	Inner
	Y int
}

func main() {
	packages := []struct {
		name   string
		write  func(any) ([]byte, error)
		read   func([]byte, any) error
		intKey string
	}{
		{"vmihailenco", msgpack.Marshal, msgpack.Unmarshal, "8101a161"},
		{"shamaton", func(v any) ([]byte, error) { return shamaton.Marshal(v) }, shamaton.Unmarshal, "8101a161"},
		{"cbor", cbor.Marshal, cbor.Unmarshal, "a1016161"},
	}
	for _, p := range packages {
		for name, v := range map[string]any{
			"int keys": map[int]string{1: "a"}, "time": time.Unix(0, 0), "no time": time.Time{}, "embedded": Outer{},
			"NaN": map[float64]int{math.NaN(): 1},
		} {
			data, err := p.write(v)
			fmt.Printf("%s|%s|%s|%v\n", p.name, name, hex.EncodeToString(data), err)
		}
		for name, text := range map[string]string{"5": "05", "{1: a}": p.intKey} {
			data, _ := hex.DecodeString(text)
			var v any
			err := p.read(data, &v)
			fmt.Printf("%s|read %s|%T|%v\n", p.name, name, v, err)
		}
	}
}
G
go get github.com/vmihailenco/msgpack/v5@v5.4.1 github.com/shamaton/msgpack/v2@v2.4.0 github.com/fxamacker/cbor/v2@v2.10.0 2>log ||
  missing "Go modules: $(cat log)"
go run . >written
"$python" - <<'P'
import datetime

import cbor2
import msgpack
import msgspec
import ormsgpack
from seen import end, seen

written = {}
for line in open("written"):
    package, name, text, error = line.rstrip("\n").split("|")
    written[package, name] = text
    print(line, end="")
read = {"msgpack": msgpack.unpackb, "ormsgpack": ormsgpack.unpackb, "msgspec": msgspec.msgpack.decode, "cbor2": cbor2.loads}


def through(package: str, name: str, reader: str) -> object:
    return read[reader](bytes.fromhex(written[package, name]))


epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
for reader, keys, time in (
    ("msgpack", "ValueError: int is not allowed for map key", msgpack.Timestamp(0)),
    ("ormsgpack", "ValueError: invalid type", "ValueError: ext_hook missing"), ("msgspec", {1: "a"}, epoch),
):  # fmt: skip
    for package in ("vmihailenco", "shamaton"):
        seen(f"int keys, {package} to {reader}", lambda p=package, r=reader: through(p, "int keys", r), keys)
        seen(f"a time, {package} to {reader}", lambda p=package, r=reader: through(p, "time", r), time)
seen("int keys in CBOR", lambda: through("cbor", "int keys", "cbor2"), {1: "a"})
seen("a time, and the zero one, in CBOR", lambda: [through("cbor", n, "cbor2") for n in ("time", "no time")], [0, None])
for package, nested in (("vmihailenco", {"X": 0, "Y": 0}), ("shamaton", {"Inner": {"X": 0}, "Y": 0})):
    seen(f"an embedded struct, {package}", lambda p=package: through(p, "embedded", "msgspec"), nested)
for package, value in (("vmihailenco", 1), ("shamaton", None)):
    seen(f"the value of NaN, {package}", lambda p=package: list(through(p, "NaN", "msgspec").values()), [value])
for package, five, keys in (
    ("vmihailenco", "int8", "<nil>"), ("shamaton", "uint8", "map[interface {}]interface {}"),
    ("cbor", "uint64", "map[interface {}]interface {}"),
):  # fmt: skip
    seen(f"type of 5, {package}", written[package, "read 5"], five)
    seen(f"type of a map with int keys, {package}", written[package, "read {1: a}"], keys)
end()
P
