// Command server generates JSON of a schema over HTTP, with xgrammar and without Python: each request has a matcher of its
// own in the goroutine that serves it, and each token is sent when it is chosen.
//
//	go run ./server xgrammar/libxgrammar_bindings.so localhost:8080
//	curl -N localhost:8080/generate -d '{"schema": {"type": "object"}, "seed": 7, "limit": 40}'
//
// The option -tokens names a file tekken.json, as the Python package mistral-common has it, with the tokens of a language model;
// without it they are the characters of ASCII and some words. The logits, which a model would compute, are rows of float32 in
// the file of the option -logits, one for each step from row seed on; without it they are pseudo-random numbers of the seed.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"log"
	"math"
	"math/bits"
	"net"
	"net/http"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"

	"example.org/structured/xgrammar"
)

// request is the body of a request: at most limit tokens are generated.
type request struct {
	Schema json.RawMessage `json:"schema"`
	Seed   uint64          `json:"seed"`
	Limit  int             `json:"limit"`
}

// step is one line of the answer: the token that was chosen, of how many that might come, with the CRC-32 of their bitmask.
type step struct {
	Token   int    `json:"token"`
	Text    string `json:"text"`
	Allowed int    `json:"allowed"`
	Sum     uint32 `json:"sum"`
}

// server has what the requests share. Its methods run in any goroutine.
type server struct {
	vocabulary *vocabulary
	logits     logits
	compiler   *xgrammar.GrammarCompiler
}

func newServer(library string, v *vocabulary, l logits) (*server, error) {
	if err := xgrammar.Load(library); err != nil {
		return nil, err
	}
	texts, err := selfsame.NewArray(v.tokens)
	if err != nil {
		return nil, err
	}
	end, err := selfsame.NewArray([]int64{int64(v.end)})
	if err != nil {
		return nil, err
	}
	info, err := xgrammar.NewTokenizerInfo(texts, &xgrammar.TokenizerInfoOptions{StopTokens: end})
	if err != nil {
		return nil, err
	}
	compiler, err := xgrammar.NewGrammarCompiler(info, nil)
	return &server{v, l, compiler}, err
}

// matcher returns a matcher for a schema. The compiler keeps the grammars that it has compiled.
func (s *server) matcher(schema string) (*xgrammar.GrammarMatcher, error) {
	compact := xgrammar.DefaultGrammarCompilerCompileJSONSchemaOptions()
	compact.AnyWhitespace = false
	grammar, err := s.compiler.CompileJSONSchema(schema, compact)
	if err != nil {
		return nil, err
	}
	return xgrammar.NewGrammarMatcher(grammar, nil)
}

// generate chooses tokens until the text is complete, and sends each.
func (s *server) generate(matcher *xgrammar.GrammarMatcher, seed uint64, limit int, send func(step) error) error {
	mask := make([]int32, (len(s.vocabulary.tokens)+31)/32)
	bitmask, err := selfsame.NewTensor(mask, 1, len(mask)) // shares the memory of mask
	if err != nil {
		return err
	}
	for i := range limit {
		logits := s.logits.row(seed, uint64(i))
		if _, err := matcher.FillNextTokenBitmask(bitmask, nil); err != nil {
			return err
		}
		token, allowed := sample(logits, mask)
		if token < 0 {
			return fmt.Errorf("no token may follow")
		}
		if ok, err := matcher.AcceptToken(int64(token), false); err != nil || !ok {
			return fmt.Errorf("token %d is not accepted: %w", token, err)
		}
		sum := crc32.ChecksumIEEE(unsafe.Slice((*byte)(unsafe.Pointer(&mask[0])), 4*len(mask)))
		if err := send(step{token, s.vocabulary.text(token), allowed, sum}); err != nil {
			return err
		}
		if done, err := matcher.IsTerminated(); err != nil || done {
			return err
		}
	}
	return nil
}

// sample returns the allowed token with the greatest logit, the first of equal ones, and how many are allowed; -1 when none is.
func sample(logits []float32, mask []int32) (token, allowed int) {
	token = -1
	greatest := float32(math.Inf(-1))
	for i, word := range mask {
		part := logits[32*i : min(32*i+32, len(logits))]
		rest := uint32(word) & (1<<len(part) - 1) // the last word has bits of no token
		count := bits.OnesCount32(rest)
		allowed += count
		if token >= 0 && count >= dense && len(part) == 32 {
			if j, logit := greater((*[32]float32)(part), rest, greatest); j >= 0 {
				token, greatest = 32*i+j, logit
			}
			continue
		}
		for ; rest != 0; rest &= rest - 1 {
			if j := bits.TrailingZeros32(rest); token < 0 || part[j] > greatest {
				token, greatest = 32*i+j, part[j]
			}
		}
	}
	return token, allowed
}

// dense is of how many tokens in a word it takes less time to compare all the 32 logits.
const dense = 8

// greater returns the place of the greatest logit above a limit of those with a bit, and the logit; -1 when there is none. Few
// words have one: a branch that is hardly ever taken costs less than to find the place of the next bit.
func greater(logits *[32]float32, with uint32, limit float32) (int, float32) {
	found := -1
	for j := 0; j < 32; j += 8 {
		l := (*[8]float32)(logits[j:])
		if !(l[0] > limit || l[1] > limit || l[2] > limit || l[3] > limit ||
			l[4] > limit || l[5] > limit || l[6] > limit || l[7] > limit) {
			continue
		}
		for k, logit := range l {
			if logit > limit && with>>(j+k)&1 != 0 {
				found, limit = j+k, logit
			}
		}
	}
	return found, limit
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
	err = s.generate(matcher, wanted.Seed, wanted.Limit, func(s step) error {
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
	tokens := flag.String("tokens", "", "`file` tekken.json with the tokens")
	recorded := flag.String("logits", "", "`file` with rows of logits")
	flag.Parse()
	if flag.NArg() != 2 {
		log.Fatal("usage: server [-tokens FILE] [-logits FILE] LIBRARY ADDRESS")
	}
	v, err := newVocabulary(*tokens)
	if err != nil {
		log.Fatal(err)
	}
	l, err := newLogits(*recorded, len(v.tokens))
	if err != nil {
		log.Fatal(err)
	}
	s, err := newServer(flag.Arg(0), v, l)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", flag.Arg(1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr()) // the port, where ADDRESS leaves it to the system
	http.HandleFunc("POST /generate", s.serve)
	log.Fatal(http.Serve(listener, nil))
}
