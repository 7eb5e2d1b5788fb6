package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"github.com/gameid/gameid/layouts"
	"github.com/gameid/gameid/merge/engine/sqlite"
	"github.com/gameid/gameid/merge/mapping"
	"github.com/gameid/gameid/merge/prove"
	"github.com/spf13/cobra"
)

// The exit codes of every command. They are promised in the documentation:
// scripts and schedulers decide by them.
const (
	exitDone        = 0   // done, or nothing to report
	exitFindings    = 1   // the audit has findings, or a proof failed
	exitTrouble     = 2   // wrong usage, or something outside failed
	exitRefused     = 3   // refused before anything was written or issued
	exitInterrupted = 130 // stopped by SIGINT
	exitTerminated  = 143 // stopped by SIGTERM
	exitHungUp      = 129 // stopped by SIGHUP: the terminal or its connection is gone
	exitQuit        = 131 // stopped by SIGQUIT
)

// statusError is an error that a command has already classified.
type statusError struct {
	code int    // one of the exit codes above
	err  error  // what happened and where; nil when the answer on stdout says it all
	hint string // the next step, or ""
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// findings ends a command with exit code 1: the work was done and its answer is
// bad news. err may be nil when the answer on stdout already says what is wrong;
// hint is the next step, or "".
func findings(err error, hint string) error { return &statusError{exitFindings, err, hint} }

// trouble ends a command with exit code 2 and a next step of the command's own.
func trouble(err error, hint string) error { return &statusError{exitTrouble, err, hint} }

// readerLeft ends a command that writes line after line and whose reader took no more, as head does: without a word, and with exit code 2 for whoever counts on every line.
func readerLeft() error { return trouble(nil, "") }

// refused ends a command with exit code 3: it could have gone on, found that
// unsafe, and has written nothing.
func refused(err error, hint string) error { return &statusError{exitRefused, err, hint} }

// misused ends a command with exit code 2 and points to its help.
func misused(c *cobra.Command, err error) error {
	if classified := (*statusError)(nil); errors.As(err, &classified) {
		return err
	}
	if n := (*strconv.NumError)(nil); errors.As(err, &n) {
		words := "it is no whole number"
		switch {
		case n.Func == "ParseBool":
			words = "it is neither true nor false"
		case errors.Is(n, strconv.ErrRange):
			words = "it is out of range"
		}
		err = errors.New(strings.ReplaceAll(err.Error(), n.Error(), words))
	}
	return trouble(err, fmt.Sprintf("run '%s --help'", c.CommandPath()))
}

// noWords is the check of a command that takes flags alone.
func noWords(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misused(c, fmt.Errorf("%s takes no arguments, got %q", c.Name(), args[0]))
	}
	return nil
}

// atLeastOne is the check of a command that takes arguments; missing says which and how.
func atLeastOne(missing string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misused(c, errors.New("no "+missing))
		}
		return nil
	}
}

// signalError is the cause of a context that a signal has cancelled.
type signalError struct{ signal os.Signal }

func (e signalError) Error() string { return "stopped by " + e.signal.String() }

func (e signalError) code() int {
	switch e.signal {
	case syscall.SIGTERM:
		return exitTerminated
	case syscall.SIGHUP:
		return exitHungUp
	case syscall.SIGQUIT:
		return exitQuit
	}
	return exitInterrupted
}

// tidying is how long a second signal waits for what the first one has begun: unfinished files are being removed.
const tidying = 2 * time.Second

