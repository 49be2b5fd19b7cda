// Command load sends requests with one row each to a server of examples/predict, over several connections at a time, and
// prints how many it answered in a second, and the median and the 99th percentile of their milliseconds.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"
)

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: load ADDRESS ROWS CONNECTIONS REQUESTS")
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	var rows [][]float64
	if err := json.Unmarshal(text, &rows); err != nil {
		log.Fatal(err)
	}
	connections, err1 := strconv.Atoi(os.Args[3])
	requests, err2 := strconv.Atoi(os.Args[4])
	if err1 != nil || err2 != nil || connections < 1 || requests < connections || len(rows) == 0 {
		log.Fatal("no connections, fewer requests than these, or no rows")
	}
	var bodies [][]byte
	for _, row := range rows {
		body, _ := json.Marshal(map[string]any{"rows": [][]float64{row}})
		bodies = append(bodies, body)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	send(client, bodies[0])
	took := make([][]time.Duration, connections)
	var group sync.WaitGroup
	start := time.Now()
	for c := range connections {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range requests / connections {
				begun := time.Now()
				send(client, bodies[(c+i*connections)%len(bodies)])
				took[c] = append(took[c], time.Since(begun))
			}
		}()
	}
	group.Wait()
	all := time.Since(start).Seconds()
	flat := slices.Sorted(slices.Values(slices.Concat(took...)))
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	fmt.Printf("%.0f %.2f %.2f\n", float64(len(flat))/all, ms(flat[len(flat)/2]), ms(flat[len(flat)*99/100]))
}

// send sends a row, and ends the program unless the answer has probabilities.
func send(client *http.Client, body []byte) {
	response, err := client.Post("http://"+os.Args[1]+"/predict", "application/json", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !bytes.HasPrefix(text, []byte(`{"probabilities":[[`)) {
		log.Fatalf("%s: %s, %v", response.Status, text, err)
	}
}
