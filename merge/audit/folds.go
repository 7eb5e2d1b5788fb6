package audit

import (
	"context"
	"fmt"

	"github.com/gameid/gameid/merge"
)

// checkFolds reports rows that fold by their key and are not the same: the first shard's stay, and nobody may take that for granted.
func (a *auditor) checkFolds(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if line.plan.Rows != merge.FirstRows || len(t.PrimaryKey) == 0 || t.Opaque != "" {
			continue
		}
		for i := range a.shards {
			for j := range i {
				if line.rows[i] == 0 || line.rows[j] == 0 {
					continue
				}
				shared, equal, err := a.engine.SameRows(ctx, a.raw[j], a.raw[i], t.Name, 0)
				if err != nil {
					return err
				}
				if shared > equal {
					a.find(merge.Finding{
						Rule: "fold", Severity: merge.Info, Table: t.Name, Shard: a.name(i), Rows: shared - equal,
						Text: fmt.Sprintf("%s the key of another row in %s; the plan says rows: first, so those of %[2]s stay", counted(shared-equal, "row of "+a.name(i)+" has", "rows of "+a.name(i)+" have"), a.name(j)),
						Next: "combine them (rows: union), or check that nobody misses the difference",
					})
				}
			}
		}
	}
	return nil
}
