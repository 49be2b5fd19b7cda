// Command predict serves a scikit-learn pipeline over HTTP. Python runs in its process; README.md says how to start it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
)

// question is the body of a request, answer that of its answer: a row of numbers, and the probability of each class.
type question struct {
	Rows [][]float64 `json:"rows"`
}

type answer struct {
	Probabilities [][]float64 `json:"probabilities"`
}

// a model answers for rows of features, which lie one after another in memory.
type model interface {
	predict(rows []float64, features int) ([][]float64, error)
	features() int
}

func main() {
	program := flag.String("python", "python3", "the Python with scikit-learn and selfsame-ffi")
	path := flag.String("path", "", "folders with packages, as PYTHONPATH has them")
	most := flag.Int("batch", 256, "rows of a batch that is gathered from requests, 1 to answer each alone")
	pipe := flag.String("pipe", "", "ask this Python program over a pipe instead")
	flag.Parse()
	if flag.NArg() != 2 || *most < 1 {
		log.Fatal("usage: predict [-python PROGRAM] [-path FOLDERS] [-batch ROWS] [-pipe WORKER] MODEL ADDRESS")
	}
	var m model
	var err error
	if *pipe != "" {
		m, err = startWorker(*program, *path, *pipe, flag.Arg(0))
	} else {
		m, err = startPython(*program, strings.Split(*path, ":"), flag.Arg(0))
	}
	if err != nil {
		log.Fatalf("%+v", err)
	}
	listener, err := net.Listen("tcp", flag.Arg(1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr()) // the port, where ADDRESS leaves it to the system
	b := newBatcher(m, *most)
	http.HandleFunc("POST /predict", func(w http.ResponseWriter, r *http.Request) {
		var q question
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<24)).Decode(&q)
		if err == nil {
			err = checked(q.Rows, m.features())
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		probabilities, err := b.predict(q.Rows)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer{probabilities})
	})
	log.Fatal(http.Serve(listener, nil))
}

func checked(rows [][]float64, features int) error {
	if len(rows) == 0 {
		return errors.New("expected rows, got none")
	}
	for i, row := range rows {
		if len(row) != features {
			return fmt.Errorf("row %d: expected %d features, got %d", i, features, len(row))
		}
	}
	return nil
}
