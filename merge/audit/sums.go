package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
)

// unkeptSums says which columns of a union add up what the rules of others beside them contradict: the sum of these in every row, of which the higher stays, or what is gathered within a level.
func (a *auditor) unkeptSums(ctx context.Context, t *table, columns map[string]merge.Combine) (text string, err error) {
	for _, c := range t.Columns {
		if columns[c.Name].How != "sum" {
			continue
		}
		var parts []string
		others, level := false, ""
		for _, o := range t.Columns {
			how := columns[o.Name].How
			if o == c || how != "sum" && how != "max" && how != "min" {
				continue
			}
			parts, others = append(parts, o.Name), others || how != "sum"
			if how == "max" && slices.Contains(levelWords, lastWord(o.Name)) {
				level = o.Name
			}
		}
		if level != "" && slices.Contains(experience, lastWord(c.Name)) {
			text += fmt.Sprintf("; where %s counts anew from each %s on, %s: {latest: %s} takes that of the higher one", c.Name, level, c.Name, level)
		}
		if len(parts) < 2 || !others {
			continue
		}
		sum, err := a.sumsUp(ctx, t, c.Name, parts)
		if err != nil {
			return "", err
		}
		if sum {
			text += fmt.Sprintf("; %s is %s in every row, and of the joined rows it is only where all of these add up or all stay the first's, or the game computes it anew", c.Name, strings.Join(parts, " + "))
		}
	}
	return text, nil
}

// levelWords and experience are the last words of columns of which the second may count within the first.
var (
	levelWords = []string{"level", "lvl"}
	experience = []string{"exp", "experience", "xp"}
)

// sumsUp tells whether a column is the sum of some others in every row of every shard, and more than a few rows say so.
func (a *auditor) sumsUp(ctx context.Context, t *table, column string, parts []string) (bool, error) {
	quoted := make([]string, len(parts))
	for i, p := range parts {
		quoted[i] = a.engine.Quote(p)
	}
	name, rows, all := a.engine.Quote(column), int64(0), append([]string{column}, parts...)
	for i, s := range a.shards {
		if !a.has(i, t.Name) || t.rows[i] == 0 || slices.ContainsFunc(all, func(c string) bool { return s.Schema().Column(merge.Col{Table: t.Name, Name: c}) == nil }) {
			continue
		}
		if differ, err := s.Any(ctx, t.Name, name+" IS NOT "+strings.Join(quoted, " + ")); err != nil || differ {
			return false, err
		}
		n, err := s.Count(ctx, t.Name, name+" <> 0")
		if err != nil {
			return false, err
		}
		rows += n
	}
	return rows >= fewNames, nil
}
