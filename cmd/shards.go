package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/gameid/gameid/layouts/textfile"
	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/room"
)

// shardFlags are what every merge command takes beside its shards.
type shardFlags struct {
	servers []string
	workDir string
	beside  bool // no folder was named: the work is done beside the output
	plan    string
}

func (f *shardFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.servers, "server", nil,
		"server number of a shard, as `NAME=N`; once for each shard (default: the plan's for the same name and source; never inferred)")
	c.Flags().StringVar(&f.workDir, "work-dir", "", "folder for private copies of shards in WAL mode and for temporary files (default: beside the output; without one, copies beside the shard and temporary files in $TMPDIR)")
	keepToCommandLine(c, "server")
}

// addPlan adds --plan to a command that does without one as the words say.
func (f *shardFlags) addPlan(c *cobra.Command, without string) {
	c.Flags().StringVar(&f.plan, "plan", "", "plan file with the decisions (default: "+without+")")
	keepToCommandLine(c, "plan")
}

// engineFor maps the scheme of a source to its engine; a path has none. What may be a connection string is never repeated: it holds a password.
func engineFor(source string) (merge.Engine, error) {
	scheme, _, found := strings.Cut(source, "://")
	switch {
	case found && strings.HasPrefix(strings.ToLower(scheme), "http"):
		return nil, trouble(errors.New("a shard is named by an address of the web, and nothing is downloaded"), "download the database first, and give the file")
	case exists(source), found && scheme == "sqlite" && !secretive(source):
		return sqlite.New(), nil
	case found && plainScheme.MatchString(scheme):
		return nil, trouble(fmt.Errorf("%s databases are not supported by this version", scheme), "give SQLite files")
	case found, secretive(source):
		return nil, trouble(errors.New("a shard is named by a connection string, and this version supports none"), "give SQLite files")
	}
	return sqlite.New(), nil
}

// plainScheme is a scheme without a password before it.
var plainScheme = regexp.MustCompile(`^(?i:mysql|mariadb|postgres|postgresql|sqlserver|mssql|oracle|mongodb|redis|tidb|cockroachdb|sqlite)$`)

// secrets are the places where connection strings have their passwords: USER:PASSWORD@HOST and password=PASSWORD, PGPASSWORD= and dbPwd= included. Short words
// must stand alone, for a shard may be called monkey.
var secrets = regexp.MustCompile(`(?is:.*:.*@|(password|passwd|passphrase|pwd|secret|token|(^|[^a-z])(pass|key))\s*=)`)

// secretive tells whether a source looks like a connection string.
func secretive(source string) bool { return secrets.MatchString(source) }

var shardName = regexp.MustCompile(`(?s)^([A-Za-z_][A-Za-z0-9_-]*)=(.+)$`)

