// Package textfile reads files that a person wrote, whole.
package textfile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Small is more than any layout or settings file has, in bytes.
const Small = 64 << 10

// Read returns the content of a regular file of at most most bytes. Anything else,
// such as a pipe or a device, which may never end, is refused before it is opened.
// Errors begin with the path or are *fs.PathError.
func Read(path string, most int64) (text []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file (%s)", path, info.Mode().Type())
	}
	f, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, err
	}
	text, err = io.ReadAll(io.LimitReader(f, most+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return text, nil
}
