package cmd

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gameid/gameid/gameid"
)

// stateHelp is where ceilings are kept by default, for --help.
const stateHelp = "$XDG_STATE_HOME/gameid, else ~/.local/state/gameid; %LocalAppData%\\gameid on Windows"

// statePath is the ceiling file of a layout and a server in the folder of this
// user. It depends on what the layout issues and not on its name, so that a preset
// and the same layout written out share one ceiling. The folder is created.
func (a *app) statePath(l *gameid.Layout, server uint64) (string, error) {
	dir, err := a.stateDir()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	digest := sha256.Sum256([]byte(l.String()))
	return filepath.Join(dir, fmt.Sprintf("server-%d-%x.ceiling", server, digest[:6])), nil
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
		return "", errors.Join(errors.New("there is no home folder to keep the ceiling in"), err)
	}
	return filepath.Join(home, ".local", "state", "gameid"), nil
}
