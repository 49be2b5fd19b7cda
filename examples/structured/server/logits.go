package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
)

// logits gives what a model says of each token.
type logits interface {
	// row returns the logits of a step of the answer to a request. The caller only reads them.
	row(seed, step uint64) []float32
}

// newLogits reads rows of float32 from a file. Without a name the logits are pseudo-random.
func newLogits(name string, tokens int) (logits, error) {
	if name == "" {
		return randomLogits(tokens), nil
	}
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(file) == 0 || len(file)%(4*tokens) != 0 {
		return nil, fmt.Errorf("%s: %d bytes are no rows of %d logits", name, len(file), tokens)
	}
	numbers := make([]float32, len(file)/4)
	_, err = binary.Decode(file, binary.LittleEndian, numbers)
	return recordedLogits{numbers, tokens}, err
}

type recordedLogits struct {
	numbers []float32
	tokens  int
}

func (l recordedLogits) row(seed, step uint64) []float32 {
	i := int((seed + step) % uint64(len(l.numbers)/l.tokens))
	return l.numbers[i*l.tokens:][:l.tokens]
}

// randomLogits is the number of tokens.
type randomLogits int

func (l randomLogits) row(seed, step uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, step))
	row := make([]float32, l)
	for i := range row {
		row[i] = float32(random.NormFloat64())
	}
	return row
}
