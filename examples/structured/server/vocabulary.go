package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// vocabulary is what a model writes in: the tokens, as text or bytes, and the one that ends a text.
type vocabulary struct {
	tokens []any
	end    int
}

// text returns what a token writes; the end of the text is empty.
func (v *vocabulary) text(token int) string {
	if token == v.end {
		return ""
	}
	if b, ok := v.tokens[token].([]byte); ok {
		return string(b)
	}
	return v.tokens[token].(string)
}

// newVocabulary reads a file tekken.json. Without a name the tokens are the end, all printable characters of ASCII, and some words.
func newVocabulary(name string) (*vocabulary, error) {
	if name != "" {
		return tekken(name)
	}
	v := &vocabulary{tokens: []any{"</s>"}}
	for c := ' '; c <= '~'; c++ {
		v.tokens = append(v.tokens, string(c))
	}
	v.tokens = append(v.tokens, `":`, `": `, "name", "age", "12")
	return v, nil
}

// tekken reads the tokens of a model of Mistral: first the special ones, which write nothing, then those of the vocabulary by rank.
func tekken(name string) (*vocabulary, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var file struct {
		Config struct {
			Size    int `json:"default_vocab_size"`
			Special int `json:"default_num_special_tokens"`
		} `json:"config"`
		Vocab []struct {
			Bytes []byte `json:"token_bytes"`
		} `json:"vocab"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	ordinary := file.Config.Size - file.Config.Special
	if file.Config.Special <= 2 || ordinary <= 0 || ordinary > len(file.Vocab) {
		return nil, fmt.Errorf("%s: %d tokens, %d of them special, but %d in the vocabulary", name, file.Config.Size, file.Config.Special,
			len(file.Vocab))
	}
	v := &vocabulary{end: 2} // </s>
	for range file.Config.Special {
		v.tokens = append(v.tokens, []byte{})
	}
	for _, token := range file.Vocab[:ordinary] {
		v.tokens = append(v.tokens, token.Bytes)
	}
	return v, nil
}