// withSignals returns a context that the first SIGINT, SIGTERM, SIGQUIT or SIGHUP cancels with
// a signalError as its cause. Any but SIGHUP later than tidying takes ends the process
// as if nobody listened; a second SIGHUP does nothing, for a lost connection sends two: the
// kernel's and the shell's. SIGHUP stays ignored where it was, as nohup has it. It also turns a write to a closed pipe from a death into an error.
// The caller calls stop when the run is over.
func withSignals(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	stops, pipe := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(stops, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(stops, syscall.SIGHUP)
	}
	signal.Notify(pipe, syscall.SIGPIPE)
	go func() {
		select {
		case s := <-stops:
			signal.Ignore(syscall.SIGHUP)
			cancel(signalError{s})
			time.AfterFunc(tidying, func() { signal.Stop(stops) })
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		signal.Stop(stops)
		signal.Stop(pipe)
	}
}

// status maps the error that ended a run to its exit code, what to tell the
// person, and the next step. An empty message says nothing.
func status(ctx context.Context, err error) (code int, message, hint string) {
	var (
		classified *statusError
		stopped    signalError
	)
	switch {
	case err == nil:
		return exitDone, "", ""
	case errors.As(context.Cause(ctx), &stopped):
		return stopped.code(), stopped.Error(), ""
	case errors.As(err, &classified):
		if classified.err == nil {
			return classified.code, "", classified.hint
		}
		return classified.code, err.Error(), classified.hint
	case errors.Is(err, syscall.EPIPE):
		return exitTrouble, "whoever reads the answer left before its end", ""
	default:
		code, hint := advice(err)
		return code, err.Error(), hint
	}
}

// advice knows the errors of the packages below: their exit codes and what to do.
func advice(err error) (code int, hint string) {
	var (
		behind   *ceiling.BehindError
		damaged  *ceiling.DamagedError
		mismatch *ceiling.MismatchError
		copied   *ceiling.CopiedError
		names    *ceiling.NamesError
		layout   *gameid.LayoutError
		unknown  *layouts.UnknownError
		file     *layouts.FileError
		source   *sqlite.SourceError
		output   *sqlite.OutputError
		inputs   *prove.InputError
		load     *sqlite.LoadError
	)
	switch {
	case errors.As(err, &behind):
		return exitRefused, fmt.Sprintf("set the clock right; or, if it is right, go on from the ceiling with --max-behind %s", behind.Behind.Truncate(time.Second)+time.Second)
	case errors.As(err, &damaged):
		return exitRefused, fmt.Sprintf("give this server another number; or, once the clock is past every ID issued for it ('gameid decode' shows their times), remove %s, not its .lock, and a new one begins above the clock; never restore an older copy, which does not cover the IDs since", damaged.Path)
	case errors.Is(err, ceiling.ErrLost):
		return exitTrouble, "the IDs so far are good. If the file was moved, put it back with its .lock; then run it again"
	case errors.As(err, &copied):
		return exitRefused, "if no generator uses the original any more, take the file over with --adopt; else give this server another number"
	case errors.As(err, &names):
		return exitRefused, "remove the names that no generator is given; a symbolic link may stand for them"
	case errors.As(err, &mismatch) && mismatch.Field == ceiling.FormatVersion:
		return exitRefused, "use the version of gameid that wrote it; only once the clock is past every ID issued for this server may it be removed, and not its .lock"
	case errors.As(err, &mismatch):
		return exitRefused, "give the layout and the server that the file was made for, or another file with --state"
	case errors.Is(err, ceiling.ErrTaken):
		return exitRefused, "use the generator that runs already, or another server number"
	case errors.Is(err, ceiling.ErrMissing):
		return exitRefused, "check the path; if the file was moved, put it back with its .lock, and never an older copy of it; or run without --require-state to create it"
	case errors.Is(err, ceiling.ErrNotFile):
		return exitTrouble, "name the file of the ceiling with --state"
	case errors.Is(err, gameid.ErrBeforeEpoch):
		return exitRefused, "set the clock right, or take a layout whose epoch has begun"
	case errors.Is(err, gameid.ErrExhausted):
		return exitRefused, "set the clock right, or take a layout that lasts longer"
	case errors.Is(err, gameid.ErrRange):
		return exitTrouble, "'gameid layouts LAYOUT' shows what fits"
	case errors.As(err, &file):
		return exitTrouble, "correct the layout's file or its name; 'gameid layouts' lists the presets"
	case errors.As(err, &source):
		return sourceCode(source), cmp.Or(betterPath(source), source.Next)
	case errors.As(err, &output):
		return outputCode(output), output.Next
	case errors.As(err, &inputs):
		return exitTrouble, inputs.Next
	case errors.Is(err, prove.ErrNoRecord), errors.Is(err, mapping.ErrNoRecord):
		return exitTrouble, "name the database that merge-rewrite wrote"
	case fromOut(err) && errors.Is(err, syscall.ENOSPC):
		return exitTrouble, "free space where the answer goes, or send it elsewhere"
	case sqlite.Full(err):
		return exitTrouble, "free space, or write to another disk; merge-rewrite --dry-run says how much it needs"
	case sqlite.TooManyFiles(err):
		return exitTrouble, moreFiles
	case sqlite.DiskTrouble(err):
		return exitTrouble, "check the disk and the permissions, then run it again"
	case errors.As(err, &load):
		return exitTrouble, fmt.Sprintf("nothing was left behind: correct the rows of %s in a copy of shard %s, or change what the plan says about them", load.Table, load.Shard)
	case sqlite.EngineTrouble(err):
		return exitTrouble, "check the disk, then run it again; if it says the same, report it with this message"
	case errors.As(err, &unknown), errors.As(err, &layout):
		return exitTrouble, "'gameid layouts' lists the layouts"
	}
	return exitTrouble, ""
}

// fromOut tells whether the answer could not be written.
func fromOut(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name()
}

const moreFiles = "allow the program more open files (ulimit -n 1024), then run it again"

// betterPath is the next step for a path by which something else than a shard's file was meant, or that cannot be opened beside so many; "" for any other.
func betterPath(e *sqlite.SourceError) string {
	ending := strings.ToLower(filepath.Ext(e.Path))
	missing := errors.Is(e, sqlite.ErrMissing)
	switch {
	case sqlite.TooManyFiles(e):
		return moreFiles
	case missing && strings.HasPrefix(e.Path, "file:"):
		return "this is a URI, which is not taken: give the path alone, without file: and what follows a question mark"
	case missing && strings.ContainsAny(e.Path, "*?["):
		return "no file matches the pattern: check it, and the folder"
	case ending == ".yaml" || ending == ".yml":
		return "a plan goes after its flag: --plan " + quoteWord(e.Path)
	}
	return ""
}

// sourceCode: what cannot be read is trouble; what can be read but must not be merged is refused.
func sourceCode(e *sqlite.SourceError) int {
	for _, reason := range []error{sqlite.ErrMissing, sqlite.ErrNotFile, sqlite.ErrUnreached, sqlite.ErrUnreadable, sqlite.ErrCopy} {
		if errors.Is(e, reason) {
			return exitTrouble
		}
	}
	return exitRefused
}

// outputCode: an output that may not be begun is refused; one that could not be completed is trouble.
func outputCode(e *sqlite.OutputError) int {
	for _, reason := range []error{sqlite.ErrExists, sqlite.ErrIsInput, sqlite.ErrLocked, sqlite.ErrInTheWay, sqlite.ErrSideName, sqlite.ErrLeftover, sqlite.ErrNoSpace} {
		if errors.Is(e, reason) {
			return exitRefused
		}
	}
	return exitTrouble
}

// finish reports the error that ended a run on Err and returns the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	code, message, hint := status(ctx, err)
	if message != "" {
		fmt.Fprintf(a.Err, "gameid: %s\n", visibleLines(message))
	}
	if message != "" && len(a.fromEnv) > 0 && (code == exitTrouble || code == exitRefused) {
		fmt.Fprintf(a.Err, "note: taken from the environment: %s\n", strings.Join(a.fromEnv, ", "))
	}
	if hint != "" {
		fmt.Fprintf(a.Err, "next: %s\n", visibleLines(hint))
	}
	return code
}
