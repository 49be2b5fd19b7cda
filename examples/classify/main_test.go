package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A request whose body is no number of pictures is refused before the network sees it.
func TestBodiesThatAreNoPictures(t *testing.T) {
	var s server // without a network
	for name, body := range map[string]string{
		"empty": "", "a byte too many": strings.Repeat("x", pixels+1), "too many pictures": strings.Repeat("x", (most+1)*pixels),
	} {
		answer := httptest.NewRecorder()
		s.classify(answer, httptest.NewRequest(http.MethodPost, "/classify", strings.NewReader(body)))
		if answer.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d, %s", name, answer.Code, answer.Body)
		}
	}
}
