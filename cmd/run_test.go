package cmd_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gameid/gameid/cmd"
)

// run runs one command line in this process.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = cmd.Main(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}