// sources are the shards that the command line names; without any, the plan's.
func (f *shardFlags) sources(args []string, plan *merge.Plan) ([]merge.Source, error) {
	var list []merge.Source
	for i, arg := range args {
		src := merge.Source{Name: fmt.Sprintf("s%d", i+1), Source: arg}
		if m := shardName.FindStringSubmatch(arg); m != nil && !exists(arg) && (exists(m[2]) || !secretive(m[1]+"=")) {
			src.Name, src.Source = m[1], m[2]
		} else if err := misplaced(src, plan); err != nil {
			return nil, err
		}
		list = append(list, src)
	}
	if err := swapped(list, plan); err != nil {
		return nil, err
	}
	if plan != nil {
		if len(list) == 0 {
			list = slices.Clone(plan.Shards)
		}
		for i := range list {
			for _, s := range plan.Shards {
				if s.Name == list[i].Name && sameSource(s.Source, list[i].Source) {
					list[i].Server = s.Server
				}
			}
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no shard given: name the servers' databases, such as a.db b.db")
	}
	given := map[string]bool{}
	for _, word := range f.servers {
		name, number, ok := strings.Cut(word, "=")
		n, err := strconv.ParseInt(number, 10, 64)
		if !ok || err != nil || n < 0 || n > merge.MaxServer {
			return nil, fmt.Errorf("--server %q: want NAME=N with a number from 0 to %d", word, merge.MaxServer)
		}
		i := slices.IndexFunc(list, func(s merge.Source) bool { return s.Name == name })
		if i < 0 {
			return nil, trouble(fmt.Errorf("--server %s: no shard is named %s; they are %s", word, name, names(list)), "give the number to one of these, or name the shards on the command line: "+name+"=PATH")
		}
		if given[name] {
			return nil, trouble(fmt.Errorf("--server: %s has two numbers", name), "leave one of the two out")
		}
		given[name] = true
		list[i].Server = &n
	}
	for i, s := range list {
		for _, t := range list[:i] {
			if s.Name == t.Name {
				return nil, trouble(fmt.Errorf("two shards are named %s: %s and %s", s.Name, t.Source, s.Source), "give each a name of its own: NAME=PATH")
			}
			if s.Server != nil && t.Server != nil && *s.Server == *t.Server {
				return nil, trouble(fmt.Errorf("shards %s and %s both claim server number %d", t.Name, s.Name, *s.Server), "give every shard the number that its own generator used: --server NAME=N")
			}
		}
	}
	return list, nil
}

// words are the shards, server numbers and the work folder as a command line names them again.
func (f *shardFlags) words(list []merge.Source) string {
	var words []string
	for i, s := range list {
		word := s.Source
		if s.Name != fmt.Sprintf("s%d", i+1) {
			word = s.Name + "=" + word
		}
		words = append(words, quoteWord(word))
	}
	for _, s := range f.servers {
		words = append(words, "--server", quoteWord(s))
	}
	if f.workDir != "" && !f.beside {
		words = append(words, "--work-dir", quoteWord(f.workDir))
	}
	return strings.Join(words, " ")
}

// quoteWord writes a word as a shell reads it, and a path so that no command takes it for a flag.
func quoteWord(word string) string {
	if strings.HasPrefix(word, "-") {
		word = "./" + word
	}
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// checkFolder refuses a folder in which a command could not write in the end. what names the file that goes there.
func checkFolder(dir, what string) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		return refused(fmt.Errorf("%s: %s is a file, no folder", what, dir), "name a folder")
	case errors.Is(err, fs.ErrNotExist):
		return refused(fmt.Errorf("%s: there is no folder %s", what, dir), "create the folder first, or choose another")
	case err != nil:
		return refused(fmt.Errorf("%s: %w", what, err), "check the folder's permissions")
	}
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return refused(fmt.Errorf("%s: the folder %s cannot be written: %w", what, dir, err), "check its permissions, or choose another")
	}
	return nil
}

// checkWorkDir refuses a --work-dir that could not be used.
func (f *shardFlags) checkWorkDir() error {
	if f.workDir == "" {
		return nil
	}
	return checkFolder(f.workDir, "--work-dir")
}

