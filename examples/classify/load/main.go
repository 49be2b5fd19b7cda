// Command load sends requests with one picture each to a server of examples/classify, over several connections at a time,
// and prints how many it answered in a second.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const pixels = 256

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: load ADDRESS PICTURES CONNECTIONS REQUESTS")
	}
	address := "http://" + os.Args[1] + "/classify"
	pictures, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	connections, err1 := strconv.Atoi(os.Args[3])
	requests, err2 := strconv.Atoi(os.Args[4])
	if err1 != nil || err2 != nil || connections < 1 || requests < 1 || len(pictures) < pixels {
		log.Fatal("no connections, no requests, or no pictures")
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	send(client, address, pictures[:pixels])
	var next atomic.Int64
	var done sync.WaitGroup
	start := time.Now()
	for range connections {
		done.Add(1)
		go func() {
			defer done.Done()
			for {
				i := int(next.Add(1)) - 1
				if i >= requests {
					return
				}
				at := i % (len(pictures) / pixels) * pixels
				send(client, address, pictures[at:at+pixels])
			}
		}()
	}
	done.Wait()
	fmt.Printf("%.0f\n", float64(requests)/time.Since(start).Seconds())
}

// send sends a picture, and ends the program unless the answer says what it shows.
func send(client *http.Client, address string, picture []byte) {
	answer, err := client.Post(address, "application/octet-stream", bytes.NewReader(picture))
	if err != nil {
		log.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s %v", answer.Status, text, err)
	}
	_ = answer.Body.Close()
}
