package main

// batcher gathers the rows of requests that wait while the model answers others, and asks it once for all of them. It waits
// for nothing: a request that comes alone is answered alone.
type batcher struct {
	model   model
	most    int
	waiting chan *job
}

// job is a request that waits.
type job struct {
	rows   [][]float64
	result [][]float64
	err    error
	done   chan struct{}
}

func newBatcher(m model, most int) *batcher {
	b := &batcher{model: m, most: most, waiting: make(chan *job, most)}
	go b.run()
	return b
}

// predict answers for the rows of one request. Any goroutine may call it.
func (b *batcher) predict(rows [][]float64) ([][]float64, error) {
	j := &job{rows: rows, done: make(chan struct{})}
	b.waiting <- j
	<-j.done
	return j.result, j.err
}

func (b *batcher) run() {
	for first := range b.waiting {
		jobs, rows := []*job{first}, len(first.rows)
		for more := true; more && rows < b.most; {
			select {
			case next := <-b.waiting:
				jobs, rows = append(jobs, next), rows+len(next.rows)
			default:
				more = false
			}
		}
		b.answer(jobs, rows)
	}
}

func (b *batcher) answer(jobs []*job, rows int) {
	features := b.model.features()
	flat := make([]float64, 0, rows*features)
	for _, j := range jobs {
		for _, row := range j.rows {
			flat = append(flat, row...)
		}
	}
	result, err := b.model.predict(flat, features)
	for _, j := range jobs {
		if j.err = err; err == nil {
			j.result, result = result[:len(j.rows)], result[len(j.rows):]
		}
		close(j.done)
	}
}
