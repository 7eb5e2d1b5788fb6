package planfile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

// Notes are a plan file's comments and questions, for people. The zero Notes writes none: that is the form in which a merge records its plan.
type Notes struct {
	// Head is text for the top of the file, such as the audit's verdict; the explanation of how to answer follows it.
	Head string
	// Comments are evidence and counts, keyed by the entry as KeyLine, ReferenceLine, TableLine, UniqueLine and CounterLine write it.
	Comments map[string]string
	// Undecided stand as a section of their own, sorted by rows at risk. An empty list that is not nil writes an empty section.
	Undecided []merge.Undecided
	// Remarks are a person's own comments, of the plan that this one replaces; nil when there is none. Format uses them up.
	Remarks *Remarks
}

// explanation is the head of every plan that is written for a person.
const explanation = `This plan says what happens to every table, key and reference of a merge.
To answer a question, correct its line under undecided where needed and move it to the section named above it.
To accept what was found with certainty, write accept: [certain]. Deleting a line under undecided settles nothing.
Names are written as in SQL: "odd name"."owner id".
Comments that begin with #: are written anew by --update-plan. All others are yours and stay.`

// Format writes a plan, one entry a line. Parse reads the same plan back, as long as it holds what a plan can say and its texts are UTF-8.
func Format(p *merge.Plan, notes Notes) []byte {
	w := &writer{notes: notes}
	people := notes.Head != "" || notes.Remarks != nil || notes.Comments != nil || notes.Undecided != nil
	if people {
		if notes.Head != "" {
			w.comment("", notes.Head)
			w.line("#" + ours)
		}
		w.comment("", explanation)
	}
	w.setting("version", strconv.Itoa(Version))
	sectionOf(w, "shards", p.Shards, shardLine, func(s *merge.Source) string { return s.Name })
	if p.Schema != "" {
		w.setting("schema", quote(p.Schema))
	}
	if len(p.Accept) > 0 {
		words := make([]string, len(p.Accept))
		for i, g := range p.Accept {
			words[i] = quote(string(g))
		}
		w.setting("accept", "["+strings.Join(words, ", ")+"]")
	}
	if people {
		w.undecided(p, notes.Undecided)
	}
	sectionOf(w, "keys", p.Keys, KeyLine, KeyLine)
	sectionOf(w, "references", p.References, ReferenceLine, ReferenceLine)
	sectionOf(w, "tables", p.Tables, TableLine, TableLine)
	sectionOf(w, "uniques", p.Uniques, UniqueLine, UniqueLine)
	sectionOf(w, "counters", p.Counters, CounterLine, CounterLine)
	for _, text := range notes.Remarks.rest() {
		w.remark("", text)
	}
	return []byte(w.b.String())
}

type writer struct {
	b     strings.Builder
	notes Notes
}

func (w *writer) line(s string) { w.b.WriteString(s + "\n") }

// setting writes a key and its value; "" for a section, whose entries follow.
func (w *writer) setting(name, value string) {
	w.remarked("", strings.TrimRight(name+": "+value, " "), w.notes.Remarks.take(name))
}

// sectionOf writes entries, each with its comment; id tells whose remarks an entry gets.
func sectionOf[E any](w *writer, name string, entries []E, line, id func(*E) string) {
	if len(entries) == 0 {
		return
	}
	w.setting(name, "")
	for i := range entries {
		text := line(&entries[i])
		w.entry(text, w.notes.Comments[text], w.notes.Remarks.take(entryID(name, id(&entries[i]))).beside(i == len(entries)-1))
	}
}

// widest is the longest line that takes its comment at its end.
const widest = 160

func (w *writer) entry(text, comment string, own *remark) {
	comment = strings.TrimSpace(comment)
	tail := "  #" + ours + " " + clean(comment)
	switch {
	case comment == "":
	case !strings.Contains(comment, "\n") && len(text)+len(tail) <= widest && own.tail == "":
		text += tail
	default:
		w.comment("  ", comment)
	}
	w.remarked("  ", "- "+text, own)
}

// remarked writes a line among a person's remarks on it.
func (w *writer) remarked(indent, text string, own *remark) {
	for _, line := range own.above {
		w.remark(indent, line)
	}
	if own.tail != "" {
		text += "  #" + strings.TrimRight(clean(own.tail), " ")
	}
	w.line(indent + text)
	for _, line := range own.below {
		w.remark("  ", line)
	}
}

func (w *writer) remark(indent, text string) {
	w.line(indent + "#" + strings.TrimRight(clean(text), " "))
}

// comment writes text as comment lines of ours.
func (w *writer) comment(indent, text string) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		w.line(strings.TrimRight(indent+"#"+ours+" "+clean(line), " "))
	}
}

// clean keeps a comment on its line: what cannot be seen becomes a space.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if hidden(c) {
			return ' '
		}
		return c
	}, s)
}

func (w *writer) undecided(p *merge.Plan, list []merge.Undecided) {
	list = slices.DeleteFunc(slices.Clone(list), func(u merge.Undecided) bool {
		_, line := UndecidedLine(&u)
		return line == ""
	})
	if len(list) == 0 {
		w.setting("undecided", "[]")
		return
	}
	slices.SortStableFunc(list, func(a, b merge.Undecided) int {
		_, x := UndecidedLine(&a)
		_, y := UndecidedLine(&b)
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(x, y))
	})
	w.setting("undecided", "")
	for i := range list {
		u := &list[i]
		section, text := UndecidedLine(u)
		question := u.Question
		if u.Rows > 0 {
			question += " (" + rowsAtRisk(u.Rows) + ")"
		}
		w.comment("  ", question)
		if u.Evidence != "" {
			w.comment("  ", u.Evidence)
		}
		if Standing(p, u) != "" {
			w.comment("  ", "in place of the line that stands there:")
		}
		w.comment("  ", "-> "+section)
		w.remarked("  ", "- "+text, w.notes.Remarks.take(entryID("undecided", text)).beside(i == len(list)-1))
	}
}

func rowsAtRisk(n int64) string {
	if n == 1 {
		return "1 row at risk"
	}
	return strconv.FormatInt(n, 10) + " rows at risk"
}

func shardLine(s *merge.Source) string {
	var f flow
	f.text("name", s.Name)
	if s.Server != nil {
		f.raw("server", strconv.FormatInt(*s.Server, 10))
	}
	f.text("source", s.Source)
	return f.String()
}
