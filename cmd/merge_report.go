package cmd

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
	"github.com/gameid/gameid/merge/discover"
	"github.com/gameid/gameid/merge/planfile"
	"github.com/gameid/gameid/merge/report"
)

// auditReport is an audit's result as the report package prints it.
func auditReport(sources []merge.Source, res *audit.Result) *report.Audit {
	r := &report.Audit{
		Verdict: report.Verdict{
			Mergeable: res.Settled != nil, Decisions: res.Verdict.Decisions, Blocks: res.Verdict.Blocks, WrongRows: res.Verdict.WrongRows,
			NameClashes: res.Verdict.NameClash, Duration: time.Duration(res.Verdict.Seconds * float64(time.Second)), Bytes: res.Verdict.Bytes,
		},
		Findings: res.Findings, Undecided: res.Undecided,
	}
	for _, s := range sources {
		r.Shards = append(r.Shards, s.Name)
	}
	for _, t := range res.Tables {
		line := report.TableLine{Table: t.Table, Rows: t.Rows, Policy: t.Policy, Conflicts: t.Conflicts, Orphans: t.Orphans}
		if t.Conflicts > 0 {
			line.NewKeys = string(t.Rule)
		}
		r.Tables = append(r.Tables, line)
	}
	return r
}

func verdictText(res *audit.Result) string { return auditReport(nil, res).Verdict.Text() }

// printAudit writes the verdict first. A table is for people and holds everything; TSV and CSV are the findings alone, the verdict then stands on Err; JSON is one document.
func (a *app) printAudit(sources []merge.Source, res *audit.Result) error {
	r := auditReport(sources, res)
	switch a.outFormat() {
	case formatJSON, formatNDJSON:
		indent := ""
		if a.outFormat() == formatJSON {
			indent = "  "
		}
		return writeJSON(a.Out, r.Document(), indent)
	case formatTSV, formatCSV:
		fmt.Fprintln(a.Err, r.Verdict.Text())
		if err := a.printRows(report.FindingColumns(), report.FindingRows(res.Findings)); err != nil {
			return err
		}
		a.printQuestions(res)
		return nil
	}
	if _, err := fmt.Fprintln(a.Out, wrapText(r.Verdict.Text(), "", "", wrapWidth(a.outWidth()))); err != nil {
		return err
	}
	columns, rows := withoutEmpty(r.TableColumns(), r.TableRows())
	if err := a.printRows(columns, rows); err != nil {
		return err
	}
	if len(res.Findings) > 0 {
		fmt.Fprintln(a.Out)
		drawFindings(a.Out, res.Findings, a.outWidth(), a.outColor())
	}
	a.printQuestions(res)
	return nil
}

// withoutEmpty leaves out the columns that say nothing in any row.
func withoutEmpty(columns []string, rows [][]any) (names []string, kept [][]any) {
	kept = make([][]any, len(rows))
	for i, name := range columns {
		says := false
		for _, row := range rows {
			says = says || cellText(row[i]) != ""
		}
		if !says && len(rows) > 0 {
			continue
		}
		names = append(names, name)
		for j, row := range rows {
			kept[j] = append(kept[j], row[i])
		}
	}
	return names, kept
}

// printQuestions tells a person what is open: first the questions that settle several columns at once, then each entry with the plan line that it would become.
func (a *app) printQuestions(res *audit.Result) {
	if len(res.Undecided) == 0 {
		return
	}
	width := a.errWrap()
	var b strings.Builder
	fmt.Fprintf(&b, "\nA person has to decide (%d):\n", len(res.Undecided))
	for _, q := range res.Questions {
		b.WriteByte('\n')
		b.WriteString(wrapText(q.Text, "  * ", "    ", width))
		if q.Evidence != "" {
			b.WriteString(wrapText(q.Evidence, "    ", "    ", width))
		}
		fmt.Fprintf(&b, "    one answer for all, under keys:  - %s\n", questionLine(res.Plan, &q))
	}
	for i := range res.Undecided {
		u := &res.Undecided[i]
		section, line := planfile.UndecidedLine(u)
		b.WriteByte('\n')
		b.WriteString(wrapText(u.Question, "  ", "  ", width))
		if u.Evidence != "" {
			b.WriteString(wrapText(u.Evidence, "    ", "    ", width))
		}
		fmt.Fprintf(&b, "    %s:  - %s\n", section, report.Visible(line))
	}
	fmt.Fprintln(a.Err, b.String())
}

// errWrap is how wide text on Err is wrapped: off a terminal a sentence stays on its line, for grep.
func (a *app) errWrap() int {
	if a.errIsTerminal() {
		return wrapWidth(a.errWidth())
	}
	return math.MaxInt
}

// tell writes a sentence to Err.
func (a *app) tell(text string) { fmt.Fprint(a.Err, wrapText(text, "", "", a.errWrap())) }

// questionLine is the plan's line for a key as it would stand with the answer to a question about its role.
func questionLine(plan *merge.Plan, q *discover.Question) string {
	key := merge.KeyPlan{Key: q.Key}
	for _, k := range plan.Keys {
		if k.Key == q.Key {
			key = k
		}
	}
	key.Role = q.Role
	return planfile.KeyLine(&key)
}

// phaseUnit is what a phase of a merge counts: rows, or where it reads whole columns, its own steps.
func phaseUnit(phase string) string {
	if phase == "rewrite" || phase == "prove" {
		return "rows"
	}
	return "steps"
}

// watch shows what a piece of work adds to its progress. The returned stop may be called twice.
func (a *app) watch() (p *merge.Progress, stop func()) {
	p = &merge.Progress{}
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		var shown *progress
		last := ""
		for tick := time.NewTicker(barEvery); ; {
			select {
			case <-quit:
				tick.Stop()
				if shown != nil {
					shown.Stop()
				}
				return
			case <-tick.C:
			}
			phase, rows, total := p.State()
			if phase != last {
				if shown != nil {
					shown.Stop()
				}
				shown, last = a.startProgress(phase, phaseUnit(phase), max(total, -1)), phase
			}
			if shown != nil {
				shown.Set(rows)
			}
		}
	}()
	stopped := false
	return p, func() {
		if !stopped {
			stopped = true
			close(quit)
			<-gone
		}
	}
}
