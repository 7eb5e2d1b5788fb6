// Command benchmerge measures a merge against its floors: what SQLite takes to copy, to scan and to load the same rows and nothing else. Every ratio
// comes from one run on one machine.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	_ "github.com/mattn/go-sqlite3" // the floors are plain SQLite

	"github.com/gameid/gameid/fixtures"
	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
)

func main() {
	var rows, repeat int
	var dir string
	c := &cobra.Command{
		Use: "benchmerge", Short: "Measure a merge of two made-up servers against its floors", SilenceUsage: true,
		RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), rows, repeat, dir) },
	}
	c.Flags().IntVar(&rows, "rows", 11_000_000, "rows of both servers together")
	c.Flags().IntVar(&repeat, "repeat", 3, "times to measure; the shortest counts")
	c.Flags().StringVar(&dir, "dir", "", "folder for the databases (default a temporary one, removed at the end)")
	if err := c.ExecuteContext(context.Background()); err != nil {
		os.Exit(1)
	}
}

// bench is one size's databases and binary.
type bench struct {
	dir, gameid, plan string
	shards            []string
	rows, repeat      int
}

func run(ctx context.Context, rows, repeat int, dir string) error {
	if dir == "" {
		temp, err := os.MkdirTemp("", "gameid-bench-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(temp) }()
		dir = temp
	}
	b := &bench{dir: dir, gameid: filepath.Join(dir, "gameid"), repeat: repeat}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", b.gameid, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	var err error
	if b.plan, err = filepath.Abs("fixtures/demo-plan.yaml"); err != nil {
		return err
	}
	if err := b.worlds(ctx, rows); err != nil {
		return err
	}
	fmt.Printf("two servers, %d rows together\n\n%-46s %9s %9s %7s  %s\n", rows, "what", "seconds", "floor", "ratio", "target")
	if err := b.rewriteAgainstCopy(ctx); err != nil {
		return err
	}
	if err := b.auditAgainstScan(ctx); err != nil {
		return err
	}
	load, err := b.fastest(func() error { return b.floor(ctx, true) })
	if err != nil {
		return err
	}
	whole, memory, err := b.merge(ctx)
	if err != nil {
		return err
	}
	report("merge-rewrite: audit, rewrite, indexes, proof", whole, load, "<= 2.5 of a bare load with indexes")
	fmt.Printf("\npeak memory of merge-rewrite: %d MB\n\ngrowth:\n", memory>>20)
	fmt.Printf("%12s %9s %12s %9s\n", "rows", "seconds", "rows/s", "peak MB")
	for _, n := range []int{100_000, 1_000_000, 10_000_000} {
		if n > rows {
			break
		}
		if err := b.worlds(ctx, n); err != nil {
			return err
		}
		took, memory, err := b.merge(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("%12d %9.2f %12.0f %9d\n", n, took.Seconds(), float64(n)/took.Seconds(), memory>>20)
	}
	return nil
}

func report(what string, took, floor time.Duration, target string) {
	fmt.Printf("%-46s %9.2f %9.2f %7.2f  %s\n", what, took.Seconds(), floor.Seconds(), took.Seconds()/floor.Seconds(), target)
}

// worlds makes two servers with half of the rows each.
func (b *bench) worlds(ctx context.Context, rows int) error {
	b.shards, b.rows = nil, rows
	for server := 1; server <= 2; server++ {
		file := filepath.Join(b.dir, fmt.Sprintf("world-%d.db", server))
		_ = os.Remove(file)
		if err := fixtures.Write(ctx, file, fixtures.World{Seed: 1, Server: server, Rows: rows / 2}); err != nil {
			return err
		}
		b.shards = append(b.shards, file)
	}
	return nil
}

func (b *bench) fastest(work func() error) (time.Duration, error) {
	var best time.Duration
	for i := range b.repeat {
		start := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		if took := time.Since(start); i == 0 || took < best {
			best = took
		}
	}
	return best, nil
}

// command runs the binary on the two worlds and returns its peak memory in bytes.
func (b *bench) command(ctx context.Context, args ...string) (int64, error) {
	args = append([]string{args[0], b.shards[0], b.shards[1], "--quiet", "--server", "s1=1", "--server", "s2=2", "--plan", b.plan}, args[1:]...)
	c := exec.CommandContext(ctx, b.gameid, args...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		return 0, err
	}
	peak, done := make(chan int64), make(chan struct{})
	go func() { peak <- watchMemory(c.Process.Pid, done) }()
	err := c.Wait()
	close(done)
	memory := <-peak
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out.String())
	}
	return memory, nil
}

