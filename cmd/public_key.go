package cmd

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const keyHint = "give the key that was used so far: under another one every public ID that was given out means another row; where none was, make one with 'openssl rand -hex 32 > public.key', give it with --key-file and keep it"

// readKey is the key of public IDs. No message repeats any of it.
func (a *app) readKey(file string) ([]byte, error) {
	text, err := a.readSecret(file, "GAMEID_PUBLIC_KEY")
	if err != nil {
		return nil, trouble(err, "check the path, and "+keyHint)
	}
	where := file
	if where == "" {
		where = "GAMEID_PUBLIC_KEY"
	}
	if text == "" {
		if file != "" {
			return nil, trouble(fmt.Errorf("%s is empty", file), "check the path, and "+keyHint)
		}
		return nil, trouble(errors.New("the key is missing: neither --key-file nor GAMEID_PUBLIC_KEY is given"), keyHint+"; 'gameid public --help' says more")
	}
	key, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != 16 && len(key) != 24 && len(key) != 32 {
		return nil, trouble(fmt.Errorf("%s holds no key: 32, 48 or 64 hexadecimal digits are needed and nothing else", where), keyHint)
	}
	return key, nil
}

// readSecret is what a file holds without the end of its line or, without a file, a variable.
func (a *app) readSecret(file, variable string) (string, error) {
	if file == "" {
		text, _ := a.lookupEnv(variable)
		return text, nil
	}
	if key, err := hex.DecodeString(file); err == nil && len(key) >= 16 {
		return "", errors.New("a file is needed, and what was given looks like the key itself, which other users of this machine may have seen")
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	const most = 4096 // bytes; a secret is shorter
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	if len(text) > most {
		return "", fmt.Errorf("%s has more than %d bytes", file, most)
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r"), nil
}
