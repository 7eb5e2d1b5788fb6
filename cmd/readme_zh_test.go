package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadmesShowTheSame checks that the Chinese README is the English one: the same headings, code blocks and links, and the same commands, flags and figures in
// its tables and sentences, each in its place. Words may be translated, and so may comments in code blocks.
func TestReadmesShowTheSame(t *testing.T) {
	english, chinese := readmeOutline(t, "README.md"), readmeOutline(t, "README.zh-CN.md")
	if diff := cmp.Diff(english, chinese); diff != "" {
		t.Errorf("README.zh-CN.md does not show what README.md shows; -README.md +README.zh-CN.md:\n%s", diff)
	}
	if len(english) < 50 {
		t.Errorf("got an outline of %d lines, want the README's", len(english))
	}
}

var (
	readmeCode   = regexp.MustCompile("`[^`]+`")
	readmeFigure = regexp.MustCompile(`\d[\d,.]*\d|\d`)
	readmeMany   = regexp.MustCompile(`\d[\d,.]* ?(million|thousand|万|亿)`) // 5.5 million is 550 万
	readmeLink   = regexp.MustCompile(`\]\(([^)]+)\)`)
	codeComment  = regexp.MustCompile(`\s*(#|//) .*$`)
)

// readmeOutline is what stays the same in every language: code, and the structure of the rest with its code words and figures.
func readmeOutline(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	code := false
	for line := range strings.SplitSeq(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
			list = append(list, line)
		case code:
			list = append(list, codeComment.ReplaceAllString(line, ""))
		case strings.HasPrefix(line, "|"):
			for n, cell := range strings.Split(line, "|") {
				list = append(list, fmt.Sprintf("cell %d: %s", n, constants(cell)))
			}
		case line != "" && !strings.HasPrefix(line, "[English]") && !strings.HasPrefix(line, "[简体中文]"):
			kind, _, _ := strings.Cut(line, " ")
			if strings.Trim(kind, "#-0123456789.") != "" {
				kind = "text"
			}
			list = append(list, kind+": "+constants(line))
		}
	}
	return list
}

// constants are a sentence's code words, links and figures. Their order is the language's own, so they are sorted.
func constants(s string) string {
	words := readmeCode.FindAllString(s, -1)
	s = readmeCode.ReplaceAllString(s, "")
	for _, link := range readmeLink.FindAllStringSubmatch(s, -1) {
		words = append(words, link[1])
	}
	s = readmeMany.ReplaceAllString(readmeLink.ReplaceAllString(s, ""), "")
	words = append(words, readmeFigure.FindAllString(s, -1)...)
	slices.Sort(words)
	return strings.Join(words, " ")
}