// watchMemory is the highest resident memory of a process in bytes, looked at until done. What the system counts for a finished child starts with its parent's.
func watchMemory(pid int, done <-chan struct{}) (peak int64) {
	for {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			for line := range strings.Lines(string(text)) {
				var kilobytes int64
				if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
					peak = max(peak, kilobytes<<10)
				}
			}
		}
		select {
		case <-done:
			return peak
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (b *bench) merge(ctx context.Context) (took time.Duration, memory int64, err error) {
	out := filepath.Join(b.dir, "merged.db")
	took, err = b.fastest(func() error {
		_ = os.Remove(out)
		memory, err = b.command(ctx, "merge-rewrite", "-o", out)
		return err
	})
	_ = os.Remove(out)
	return took, memory, err
}

// auditAgainstScan measures reading every key of both servers, and comparing every row that has an equal key, against one scan of both.
func (b *bench) auditAgainstScan(ctx context.Context) error {
	engine := sqlite.New()
	var shards []merge.Shard
	for i, file := range b.shards {
		s, err := engine.Open(ctx, merge.Source{Name: fmt.Sprintf("s%d", i+1), Source: file}, merge.OpenOptions{})
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		shards = append(shards, s)
	}
	schema := shards[0].Schema()
	var keyed []*merge.Table
	for _, t := range schema.Tables {
		if len(t.PrimaryKey) == 1 && t.Column(t.PrimaryKey[0], true).Affinity == merge.Integer {
			keyed = append(keyed, t)
		}
	}
	scan, err := b.fastest(func() error { return b.scan(ctx, keyed) })
	if err != nil {
		return err
	}
	keys, err := b.fastest(func() error { return b.keys(ctx, keyed) })
	if err != nil {
		return err
	}
	report("key audit: every key, both servers at once", keys, scan, "<= 1.3 of a scan of these tables")
	if scan, err = b.fastest(func() error { return b.scan(ctx, schema.Tables) }); err != nil {
		return err
	}
	contents, err := b.fastest(func() error {
		for _, t := range schema.Tables {
			if _, _, err := engine.SameRows(ctx, shards[0], shards[1], t.Name, nil, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	report("content audit: every row with a shared key", contents, scan, "<= 2 of a scan")
	return nil
}

// keys reads every key of the tables from freshly opened files, side by side as the audit does, and finds those that both have.
func (b *bench) keys(ctx context.Context, tables []*merge.Table) error {
	engine := sqlite.New()
	sets, errs := make([][]*merge.KeySet, len(b.shards)), make([]error, len(b.shards))
	var all sync.WaitGroup
	for i, file := range b.shards {
		s, err := engine.Open(ctx, merge.Source{Name: fmt.Sprintf("s%d", i+1), Source: file}, merge.OpenOptions{})
		if err != nil {
			return err
		}
		defer func() { _ = s.Close() }()
		all.Go(func() {
			for _, t := range tables {
				k, err := s.Keys(ctx, t.KeyCols()[0])
				if err != nil {
					errs[i] = err
					return
				}
				sets[i] = append(sets[i], k.Set)
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i := range tables {
		sets[0][i].Both(sets[1][i])
	}
	return nil
}

// scan reads every row of the tables in both files once, to its last column.
func (b *bench) scan(ctx context.Context, tables []*merge.Table) error {
	for _, file := range b.shards {
		db, err := sql.Open("sqlite3", "file:"+file+"?mode=ro")
		if err != nil {
			return err
		}
		for _, t := range tables {
			last := t.Columns[len(t.Columns)-1].Name
			var n, m sql.NullInt64
			query := fmt.Sprintf(`SELECT count(*), sum(length("%s")) FROM "%s" NOT INDEXED`, last, t.Name)
			if err := db.QueryRowContext(ctx, query).Scan(&n, &m); err != nil {
				return err
			}
		}
		if err := db.Close(); err != nil {
			return err
		}
	}
	return nil
}
