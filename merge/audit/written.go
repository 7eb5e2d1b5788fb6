package audit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gameid/gameid/merge"
)

// numberTexts is an engine in which a column of numbers may find a text.
type numberTexts interface {
	NumberTexts(ctx context.Context, shard merge.Shard, key merge.Col, numbers *merge.KeySet) (map[int64][]string, error)
}

// otherwiseWritten looks among a shard's keys for texts that the dead numbers of a reference find when SQL compares them as numbers, as 450 finds '0450'.
func (a *auditor) otherwiseWritten(ctx context.Context, r *reference, shard int, dead []merge.ValueCount) (map[int64][]string, error) {
	e, ok := a.engine.(numberTexts)
	if !ok || r.As != merge.Plain || len(r.From) != 1 || !a.has(shard, r.To[0].Table) || a.shards[shard].Schema().Column(r.To[0]) == nil {
		return nil, nil
	}
	from, to := a.schema.Column(r.From[0]).Affinity, a.schema.Column(r.To[0]).Affinity
	if from == merge.Text || from == merge.Blob || to != merge.Text && to != merge.Blob {
		return nil, nil
	}
	numbers := merge.NewKeySet()
	for _, v := range dead {
		if n, ok := wholeNumber(v.Value[0]); ok {
			numbers.Add(n)
		}
	}
	if numbers.Len() == 0 {
		return nil, nil
	}
	return e.NumberTexts(ctx, a.raw[shard], r.To[0], numbers)
}

// wholeNumber is the integer that a value is equal to.
func wholeNumber(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<63
	}
	return 0, false
}

// findWritten takes out of a reference's dead values in a shard those by which SQL finds a row of it all the same, and remembers them.
func (a *auditor) findWritten(ctx context.Context, r *reference, shard int) error {
	c := r.counts[shard]
	found, err := a.otherwiseWritten(ctx, r, shard, c.Dead)
	if err != nil || len(found) == 0 {
		return err
	}
	mine := *c
	mine.Dead = nil
	for _, v := range c.Dead {
		n, _ := wholeNumber(v.Value[0])
		if found[n] == nil {
			mine.Dead = append(mine.Dead, v)
			continue
		}
		mine.Alive += v.Rows
		r.noteWritten(v, found[n][0], a.name(shard))
	}
	r.counts[shard] = &mine
	return nil
}

// noteWritten remembers a value by which SQL finds a row whose key is written in another way.
func (r *reference) noteWritten(v merge.ValueCount, text, shard string) {
	r.writtenRows += v.Rows
	if word := fmt.Sprintf("%s finds %s in %s", valueText(v.Value[0]), strconv.Quote(text), shard); !slices.Contains(r.written, word) {
		r.written = append(r.written, word)
	}
}

// judgeWritten refuses numbers that find keys which are texts written in another way: a foreign key does not see them as one, so they could not follow, and what is dead in
// one shard would come to belong to another one's row.
func (a *auditor) judgeWritten(ctx context.Context, r *reference) error {
	for i, c := range r.counts {
		for j := range a.shards {
			if c == nil || j == i || r.Orphans == merge.ByClear || r.Orphans == merge.ByDrop || !a.tables[r.To[0].Table].takes(a.name(j)) {
				continue
			}
			found, err := a.otherwiseWritten(ctx, r, j, c.Dead)
			if err != nil {
				return err
			}
			for _, v := range c.Dead {
				n, _ := wholeNumber(v.Value[0])
				for _, text := range found[n] {
					if text != valueText(v.Value[0]) || a.schema.Column(r.To[0]).Affinity != merge.Text { // which a foreign key finds, too
						r.noteWritten(v, text, a.name(j))
						break
					}
				}
			}
		}
	}
	if r.writtenRows == 0 {
		return nil
	}
	a.find(merge.Finding{
		Rule: "type", Severity: merge.Block, Table: r.table(), Column: r.From[0].Name, Rows: r.writtenRows, Samples: r.written[:min(len(r.written), listed)],
		Text: fmt.Sprintf("holds numbers by which SQL finds rows of %s whose keys are texts, and written in another way: they cannot follow", r.To[0].Table),
		Next: fmt.Sprintf("in copies of the shards write %s as the numbers are, '450' for 450, wherever it stands, or say as: keep if the column holds no keys", r.To[0]),
	})
	return nil
}
