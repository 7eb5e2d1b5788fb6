package audit_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/planfile"
)

// lineStart begins a line of a plan in a message; what only names a shard is a part of one.
var lineStart = regexp.MustCompile(`\{(from|key|table|unique|column): [^{}]*?, `)

// linesIn are the lines of a plan that a text names.
func linesIn(text string) (lines []string) {
	for _, at := range lineStart.FindAllStringIndex(text, -1) {
		depth, end := 0, at[0]
		for ; end < len(text); end++ {
			switch text[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		if line := text[at[0]:min(end+1, len(text))]; !strings.Contains(line, "...") {
			lines = append(lines, line)
		}
	}
	return lines
}

// readable looks whether a plan could hold every line that questions and next steps name, as it stands there.
func readable(t *testing.T, res *audit.Result) {
	t.Helper()
	var texts []string
	for _, f := range res.Findings {
		texts = append(texts, f.Text, f.Next)
	}
	for _, u := range res.Undecided {
		texts = append(texts, u.Question, u.Evidence)
	}
	for _, text := range texts {
		for _, line := range linesIn(text) {
			if _, err := planfile.Read("plan.yaml", []byte("version: 1\nundecided:\n  - "+line+"\n")); err != nil {
				t.Errorf("no line of a plan: %s: %v", line, err)
			}
		}
	}
}

// Lines in messages are as a plan reads them, whatever tables and columns are called.
func TestLinesOfOddNames(t *testing.T) {
	for _, c := range []struct {
		name, plan, script string // %[1]d is the server, %[2]s its letter
		want               []string
	}{
		{
			"values left over", "", `CREATE TABLE "the, players"("no.: 1" INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE TABLE "odd. table"(n INT, "aa bb" INT);` +
				fill(`"the, players"`, 1, 40, "'%[2]s' || n") + `INSERT INTO "odd. table" SELECT 5000 * %[1]d + n * 7, 1 + n * (6 + %[1]d) %% 50 FROM (SELECT "no.: 1" AS n FROM "the, players");`,
			[]string{`{from: '"odd. table"."aa bb"', to: '"the, players"."no.: 1"'}`},
		},
		{
			"a key that may be a thing", "keys: [{key: '\"the days\".\"day: no\"', new: shift}]\nreferences: [{from: '\"the days\".\"day: no\"', as: keep}]",
			`CREATE TABLE "the days"("day: no" INTEGER PRIMARY KEY, v INT);` + fill(`"the days"`, 1, 40, "n + %[1]d"), nil,
		},
		{
			"a text key", "", `CREATE TABLE "the guilds"("na, me" TEXT PRIMARY KEY, v INT);` + fill(`"the guilds"`, 1, 30, "%[1]d") + `UPDATE "the guilds" SET "na, me" = 'guild' || "na, me";`,
			[]string{`{table: '"the guilds"', rows: `},
		},
		{
			"no key at all", "", `CREATE TABLE "a list"("key: a" INT, v INT);` + fill(`"a list"`, 1, 30, "n + %[1]d") + `CREATE TABLE "b, list"("key: b" INT, "c c" INT);` + fill(`"b, list"`, 1, 30, "1 + (n * 11) %% 30"), nil,
		},
		{
			"a column that one shard lacks", "tables: [{table: '\"it ems\"', missing: {'\"own: er\"': \"7\"}}]\nreferences: [{from: '\"it ems\".\"own: er\"', to: players.id}]",
			`CREATE TABLE players(id INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE TABLE "it ems"(id INTEGER PRIMARY KEY, v INT);` + fill("players", 1, 20, "'%[2]s' || n") + fill(`"it ems"`, 1, 20, "n") +
				`ALTER TABLE "it ems" ADD COLUMN "own: er" INT; UPDATE "it ems" SET "own: er" = 1 + id %% 20;`,
			[]string{`{from: '"it ems"."own: er"', to: players.id, none: [0]}`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, second := fmt.Sprintf(c.script, 1, "a"), fmt.Sprintf(c.script, 2, "b")
			res := check(t, c.plan, first, strings.ReplaceAll(second, "ALTER TABLE", "-- ALTER TABLE"))
			for _, want := range c.want {
				if !strings.Contains(said(res)+next(res), want) {
					t.Errorf("nobody says %s:\n%s", want, said(res))
				}
			}
		})
	}
}

// next is every next step.
func next(res *audit.Result) string {
	var lines []string
	for _, f := range res.Findings {
		lines = append(lines, f.Next)
	}
	return strings.Join(lines, "\n")
}
