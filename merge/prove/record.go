package prove

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/gameid/gameid/merge"
)

// checkEarlier checks that whatever an input recorded of earlier merges is recorded in the output too, under the input's name.
func (p *proof) checkEarlier(context.Context) error {
	for i, mem := range p.earlier {
		if mem == nil {
			continue
		}
		via := p.name(i) + "/"
		check := Check{Name: CheckEarlier, Shard: p.name(i), Rows: int64(len(mem.Spaces) + len(mem.Buried) + len(mem.Renames))}
		lost := 0
		for _, want := range mem.Spaces {
			want.Via = via + want.Via
			if !slices.ContainsFunc(p.mem.Spaces, func(got merge.MemorySpace) bool { return sameSpace(got, want) }) {
				lost++
				check.Table, check.Column = want.Key.Table, want.Key.Name
			}
		}
		for _, want := range mem.Buried {
			want.Via = via + want.Via
			if !slices.Contains(p.mem.Buried, want) {
				lost++
				check.Table, check.Column = want.Key.Table, want.Key.Name
			}
		}
		for _, want := range mem.Renames {
			want.Via = via + want.Via
			if !slices.ContainsFunc(p.mem.Renames, func(got merge.MemoryRename) bool { return sameRename(got, want) }) {
				lost++
				check.Table, check.Column = want.Column.Table, want.Column.Name
			}
		}
		if lost > 0 {
			p.fail(check, "%d records of its earlier merges are not carried on", lost)
			continue
		}
		check.Detail = fmt.Sprintf("%d records of earlier merges are carried on", check.Rows)
		p.pass(check)
	}
	return nil
}

func sameSpace(a, b merge.MemorySpace) bool {
	return a.Via == b.Via && a.Key == b.Key && a.Shard == b.Shard && slices.EqualFunc(a.Runs, b.Runs, merge.Run.Equal) && slices.EqualFunc(a.Tombstones, b.Tombstones, merge.Run.Equal)
}

// sameRename leaves the row out: its key may have changed since.
func sameRename(a, b merge.MemoryRename) bool {
	return a.Via == b.Via && a.Column == b.Column && a.Shard == b.Shard && a.Old == b.Old && a.New == b.New && slices.Equal(a.Unique, b.Unique)
}

// checkRecord checks that the record is the one that the merge wrote. Whoever changes it and makes a new digest is found by the other checks, or by --plan.
func (p *proof) checkRecord(context.Context) error {
	if p.mem.Broken != "" {
		p.fail(Check{Name: CheckRecord}, "%s", p.mem.Broken)
		return nil
	}
	p.pass(Check{Name: CheckRecord, Detail: "the record is as the merge wrote it"})
	return nil
}

// checkContents checks that the inputs hold what the merge read, also in rows that the plan leaves out or folds and in what the output takes from another input.
func (p *proof) checkContents(ctx context.Context) error {
	for i, want := range p.mem.Shards {
		s, ok := p.shards[i].(merge.Digested)
		if !ok || want.State == "" {
			continue
		}
		contents, err := s.Contents(ctx)
		if err != nil {
			return err
		}
		check := Check{Name: CheckContents, Shard: p.name(i), Rows: int64(len(contents.Tables))}
		if contents.All != want.State {
			p.fail(check, "it does not hold what the merge read: it was written to since, or is another database")
			continue
		}
		check.Detail = fmt.Sprintf("its schema and every row of %d tables are as the merge read them", len(contents.Tables))
		p.pass(check)
	}
	return nil
}

// checkPlan checks that the references that were carried out are those of the recorded plan.
func (p *proof) checkPlan(context.Context) error {
	good := true
	for _, want := range p.plan.References {
		if want.As == merge.Keep {
			continue
		}
		if !slices.ContainsFunc(p.mem.References, func(got merge.MemoryReference) bool { return sameReference(got.Reference, want) }) {
			good = false
			p.fail(Check{Name: CheckPlan, Table: want.Table(), Column: want.From[0].Name}, "the plan's reference %s is not recorded as carried out", want.String())
		}
	}
	for _, got := range p.mem.References {
		if got.Reference.As == merge.Keep {
			continue
		}
		if !slices.ContainsFunc(p.plan.References, func(want merge.Reference) bool { return sameReference(got.Reference, want) }) {
			good = false
			p.fail(Check{Name: CheckPlan, Table: got.Reference.Table(), Column: got.Reference.From[0].Name}, "the reference %s was carried out, but the recorded plan does not name it", got.Reference.String())
		}
	}
	if good {
		p.pass(Check{Name: CheckPlan, Rows: int64(len(p.mem.References)), Detail: fmt.Sprintf("%d references", len(p.mem.References))})
	}
	return nil
}

// sameReference compares what decides where a reference points.
func sameReference(got, want merge.Reference) bool {
	return got.Pattern == want.Pattern && slices.Equal(got.From, want.From) && slices.Equal(got.To, want.To) && got.When == want.When && got.As == want.As &&
		orphans(got) == orphans(want) && got.Via == want.Via && (len(got.None) == 0 && len(want.None) == 0 || reflect.DeepEqual(got.None, want.None))
}

func orphans(r merge.Reference) merge.OrphanRule {
	if r.Orphans == "" {
		return merge.ByTombstone
	}
	return r.Orphans
}
