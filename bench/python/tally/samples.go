package tally

import "time"

// Sample is a row of four columns.
type Sample struct {
	ID    int64
	Value float64
	Name  string
	At    time.Time
}

var names = []string{"alpha", "beta", "gamma", "delta"}

// Samples returns n rows.
func Samples(n int) []Sample {
	made := make([]Sample, n)
	for i := range made {
		made[i] = Sample{int64(i), float64(i) / 4, names[i%len(names)], time.Unix(int64(i), 0)}
	}
	return made
}

// Sum adds the values of rows.
func Sum(samples []Sample) (sum float64) {
	for i := range samples {
		sum += samples[i].Value
	}
	return sum
}
