// Command classify names the digits in pictures over HTTP, with a network that TVM compiled and without Python.
// docs/tvm-from-go.md says how to compile the network and to run it.
//
//	go run . libtvm_runtime.so model.so localhost:8080 2
//	curl localhost:8080/classify --data-binary @pictures.bin
//
// A picture has 16 x 16 bytes; a request has any number of them, up to 4,096.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/tvm"
)

// Pictures of a request at most, so that no request takes all memory.
const most = 4096

// answer is the body of an answer: for each picture the digit, and the probability of each of the ten.
type answer struct {
	Digits        []int       `json:"digits"`
	Probabilities [][]float32 `json:"probabilities"`
}

type server struct {
	classifier *classifier
	executable *tvm.Executable
}

func (s *server) classify(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most*pixels))
	if err == nil && (len(body) == 0 || len(body)%pixels != 0) {
		err = fmt.Errorf("the body has %d bytes, which is no number of pictures of %d", len(body), pixels)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	probabilities, err := s.classifier.classify(r.Context(), body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var a answer
	for each := range slices.Chunk(probabilities, digits) {
		a.Digits = append(a.Digits, slices.Index(each, slices.Max(each)))
		a.Probabilities = append(a.Probabilities, each)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a)
}

// profile answers with what each kernel takes for one picture.
func (s *server) profile(w http.ResponseWriter, _ *http.Request) {
	costs, err := profile(s.executable)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(costs)
}

func profile(executable *tvm.Executable) ([]tvm.Cost, error) {
	vm, err := executable.NewVM(tvm.Config{})
	if err != nil {
		return nil, err
	}
	defer vm.Release()
	black, err := selfsame.NewTensor(make([]float32, pixels), 1, 1, side, side)
	if err != nil {
		return nil, err
	}
	defer black.Release()
	return vm.Profile("forward", black)
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: classify RUNTIME MODEL ADDRESS WORKERS")
	}
	workers, err := strconv.Atoi(os.Args[4])
	if err != nil || workers < 1 {
		log.Fatalf("%s is no number of workers", os.Args[4])
	}
	if err := tvm.Load(os.Args[1]); err != nil {
		log.Fatal(err)
	}
	executable, err := tvm.LoadExecutable(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	c, err := newClassifier(executable, workers)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr()) // the port, where ADDRESS leaves it to the system
	s := &server{c, executable}
	http.HandleFunc("POST /classify", s.classify)
	http.HandleFunc("GET /profile", s.profile)
	log.Fatal(http.Serve(listener, nil))
}
