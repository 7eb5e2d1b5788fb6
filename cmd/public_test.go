package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
	"pgregory.net/rapid"
)

// Whatever the layout and the form, an ID comes back from its public ID, through the command.
func TestPublicRoundTrip(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("5a", 16)), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := layouts.List()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		l := rapid.SampledFrom(list).Draw(r, "layout")
		raw := rapid.SliceOfN(rapid.Byte(), gameid.Size, gameid.Size).Draw(r, "id")
		for i := range gameid.MaxBits - l.Bits() { // cut to the width
			raw[i/8] &^= 1 << (7 - i%8)
		}
		id := gameid.ID(raw)
		flags := []string{"--layout", l.Name(), "--as", rapid.SampledFrom([]string{"decimal", "base32", "hex", "sqids", "hashids"}).Draw(r, "as")}
		if rapid.Bool().Draw(r, "plain") && (flags[3] == "sqids" || flags[3] == "hashids") {
			flags = append(flags, "--plain")
		} else {
			flags = append(flags, "--key-file", key)
		}
		code, public, stderr := run(t, append([]string{"public", id.String()}, flags...)...)
		if code != 0 || stderr != "" {
			r.Fatalf("public %v %v: exit code %d, %q", id, flags, code, stderr)
		}
		public = strings.TrimSpace(public)
		code, back, stderr := run(t, append([]string{"public", "--reverse", public}, flags...)...)
		if code != 0 || back != id.String()+"\n" {
			r.Fatalf("public --reverse %s %v: exit code %d, %q, %q, want %v", public, flags, code, back, stderr, id)
		}
	})
}

// Any text is refused, or is the public ID that its ID has.
func FuzzPublicReverse(f *testing.F) {
	for _, text := range []string{"bM", "Uk", "NkK9", "86Rf07", "", "0", "H35laGHVOUSr6xr", "3LlQRk7CjZkE1qZ", "\xff", "é", strings.Repeat("a", 300)} {
		f.Add(text, true, true)
		f.Add(text, false, false)
	}
	f.Fuzz(func(t *testing.T, text string, useSqids, wide bool) {
		flags := []string{"--plain", "--as", "hashids", "--layout", "game63"}
		if useSqids {
			flags[2] = "sqids"
		}
		if wide {
			flags[4] = "game"
		}
		code, id, _ := run(t, append([]string{"public", "--reverse"}, append(flags, "--", text)...)...)
		if code != 0 {
			return
		}
		if _, public, _ := run(t, append([]string{"public", strings.TrimSpace(id)}, flags...)...); public != text+"\n" {
			t.Errorf("%q is read as %q, whose code is %q", text, id, public)
		}
	})
}
