package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
)

// worker is the pipeline in a process of Python, which is asked with lines of JSON.
type worker struct {
	to      *json.Encoder
	from    *json.Decoder
	columns int
}

func startWorker(program, path, script, file string) (*worker, error) {
	command := exec.Command(program, script, file)
	command.Env = append(os.Environ(), "PYTHONPATH="+path)
	command.Stderr = os.Stderr
	to, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	from, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	w := &worker{to: json.NewEncoder(to), from: json.NewDecoder(from)}
	return w, w.from.Decode(&w.columns)
}

func (w *worker) features() int { return w.columns }

func (w *worker) predict(rows []float64, features int) (result [][]float64, err error) {
	if err := w.to.Encode(slices.Collect(slices.Chunk(rows, features))); err != nil {
		return nil, err
	}
	return result, w.from.Decode(&result)
}
