package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/planfile"
)

// checkFolds reports rows that fold by their key and are not the same, with the references that follow: nobody may take it for granted which row they reach.
func (a *auditor) checkFolds(ctx context.Context) error {
	for _, t := range a.schema.Tables {
		line := a.tables[t.Name]
		if !line.folds() || t.Opaque != "" {
			continue
		}
		a.checkCombined(line)
		if err := a.checkCompared(ctx, line); err != nil {
			return err
		}
		if line.plan.Rows == merge.FromRows {
			if err := a.checkLeft(ctx, line); err != nil {
				return err
			}
		}
		if len(t.PrimaryKey) == 0 && line.plan.Rows != merge.FirstRows {
			if err := a.checkKeyless(ctx, line); err != nil {
				return err
			}
			continue
		}
		for i := range a.shards {
			for j := range a.shards {
				stays := j < i
				if line.plan.Rows == merge.FromRows {
					stays = j != i && a.name(j) == line.plan.From
				}
				if !stays || line.rows[i] == 0 || line.rows[j] == 0 {
					continue
				}
				if err := a.checkFold(ctx, line, j, i); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkFold compares the rows of one shard with those of the same key in the shard whose rows stay.
func (a *auditor) checkFold(ctx context.Context, t *table, stays, folds int) error {
	pairs, err := a.foldPairs(ctx, t, stays, folds)
	if err != nil || pairs != nil && len(pairs) == 0 {
		return err
	}
	shared, equal, err := a.engine.SameRows(ctx, a.raw[stays], a.raw[folds], t.Name, pairs, 0)
	if err != nil {
		return err
	}
	if len(t.PrimaryKey) == 0 {
		return a.checkBeside(ctx, t, stays, folds, equal)
	}
	columns := map[string]int64{}
	if d, ok := a.engine.(differing); ok && shared > equal {
		if columns, err = d.DifferentColumns(ctx, a.raw[stays], a.raw[folds], t.Name, pairs); err != nil {
			return err
		}
	}
	ousted, err := a.ousted(ctx, t, stays, folds, pairs, shared, columns)
	if err != nil {
		return err
	}
	if shared == equal && len(ousted) == 0 {
		return nil
	}
	rows := shared - equal
	for c, n := range ousted {
		rows, columns[c] = max(rows, n), max(columns[c], n)
	}
	var own []string
	var others int64
	once, err := a.knownOnce(ctx, t, folds)
	if err != nil {
		return err
	}
	if !once && !slices.ContainsFunc(t.KeyCols(), a.meets) {
		own, others = a.foldsOthers(t, shared, columns)
	}
	if len(own) > 0 && t.plan.Rows != merge.FromRows {
		a.refuseOthers(t, stays, folds, own, others, shared)
		return nil
	}
	if err := a.checkFoldedNumbers(ctx, t, stays, folds, pairs, columns); err != nil {
		return err
	}
	a.checkKinds(t, columns)
	a.tellMixed(t, columns)
	differ := a.unruled(t, columns)
	follow, by, err := a.followers(ctx, t, stays, folds, pairs)
	if err != nil {
		return err
	}
	staying := a.name(stays)
	if t.plan.Rows != merge.FromRows && slices.ContainsFunc(t.rows[:stays], func(n int64) bool { return n > 0 }) {
		staying = "the first server that has one"
	}
	fate, next := fmt.Sprintf("so those of %s stay", staying), "combine them (rows: union), or check that nobody misses the difference"
	if len(own) > 0 {
		next = "check that nobody misses the difference"
	}
	if t.plan.Rows == merge.UnionRows {
		fate, next = "so each two become one row", "check that the same key is the same thing on both servers; if not, choose rows: merge"
		if differ != "" {
			fate += ", without a rule for what differs in " + differ + ": those of " + staying + " stay"
			next = "give these columns a rule (columns: {name: sum}, max, min, latest, lowest, set), or first where the first is right; " + next
		}
	} else if differ != "" {
		fate += "; they differ in " + differ
	}
	text := fmt.Sprintf("%s the key of another row in %s; the plan says rows: %s, %s", counted(rows, "row of "+a.name(folds)+" has", "rows of "+a.name(folds)+" have"), a.name(stays), t.policy(), fate)
	if follow > 0 {
		text += fmt.Sprintf("; %s to keys of both and will reach the row that stays (by %s)", counted(follow, "row of "+a.name(folds)+" refers", "rows of "+a.name(folds)+" refer"), strings.Trim(merge.JoinCols(by), "()"))
	}
	if lose := a.losing(t, ousted, columns); lose != "" {
		text += fmt.Sprintf("; of those of %s, %s lead to others than those that stay, and these lose them", a.name(folds), lose)
		next += "; hand back by merge-map what must not be lost" + a.orSet(t, ousted)
		if len(by) > 0 {
			next += fmt.Sprintf(", and see whether what leads here may be another's then; if not, take that from one server, too, such as %s", oneServersLine(by[0].Table, a.name(stays)))
		}
	}
	f := merge.Finding{Rule: "fold", Severity: merge.Info, Table: t.Name, Shard: a.name(folds), Rows: rows, Text: text, Next: next}
	if t.plan.While == merge.WhileEqual {
		known := t.plan
		known.While = ""
		f.Severity, f.Text = merge.Block, text+"; but the plan supposes that rows of one key are equal (while: equal)"
		every := rowsLine(t.Name, merge.MergeRows)
		if key := a.numbering(t); key != nil && key.plan.New == merge.Static {
			every += " and " + shiftLine(key.key)
		}
		f.Next = fmt.Sprintf("look at them; then say so without `while`: %s; or keep every row: %s", planfile.TableLine(&known), every)
	} else if line := a.allRuled(t, columns); line != "" {
		f.Severity, f.Next = merge.Block, fmt.Sprintf("the plan has rules for other columns of %s, so it takes one for each that differs: %s, or sum, max, min, latest, lowest instead of first", t.Name, line)
	}
	a.find(f)
	return nil
}

// differing is an engine that counts the differing values of each column.
type differing interface {
	DifferentColumns(ctx context.Context, a, b merge.Shard, table string, pairs []merge.KeyPair) (map[string]int64, error)
}

// knownOnce tells whether a table's rows are known by texts that are made once, such as UUIDs: whoever bears one is the same player on every server.
func (a *auditor) knownOnce(ctx context.Context, t *table, shard int) (bool, error) {
	if len(t.PrimaryKey) != 1 || a.schema.Holds(t.KeyCols()[0]) != merge.Text {
		return false, nil
	}
	u, err := a.sampled(ctx, t, t.KeyCols()[0])
	if err != nil {
		return false, err
	}
	texts := u.samples[shard].Texts
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(text string) bool { return !madeOnce.MatchString(text) }), nil
}

// foldsOthers tells by which other values of their own rows are known that fold by their number, such as accounts by a Steam ID, where most of those with one number have
// another such value: they are other accounts.
func (a *auditor) foldsOthers(t *table, shared int64, columns map[string]int64) (own []string, rows int64) {
	for _, u := range a.uniques() {
		if u.Table != t.Name || u.Primary || len(u.Columns) != 1 || slices.Contains(own, u.Columns[0]) {
			continue
		}
		if _, refers := a.parent(u.Cols()[0]); refers || a.mayMove(u.Cols()[0]) {
			continue
		}
		rule, _ := lookupFold(a.schema, t.plan.Columns, u.Columns[0])
		if n := columns[u.Columns[0]]; 2*n > shared && (rule.How == "" || rule.How == "first") { // what adds up names nobody
			own, rows = append(own, u.Columns[0]), max(rows, n)
		}
	}
	return own, rows
}

// refuseOthers blocks a fold of rows that are others: joining accounts is the game's own business.
func (a *auditor) refuseOthers(t *table, stays, folds int, own []string, rows, shared int64) {
	key, from := merge.JoinCols(t.KeyCols()), a.name(stays)
	both := "keep both (rows: merge), and let the game join them by merge-map"
	if u := t.primary(); u != nil && a.numberless(u) {
		both = fmt.Sprintf("keep both: give the rows of one shard other values of %s in a copy of it, and whatever refers to them", key)
	}
	alone := ""
	if left := t.rows[folds] - shared; left > 0 {
		alone = fmt.Sprintf(", which also leaves out %s that %s lacks", counted(left, "row of "+a.name(folds), "rows of "+a.name(folds)), from)
	}
	a.find(merge.Finding{
		Rule: "fold", Severity: merge.Block, Table: t.Name, Column: strings.Join(own, ", "), Shard: a.name(folds), Rows: rows,
		Text: fmt.Sprintf("%d of %d rows with the key of a row in %s have another %s, so they are others; the plan says rows: %s, and rows fold by %s alone: joining accounts is the game's own business",
			rows, shared, from, strings.Join(own, " and "), t.policy(), key),
		Next: fmt.Sprintf("%s; if %s numbers the same things on every server, say %s%s", both, key, oneServersLine(t.Name, from), alone),
	})
}

// unruled lists the columns in which rows of one key differ and for which the plan has no rule, with their rows.
func (a *auditor) unruled(t *table, rows map[string]int64) string {
	var list []string
	for _, c := range t.Columns {
		if _, ruled := lookupFold(a.schema, t.plan.Columns, c.Name); !ruled && rows[c.Name] > 0 {
			list = append(list, fmt.Sprintf("%s (%s)", c.Name, counted(rows[c.Name], "row", "rows")))
		}
	}
	return strings.Join(list, ", ")
}

// allRuled is the line of a table that combines some columns by rules, with the rule first for each other one that differs; "" when none does. Of two spellings of a key
// the first stays.
func (a *auditor) allRuled(t *table, rows map[string]int64) string {
	line := t.plan
	line.Table, line.Columns = t.Name, map[string]merge.Combine{}
	ruled, missing := false, false
	for _, c := range t.Columns {
		if how, ok := lookupFold(a.schema, t.plan.Columns, c.Name); ok {
			line.Columns[c.Name], ruled = how, true
		} else if rows[c.Name] > 0 && !slices.Contains(t.PrimaryKey, c.Name) {
			line.Columns[c.Name], missing = a.decides(t, c.Name), true
		}
	}
	if line.Rows != merge.UnionRows || !ruled || !missing {
		return ""
	}
	return planfile.TableLine(&line)
}

// decides is the rule of a column by which the plan chooses between two rows, so that its value is that of the row that was chosen; of any other it is first.
func (a *auditor) decides(t *table, column string) merge.Combine {
	for _, c := range t.Columns {
		switch how, _ := lookupFold(a.schema, t.plan.Columns, c.Name); {
		case how.By == "" || !a.schema.Equal(how.By, column):
		case how.Ranked() != "":
			return merge.Combine{How: how.Ranked()}
		default:
			return how
		}
	}
	return merge.Combine{How: "first"}
}

// primary is the table's primary key; nil when it has none.
func (t *table) primary() *merge.Unique {
	for _, u := range t.Uniques {
		if u.Primary {
			return u
		}
	}
	return nil
}
