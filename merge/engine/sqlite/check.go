package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// checkDisk is the next step when what was read changed of itself.
const checkDisk = "check the disk, then run it again"

var errUnsteady = errors.New("its pages could not be read the first time, and could the second time")

const (
	shownDamage = 5   // lines of a message
	readDamage  = 100 // lines that SQLite is asked for
)

// twice reads, and reads again when it meets damage: to SQLite a page that the disk would not give is damage like any other. So damage has to be there twice,
// in a file that can be read from end to end.
func (s *shard) twice(ctx context.Context, read func() error) error {
	err := read()
	if code(err) != sqlite3.ErrCorrupt && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrIndexes) {
		return err
	}
	again := read()
	unread := s.readThrough(ctx)
	if again == nil && unread == nil {
		unread = errUnsteady
	}
	if unread == nil || ctx.Err() != nil {
		return cmp.Or(ctx.Err(), again)
	}
	return &SourceError{Path: s.path, Reason: ErrUnreadable, Err: unread, Next: checkDisk}
}

// readThrough reads the file that SQLite opened, and its log, without SQLite.
func (s *shard) readThrough(ctx context.Context) error {
	if s.private == nil {
		return readAll(ctx, s.held.file) // no descriptor of the source may be closed while SQLite has locks on it
	}
	for _, name := range []string{s.file, s.file + "-wal"} {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = errors.Join(readAll(ctx, f), f.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readAll(ctx context.Context, f *os.File) error {
	_, err := io.Copy(io.Discard, stopping{ctx, io.NewSectionReader(f, 0, 1<<62)})
	return err
}

// check verifies the database's integrity; the error holds the first defects, which name tables and indexes.
func (s *shard) check(ctx context.Context) error {
	return s.twice(ctx, func() error { return s.checkOnce(ctx) })
}

func (s *shard) checkOnce(ctx context.Context) error {
	messages, err := s.strings(ctx, fmt.Sprintf("PRAGMA main.quick_check(%d)", readDamage))
	if err != nil && len(messages) == 0 {
		return s.brokenTable(ctx, unread(s.path, err, "check the integrity"))
	}
	if sound(messages) {
		return s.compute(ctx)
	}
	return &SourceError{
		Path: s.path, Reason: ErrDamaged, Detail: strings.Join(s.defects(ctx, messages), "; "),
		Next: "restore it from a backup, or rebuild it with the sqlite3 shell's .recover",
	}
}

// compute makes SQLite compute every generated column of every row, which its own check leaves out: a row may stand there for years before somebody reads it.
func (s *shard) compute(ctx context.Context) error {
	for _, t := range s.schema.Tables {
		var counts []string
		for _, c := range t.Columns {
			if c.Generated {
				counts = append(counts, "count("+ident(c.Name)+")")
			}
		}
		if t.Opaque != "" || len(counts) == 0 {
			continue
		}
		err := s.exec(ctx, "SELECT "+strings.Join(counts, ", ")+" FROM main."+ident(t.Name)+" NOT INDEXED")
		if err = unread(s.path, err, "generated columns of table "+t.Name); err != nil {
			return err
		}
	}
	return nil
}

func sound(messages []string) bool { return len(messages) == 1 && messages[0] == "ok" }

// brokenTable adds the name of a table to an error that ended the check of the whole database.
func (s *shard) brokenTable(ctx context.Context, err error) error {
	var source *SourceError
	if !errors.As(err, &source) || s.schema == nil {
		return err
	}
	for _, t := range s.schema.Tables {
		if t.Opaque != "" {
			continue
		}
		if messages, err := s.strings(ctx, "PRAGMA main.quick_check("+ident(t.Name)+")"); err != nil || !sound(messages) {
			source.Detail = "table " + t.Name
			break
		}
	}
	return source
}

var (
	treeOfDefect = regexp.MustCompile(`^Tree ([0-9]+) `)
	unusedPage   = regexp.MustCompile(`^Page [0-9]+: never used$`)
)

// defects are SQLite's lines in words: a tree has the name of its table or index, and pages that nobody uses only count when nothing else is wrong.
func (s *shard) defects(ctx context.Context, messages []string) (list []string) {
	var unused []string
	for _, m := range messages {
		for line := range strings.SplitSeq(m, "\n") {
			switch tree := treeOfDefect.FindStringSubmatch(line); {
			case line == "" || strings.HasPrefix(line, "*** "):
			case unusedPage.MatchString(line):
				unused = append(unused, line)
			case tree != nil:
				list = append(list, s.owner(ctx, tree[1])+": "+strings.TrimPrefix(line, tree[0]))
			default:
				list = append(list, line)
			}
		}
	}
	if len(list) == 0 {
		list = unused
	}
	if more := len(list) - shownDamage; more > 0 {
		list = append(list[:shownDamage], fmt.Sprintf("and %d more", more))
	}
	return list
}

// owner is the table or index whose tree begins at a page.
func (s *shard) owner(ctx context.Context, page string) string {
	if n, err := strconv.Atoi(page); err == nil {
		if names, err := s.strings(ctx, "SELECT type || ' ' || name FROM main.sqlite_schema WHERE rootpage = ?", n); err == nil && len(names) > 0 {
			return names[0]
		}
	}
	return "tree " + page
}
