#!/bin/sh
# gocron takes a variadic func as a task and does not call it, unless there is one argument for "..."; its events say that it ran.
#
# Versions: Go 1.26.8, go-co-op/gocron 2.21.2
#
# Expected: NewJob, which compares the arguments of a task with its func, refuses a func that it cannot call.
#
# Seen: a variadic func is taken with any arguments, and called where they are as many as its parameters. Without a call the event
# for a job that ran comes, and none for an error. A func with a parameter of type any is refused for an int, since NewJob compares
# kinds; one with a parameter of type error is called.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.14 3.13 3.12 3.11 3.10 3.9"
go_module tasks 1.26
cat >main.go <<'G'
package main

import (
	"errors"
	"fmt"

	"github.com/go-co-op/gocron/v2"
	"github.com/google/uuid"
)

func main() {
	scheduler, err := gocron.NewScheduler(gocron.WithLimitConcurrentJobs(1, gocron.LimitModeWait))
	if err != nil {
		panic(err)
	}
	scheduler.Start()
	now := gocron.OneTimeJob(gocron.OneTimeJobStartImmediately())
	for _, c := range []struct {
		name string
		task func(ran func()) any
		args []any
	}{
		{"none", func(ran func()) any { return func() { ran() } }, nil},
		{"variadic", func(ran func()) any { return func(...int) { ran() } }, nil},
		{"variadic, two", func(ran func()) any { return func(...int) { ran() } }, []any{1, 2}},
		{"text and one", func(ran func()) any { return func(string, ...any) { ran() } }, []any{"a", 1}},
		{"text and two", func(ran func()) any { return func(string, ...any) { ran() } }, []any{"a", 1, 2}},
		{"any", func(ran func()) any { return func(any) { ran() } }, []any{1}},
		{"error", func(ran func()) any { return func(error) { ran() } }, []any{errors.New("late")}},
	} {
		ran, events := 0, 0
		count := func(uuid.UUID, string) { events++ }
		_, err := scheduler.NewJob(now, gocron.NewTask(c.task(func() { ran++ }), c.args...), gocron.WithEventListeners(
			gocron.AfterJobRuns(count), gocron.AfterJobRunsWithError(func(id uuid.UUID, name string, _ error) { count(id, name) })))
		// Jobs run one at a time and in order, so a second one tells when the first is over.
		done := make(chan struct{})
		if _, failed := scheduler.NewJob(now, gocron.NewTask(func() { close(done) })); failed != nil {
			panic(failed)
		}
		<-done
		fmt.Printf("%s|%t|%d|%d\n", c.name, err == nil, ran, events)
	}
}
G
go get github.com/go-co-op/gocron/v2@v2.21.2 2>log || missing "Go modules: $(cat log)"
go mod tidy 2>log || missing "Go modules: $(cat log)"
go run . >written
"$python" - <<'P'
from seen import end, seen

rows = dict(line.rstrip("\n").split("|", 1) for line in open("written"))
for name, taken_ran_events in (
    ("none", "true|1|1"), ("variadic", "true|0|1"), ("variadic, two", "true|0|1"), ("text and one", "true|1|1"), ("text and two", "true|0|1"),
    ("any", "false|0|0"), ("error", "true|1|1"),
):  # fmt: skip
    seen(name, rows[name], taken_ran_events)
end()
P
