// Command server generates JSON of a schema over HTTP, with xgrammar and without Python: each request has a matcher of its
// own in the goroutine that serves it, and each token is sent when it is chosen.
//
//	go run ./server xgrammar/libxgrammar_bindings.so localhost:8080
//	curl -N localhost:8080/generate -d '{"schema": {"type": "object"}, "seed": 7, "limit": 40}'
//
// The logits, which a language model would compute, are pseudo-random numbers of the seed.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"

	"github.com/selfsame-ffi/selfsame"

	"example.org/structured/xgrammar"
)

// tokens are the vocabulary: the end of the text, all printable characters of ASCII, and some words.
var tokens = vocabulary()

func vocabulary() []any {
	all := []any{"</s>"}
	for c := ' '; c <= '~'; c++ {
		all = append(all, string(c))
	}
	return append(all, `":`, `": `, "name", "age", "12")
}

// request is the body of a request: at most limit tokens are generated.
type request struct {
	Schema json.RawMessage `json:"schema"`
	Seed   uint64          `json:"seed"`
	Limit  int             `json:"limit"`
}

// step is one line of the answer: the tokens that may come next, and the one that was chosen.
type step struct {
	Mask  []int32 `json:"mask"`
	Token int     `json:"token"`
	Text  string  `json:"text"`
}

// server has what the requests share. Its methods run in any goroutine.
type server struct {
	compiler *xgrammar.GrammarCompiler
}

func newServer(library string) (*server, error) {
	if err := xgrammar.Load(library); err != nil {
		return nil, err
	}
	texts, err := selfsame.NewArray(tokens)
	if err != nil {
		return nil, err
	}
	end, err := selfsame.NewArray([]int64{0})
	if err != nil {
		return nil, err
	}
	info, err := xgrammar.NewTokenizerInfo(texts, 0, selfsame.Optional[int64]{}, end, false)
	if err != nil {
		return nil, err
	}
	compiler, err := xgrammar.NewGrammarCompiler(info, 4, true, -1)
	return &server{compiler}, err
}

// matcher returns a matcher for a schema. The compiler keeps the grammars that it has compiled.
func (s *server) matcher(schema string) (*xgrammar.GrammarMatcher, error) {
	none := selfsame.Optional[int64]{}
	grammar, err := s.compiler.CompileJsonSchema(schema, false, none, nil, true, none, false)
	if err != nil {
		return nil, err
	}
	return xgrammar.NewGrammarMatcher(grammar, nil, false, -1, selfsame.Optional[float64]{})
}

// generate chooses tokens until the text is complete, and sends each.
func generate(matcher *xgrammar.GrammarMatcher, seed uint64, limit int, send func(step) error) error {
	random := rand.New(rand.NewPCG(seed, 0))
	mask := make([]int32, (len(tokens)+31)/32)
	bitmask, err := selfsame.NewTensor(mask, 1, len(mask)) // shares the memory of mask
	if err != nil {
		return err
	}
	for range limit {
		if _, err := matcher.FillNextTokenBitmask(bitmask, 0, false); err != nil {
			return err
		}
		token := sample(random, mask)
		if token < 0 {
			return fmt.Errorf("no token may follow")
		}
		if err := send(step{slices.Clone(mask), token, fmt.Sprint(tokens[token])}); err != nil {
			return err
		}
		if ok, err := matcher.AcceptToken(int64(token), false); err != nil || !ok {
			return fmt.Errorf("token %d is not accepted: %w", token, err)
		}
		if done, err := matcher.IsTerminated(); err != nil || done {
			return err
		}
	}
	return nil
}

// sample returns the allowed token with the greatest logit, -1 when none is allowed.
func sample(random *rand.Rand, mask []int32) int {
	best, greatest := -1, 0.0
	for token := range tokens {
		logit := random.NormFloat64()
		if mask[token/32]>>(token%32)&1 != 0 && (best < 0 || logit > greatest) {
			best, greatest = token, logit
		}
	}
	return best
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	wanted := request{Limit: 64}
	if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	matcher, err := s.matcher(string(wanted.Schema))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer matcher.Release()
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines, flush := json.NewEncoder(w), http.NewResponseController(w)
	err = generate(matcher, wanted.Seed, wanted.Limit, func(s step) error {
		if err := lines.Encode(s); err != nil {
			return err // the client is gone
		}
		return flush.Flush()
	})
	if err != nil {
		_ = lines.Encode(map[string]string{"error": err.Error()})
	}
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: server LIBRARY ADDRESS")
	}
	s, err := newServer(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr()) // the port, where ADDRESS leaves it to the system
	http.HandleFunc("POST /generate", s.serve)
	log.Fatal(http.Serve(listener, nil))
}
