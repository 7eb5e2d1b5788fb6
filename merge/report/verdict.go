package report

import "strings"

// Text is the verdict in two or three sentences:
// "Not mergeable yet: 12 decisions. Merged naively, 31,204 rows would belong to another player; 160 names clash. About 6 minutes, 9 GB."
func (v Verdict) Text() string {
	sentences := []string{v.state(), v.naive()}
	if estimate := v.estimate(); estimate != "" {
		sentences = append(sentences, estimate)
	}
	return strings.Join(sentences, " ")
}

func (v Verdict) state() string {
	if v.Mergeable {
		return "Mergeable: nothing is left to decide."
	}
	var open []string
	if v.Blocks > 0 {
		open = append(open, Count(int64(v.Blocks), "blocker"))
	}
	if v.Decisions > 0 || v.Blocks == 0 {
		open = append(open, Count(int64(v.Decisions), "decision"))
	}
	return "Not mergeable yet: " + strings.Join(open, ", ") + "."
}

func (v Verdict) naive() string {
	rows := Count(v.WrongRows, "row") + " would belong to another player"
	switch {
	case v.WrongRows == 0 && !v.Mergeable: // what refers to what is still to be said
		rows = "no row is known yet that would belong to another player"
	case v.WrongRows == 0 && v.NameClashes == 0:
		return "Merged naively, no row would belong to another player and no name would clash."
	case v.WrongRows == 0:
		rows = "no row would belong to another player"
	}
	names := "no name clashes"
	switch {
	case v.NameClashes == 1:
		names = "1 name clashes"
	case v.NameClashes > 1:
		names = Count(v.NameClashes, "name") + " clash"
	}
	return "Merged naively, " + rows + "; " + names + "."
}

func (v Verdict) estimate() string {
	var parts []string
	if v.Duration > 0 {
		parts = append(parts, Duration(v.Duration))
	}
	if v.Bytes > 0 {
		parts = append(parts, Bytes(v.Bytes))
	}
	if len(parts) == 0 {
		return ""
	}
	if v.Duration > 0 && v.Duration < second {
		return "Less than a second" + strings.TrimPrefix(strings.Join(parts, ", "), Duration(v.Duration)) + "."
	}
	return "About " + strings.Join(parts, ", ") + "."
}
