#!/bin/sh
# Go's compiler knows which functions write through an argument, and takes sha256.Sum256, bytes.Index and crc32 for
# writers.
#
# Versions: Go 1.26.8, Go 1.27.3
#
# Expected: -gcflags=-m, which says where a string becomes a []byte without a copy because nobody writes into it, says so
# for the library's functions that only read, and the note "does not escape" says the rest.
#
# Seen: it says so through slices of slices of the argument, results, bytes.Buffer and the source of hex.Encode, and
# not for the target; and not where assembly, an interface, a function value or reflection follows, so
# Sum256, Index, ChecksumIEEE and maphash.Bytes count as writers. "does not escape" holds for writers and readers alike.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
go_module writes 1.26
cat >writes.go <<'G'
package writes

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"hash/maphash"
	"slices"
	"unicode/utf8"
)

var sum [32]byte

func first(b []byte) byte   { return b[0] }
func set(b []byte)          { b[0] = 1 }
func rest(b []byte) []byte  { return b[1:] }
func readRest(s string) byte { return rest([]byte(s))[0] }   // read
func setRest(s string)      { rest([]byte(s))[0] = 1 }       // written
func read(s string) byte    { return first([]byte(s)) }      // read
func write(s string)        { set([]byte(s)) }               // written
func sorted(s string)       { slices.Sort([]byte(s)) }       // written
func valid(s string) bool   { return utf8.Valid([]byte(s)) } // read
func encode(d []byte, s string) { hex.Encode(d, []byte(s)) } // read
func target(s string, d []byte) { hex.Encode([]byte(s), d) } // written
func buffer(s string) int   { var b bytes.Buffer; b.Write([]byte(s)); return b.Len() } // read
func digest(s string)       { sum = sha256.Sum256([]byte(s)) } // only read, yet
func index(s string) int    { return bytes.Index([]byte(s), nil) } // only read, yet
func check(s string) uint32 { return crc32.ChecksumIEEE([]byte(s)) } // only read, yet
func hash(s string) uint64  { return maphash.Bytes(maphash.MakeSeed(), []byte(s)) } // only read, yet
G
for version in 1.26.8 1.27.3; do
  go_is $version
  go build -gcflags=-m . 2>&1 | sed -n 's/^[^:]*writes.go:\([0-9]*\):.*zero-copy string->\[\]byte conversion$/\1/p' | sort -nu >known
  grep -n '// read$' writes.go | cut -d: -f1 | diff - known || { echo "CHANGED with Go $version"; exit 1; }
  echo "seen with Go $version: no copy in lines $(paste -sd' ' known)"
done