func names(list []merge.Source) string {
	var words []string
	for _, s := range list {
		words = append(words, s.Name)
	}
	return strings.Join(words, ", ")
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// shardSet is the opened shards of one command.
type shardSet struct {
	engine merge.Engine
	list   []merge.Shard
	room   *room.Room // for SQLite's temporary files; nil leaves them to SQLite
}

// tempVariable is where SQLite looks for the folder of its temporary files, once in a process.
const tempVariable = "SQLITE_TMPDIR"

// makeRoom keeps SQLite's temporary files in the work folder, where the operator has room, and where the next run finds them after a kill.
func (s *shardSet) makeRoom(workDir string) (err error) {
	if workDir == "" || os.Getenv(tempVariable) != "" {
		return nil
	}
	if s.room, err = room.New(workDir); err != nil {
		return trouble(fmt.Errorf("temporary files: %w", err), "check the space and the permissions in "+workDir+", or name another folder: --work-dir")
	}
	return os.Setenv(tempVariable, s.room.Path())
}

// gcPercent is how much garbage may stand beside the key maps: they are large and live long.
const gcPercent = 40

// openSideBySide opens shards a few at a time, for checking one takes a whole read of it. It returns those that are open also with an error.
func openSideBySide(ctx context.Context, engine merge.Engine, list []merge.Source, opt merge.OpenOptions) (opened []merge.Shard, err error) {
	shards, errs := make([]merge.Shard, len(list)), make([]error, len(list))
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, src := range list {
		room <- struct{}{}
		all.Go(func() {
			if shards[i], errs[i] = engine.Open(ctx, src, opt); errs[i] != nil {
				errs[i] = fmt.Errorf("shard %s: %w", src.Name, errs[i])
			}
			<-room
		})
	}
	all.Wait()
	for i, s := range shards {
		if errs[i] == nil {
			opened = append(opened, s)
		} else if err == nil {
			err = errs[i]
		}
	}
	return opened, err
}

// openShards opens every source read-only, after refusing one file under two names.
func openShards(ctx context.Context, list []merge.Source, opt merge.OpenOptions) (_ *shardSet, err error) {
	set := &shardSet{}
	defer func() {
		if err != nil {
			err = errors.Join(err, set.Close())
		}
	}()
	for i, src := range list {
		if set.engine == nil {
			if set.engine, err = engineFor(src.Source); err != nil {
				return nil, err
			}
		} else if _, err := engineFor(src.Source); err != nil {
			return nil, err
		}
		for _, other := range list[:i] {
			same, err := sqlite.SameFile(sqlite.Path(other.Source), sqlite.Path(src.Source))
			if err == nil && same {
				return nil, refused(fmt.Errorf("%s and %s %s", other.Source, src.Source, sameFile), "name each server's own database once")
			}
		}
	}
	debug.SetGCPercent(gcPercent)
	if err := set.makeRoom(opt.WorkDir); err != nil {
		return nil, err
	}
	if set.list, err = openSideBySide(ctx, set.engine, list, opt); err != nil {
		return nil, err
	}
	if twins, ok := set.engine.(interface {
		SameContent(a, b merge.Shard) (bool, error)
	}); ok {
		for i, a := range set.list {
			for _, b := range set.list[:i] {
				same, err := twins.SameContent(a, b)
				if err != nil {
					return nil, err
				}
				if same {
					return nil, refused(fmt.Errorf("%s and %s %s", b.Source().Source, a.Source().Source, sameContent), "a copy of a server is no second server: name each server's own database once")
				}
			}
		}
	}
	return set, nil
}

// Close ends the snapshots and removes private copies.
func (s *shardSet) Close() error {
	var errs []error
	for _, sh := range s.list {
		errs = append(errs, sh.Close())
	}
	errs = append(errs, s.room.Remove())
	s.list = nil
	return errors.Join(errs...)
}

// readPlan reads a plan file; without a name there is no plan.
func readPlan(path string) (*planfile.Plan, error) {
	if path == "" {
		return nil, nil
	}
	const most = 64 << 20 // bytes
	data, err := textfile.Read(path, most)
	failed := (*fs.PathError)(nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, trouble(fmt.Errorf("plan: there is no file %s", path), "check the path; a new plan is written by gameid merge-check SHARD... --write-plan "+quoteWord(path))
	case errors.As(err, &failed):
		return nil, trouble(fmt.Errorf("plan: %w", err), "check the permissions of "+quoteWord(path)+" and of its folder, and the disk")
	case err != nil:
		return nil, trouble(fmt.Errorf("plan: %w", err), "give the plan file with --plan")
	}
	if bytes.HasPrefix(data, []byte(databaseMagic)) {
		return nil, refused(fmt.Errorf("%s is a database, no plan", path), "give the plan file with --plan, and databases without a flag")
	}
	plan, err := planfile.Read(path, data)
	if err != nil {
		return nil, refused(err, "correct the plan file")
	}
	return plan, nil
}
