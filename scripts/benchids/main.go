// Command benchids measures the generator and its text forms beside other
// libraries. Everything that is compared takes turns within one run, sample by
// sample, so that whatever else the machine does meets all of them alike.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 200, "samples of each figure; bursts and sustained rates take a 20th, but at least 6")
	raw := flag.String("raw", "", "file that takes every sample, in the form that benchstat reads")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 6 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*rounds, *raw); err != nil {
		fmt.Fprintln(os.Stderr, "benchids:", err)
		os.Exit(1)
	}
}

func run(rounds int, raw string) (err error) {
	ours, err := openOurs()
	if err != nil {
		return err
	}
	defer func() {
		if e := ours.close(); err == nil {
			err = e
		}
	}()
	peers, err := openPeers()
	if err != nil {
		return err
	}
	all := append(ours.sources(), peers...)
	few := max(6, rounds/20)

	fmt.Printf("load:    %s before, on %d threads\n", load(), runtime.GOMAXPROCS(0))
	serial := newTable("serial", fmt.Sprintf("one goroutine, samples of %d IDs", serialSample), "ns/ID")
	parallel := newTable("parallel", fmt.Sprintf("%d goroutines on one generator, samples of %d IDs", runtime.GOMAXPROCS(0), 2*serialSample), "ns/ID")
	burst := newTable("burst", fmt.Sprintf("one goroutine, %d IDs without a pause, or a quarter of a second", burstSample), "ns/ID")
	sustained := newTable("sustained", "one goroutine that never stops, all advance used up", "ns/ID")
	for _, s := range all {
		limited := s.limited()
		upTo := time.Duration(0)
		if limited {
			upTo = burstTime
		}
		serial.add(entry{name: s.name, op: s.op, n: serialSample, upTo: upTo, limited: limited, mallocs: true})
		parallel.add(entry{name: s.name, op: s.op, parallel: true, n: 2 * serialSample, upTo: upTo, limited: limited})
		burst.add(entry{name: s.name, op: s.op, n: burstSample, upTo: burstTime, limited: limited})
		sustained.add(entry{name: s.name, op: s.op, n: 1 << 40, upTo: sustainedTime, before: func() { s.op(2 * s.ahead) }, note: s.rate()})
	}
	fill := newTable("fill", "1,024 IDs a call", "ns/ID")
	fill.add(ours.fill()...)
	encode := newTable("encode", "text into the caller's bytes, or a string where the library has nothing else", "ns")
	encode.add(append(ours.encoders(), peerEncoders()...)...)
	parse := newTable("parse", "", "ns")
	parse.add(append(ours.parsers(), peerParsers()...)...)

	tables := []*table{serial, parallel, burst, sustained, fill, encode, parse}
	for _, t := range tables {
		n := rounds
		if t == burst || t == sustained {
			n = few
		}
		if err := t.measure(n, few); err != nil {
			return err
		}
		fmt.Print("\n", t)
	}
	if raw != "" {
		var b strings.Builder
		for _, t := range tables {
			t.raw(&b)
		}
		if err := os.WriteFile(raw, []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	fmt.Printf("\nload:    %s after\n\n", load())
	best := serial.best()
	next := serial.entries[0].median() / best.median()
	fmt.Printf("%-44s %9s %9s\n", "target", "measured", "aim")
	aim(fmt.Sprintf("Next, ratio to %s", best.name), next, 0.65)
	aim("Next, allocations", serial.entries[0].allocs, 0)
	aim("Fill, ns/ID", fill.entries[0].median(), 2)
	aim("base32 out, ns", encode.entries[0].median(), 15)
	aim("base32 in, ns", parse.entries[0].median(), 20)
	fmt.Printf("next ratio %.2f\n", next)
	return nil
}

// aim prints one line of the targets.
func aim(what string, measured, most float64) {
	verdict := "missed"
	if measured <= most {
		verdict = "met"
	}
	fmt.Printf("%-44s %9.2f %9.2f  %s\n", what, measured, most, verdict)
}

// load is the load average over 1, 5 and 15 minutes.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 2 {
		return strings.Join(fields[:3], " ")
	}
	return "unknown"
}
