package cmd

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gameid/gameid/merge"
	"github.com/gameid/gameid/merge/audit"
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
		enc := json.NewEncoder(a.Out)
		if a.outFormat() == formatJSON {
			enc.SetIndent("", "  ")
		}
		return enc.Encode(r.Document())
	case formatTSV, formatCSV:
		fmt.Fprintln(a.Err, r.Verdict.Text())
		if err := a.printRows(report.FindingColumns(), report.FindingRows(res.Findings)); err != nil {
			return err
		}
		a.printQuestions(res)
		return nil
	}
	fmt.Fprintf(a.Out, "%s\n\n", r.Verdict.Text())
	if err := a.printRows(r.TableColumns(), r.TableRows()); err != nil {
		return err
	}
	if len(res.Findings) > 0 {
		fmt.Fprintln(a.Out)
		if err := a.printRows(report.FindingColumns(), report.FindingRows(res.Findings)); err != nil {
			return err
		}
	}
	a.printQuestions(res)
	return nil
}

// printQuestions tells a person what is open: first the questions that settle several columns at once.
func (a *app) printQuestions(res *audit.Result) {
	if len(res.Undecided) == 0 {
		return
	}
	fmt.Fprintf(a.Err, "\nA person has to decide (%d):\n", len(res.Undecided))
	for _, q := range res.Questions {
		fmt.Fprintf(a.Err, "\n  * %s\n", q.Text)
		if q.Evidence != "" {
			fmt.Fprintf(a.Err, "    %s\n", q.Evidence)
		}
		if q.Role != "" {
			line := planfile.KeyLine(&merge.KeyPlan{Key: q.Key, Role: q.Role})
			fmt.Fprintf(a.Err, "    one answer for all: keys: - %s\n", line)
		}
	}
	for i := range res.Undecided {
		u := &res.Undecided[i]
		section, line := planfile.UndecidedLine(u)
		fmt.Fprintf(a.Err, "\n  %s\n", u.Question)
		if u.Evidence != "" {
			fmt.Fprintf(a.Err, "    %s\n", strings.ReplaceAll(u.Evidence, "\n", "\n    "))
		}
		fmt.Fprintf(a.Err, "    %s: - %s\n", section, line)
	}
	fmt.Fprintln(a.Err)
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
				shown, last = a.startProgress(phase, "rows", max(total, -1)), phase
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
