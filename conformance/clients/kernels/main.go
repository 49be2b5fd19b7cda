// Command kernels calls kernels that TileLang compiled for the CPU, through the package that `selfsame-ffi bind --go` writes,
// and compares with what ../tilelang_kernels.py stored: `make tilelang` runs both. There is no Python in its process.
//
//	kernels FOLDER
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame"

	"example.org/kernels/kernels"
)

const words = 1000

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(err error) { must(0, err) }

// stored returns the numbers of a file of the folder.
func stored[E selfsame.TensorElement](name string) []E {
	file := must(os.ReadFile(filepath.Join(os.Args[1], name+".bin")))
	numbers := make([]E, len(file)/4)
	must(binary.Decode(file, binary.LittleEndian, numbers))
	return numbers
}

func tensor[E selfsame.TensorElement](numbers []E, shape ...int) *selfsame.Tensor {
	return must(selfsame.NewTensor(numbers, shape...))
}

func main() {
	check(kernels.Load(filepath.Join(os.Args[1], "kernels.so")))
	logits, mask := tensor(stored[float32]("logits"), 3, words), tensor(stored[int32]("mask"), 3, (words+31)/32)
	probabilities := make([]float32, 3*words)
	check(kernels.MaskedSoftmax(logits, mask, tensor(probabilities, 3, words)))
	out := make([]float32, 128*96)
	check(kernels.Product(tensor(stored[float32]("left"), 128, 64), tensor(stored[float32]("right"), 64, 96), tensor(out, 128, 96)))
	for name, got := range map[string][]float32{"probabilities": probabilities, "product": out} {
		if !slices.Equal(got, stored[float32](name)) {
			log.Fatalf("%s: other numbers than in Python", name)
		}
	}

	// One row of a tensor with as many rows as it wants; then wrong arguments, whose errors are those of the kernel.
	check(kernels.MaskedSoftmax(tensor(stored[float32]("logits")[:words], 1, words), tensor(stored[int32]("mask")[:32], 1, 32),
		tensor(probabilities[:words], 1, words)))
	short := tensor(make([]float32, 64), 1, 64)
	err := kernels.Product(short, short, short)
	if err == nil || !strings.Contains(err.Error(), "kernel product input left shape[0]") {
		log.Fatalf("a wrong shape: %v", err)
	}
	for line := range strings.Lines(string(must(os.ReadFile("/proc/self/maps")))) {
		if strings.Contains(line, "python") || strings.Contains(line, "/libtvm_ffi.so") || strings.Contains(line, "tilelang.so") {
			log.Fatalf("the process has %s", line)
		}
	}
	fmt.Printf("TileLang: %d numbers of two kernels are equal in Go and Python; no Python in the process\n", len(out)+len(probabilities))
}
