package cmd

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
	"github.com/gameid/gameid/layouts"
)

// stateHelp is where ceilings are kept by default, for --help.
const stateHelp = "$XDG_STATE_HOME/gameid, else ~/.local/state/gameid; %LocalAppData%\\gameid on Windows"

// statePath is the ceiling file of a layout and a server in the folder of this
// user. It depends on what the layout issues and not on its name, so that a preset
// and the same layout written out share one ceiling.
func (a *app) statePath(l *gameid.Layout, server uint64) (string, error) {
	dir, err := a.stateDir()
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256([]byte(l.String()))
	return filepath.Join(dir, fmt.Sprintf("%s%x%s", statePrefix(server), digest[:6], stateSuffix)), nil
}

const stateSuffix = ".ceiling"

func statePrefix(server uint64) string { return fmt.Sprintf("server-%d-", server) }

// makeFolder is os.MkdirAll for this user alone, and what it makes survives a loss
// of power: a ceiling in a folder that is gone would be lost with it.
func makeFolder(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(dir)
	if above == dir {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrNotExist}
	}
	if err := makeFolder(above); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	d, err := os.Open(above)
	if errors.Is(err, fs.ErrPermission) {
		return nil // a folder that may be written and not read
	}
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// warnOtherLayouts says that a server whose ceiling at path is new has issued IDs
// of other layouts: a layout or an epoch that was changed begins anew, and its IDs
// can be numbers that were issued already.
func (a *app) warnOtherLayouts(path string, server uint64) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return // only a hint; the IDs of this layout are safe
	}
	for _, entry := range entries {
		name := entry.Name()
		if name == filepath.Base(path) || !strings.HasPrefix(name, statePrefix(server)) || !strings.HasSuffix(name, stateSuffix) {
			continue
		}
		if s, err := ceiling.Read(filepath.Join(filepath.Dir(path), name)); err == nil {
			fmt.Fprintf(a.Err, "gameid: warning: server %d has also issued IDs of layout %s; IDs of two layouts can be the same number, so keep them in different columns\n", server, s.Layout)
		}
	}
}

// showState prints what a ceiling file says, and changes nothing.
func (a *app) showState(o genOptions) error {
	path := o.state
	if path == "" {
		l, err := layouts.Load(o.layout)
		if err != nil {
			return err
		}
		if path, err = a.statePath(l.Layout, o.server); err != nil {
			return fmt.Errorf("ceiling: %w", err)
		}
	}
	s, err := ceiling.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return trouble(fmt.Errorf("%w: %s", ceiling.ErrMissing, path), "the first 'gameid gen' of a server creates it")
	}
	if err != nil {
		return err
	}
	if o.serverGiven && s.Server != o.server {
		return &ceiling.MismatchError{Path: path, Field: "server", Got: fmt.Sprint(s.Server), Want: fmt.Sprint(o.server)}
	}
	l, err := layouts.Load(s.Layout)
	if err != nil {
		return fmt.Errorf("ceiling %s: %w", path, err)
	}
	copied := "no"
	if s.Copied != nil {
		copied = s.Copied.Reason
	}
	now, top := time.Now(), l.TimeOf(s.Next>>l.SequenceBits())
	return a.printRows(
		[]string{"state", "server", "layout", "ceiling", "cursor", "ahead", "copied"},
		[][]any{{path, s.Server, s.Layout, top, fmt.Sprint(s.Next), top.Sub(now).Truncate(time.Millisecond).String(), copied}},
	)
}

func (a *app) stateDir() (string, error) {
	if dir, _ := a.lookupEnv("XDG_STATE_HOME"); filepath.IsAbs(dir) { // relative ones are invalid by its specification
		return filepath.Join(dir, "gameid"), nil
	}
	if runtime.GOOS == "windows" {
		if dir, ok := a.lookupEnv("LocalAppData"); ok {
			return filepath.Join(dir, "gameid"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", trouble(fmt.Errorf("there is no home folder to keep the ceiling in: %w", err), "name the file with --state FILE")
	}
	return filepath.Join(home, ".local", "state", "gameid"), nil
}
