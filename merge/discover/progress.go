package discover

import (
	"slices"
	"strings"
)

// progressWords are the words of columns that hold how far somebody has come in what is read from one row to the next.
type progressWords struct{ alone, done, lately, flows map[string]bool }

func newProgressWords() *progressWords {
	return &progressWords{
		// What says so by itself.
		alone: set("cursor", "watermark", "highwater", "ack", "acked", "acknowledged", "until", "upto", "since", "unread", "seen", "viewed"),
		// What was done with the rows up to one: read_mail, last_processed.
		done: set("read", "processed", "synced", "sync", "delivered", "handled", "consumed", "fetched", "polled", "viewed", "watched", "shown", "notified", "collected", "imported",
			"exported", "checked", "heard", "received", "applied", "parsed", "scanned"),
		// What picks the row of the highest number.
		lately: set("last", "newest", "latest", "highest", "max", "recent"),
		// What comes one after the other and is read in that order.
		flows: set("mail", "message", "msg", "letter", "post", "reply", "comment", "log", "event", "news", "chat", "line", "topic", "thread", "announcement", "announce", "notice", "notification", "entry",
			"record", "report", "revision", "change", "update", "bulletin", "story", "alert", "feed", "page", "transaction", "tx", "deed", "step", "move", "command", "cmd"),
	}
}

// MarksProgress tells whether a column that refers to rows says by its name that it holds up to which of them somebody has come: last_read_mail, seen_id, read_up_to, or newest_post.
func MarksProgress(column string) bool {
	words := newProgressWords()
	tokens := split(column)
	for i := range tokens {
		tokens[i] = singular(tokens[i])
	}
	has := func(list map[string]bool) bool {
		return slices.ContainsFunc(tokens, func(t string) bool { return list[t] })
	}
	whole := strings.Join(tokens, "")
	switch {
	case slices.Contains(tokens, "by"): // seen_by is somebody
		return false
	case has(words.alone), strings.Contains(whole, "upto"):
		return true
	case has(words.done) && (has(words.lately) || has(words.flows)), len(tokens) > 0 && tokens[0] == "read":
		return true
	case has(words.lately):
		return has(words.flows)
	}
	// Written together, as in lastreadid.
	for late := range words.lately {
		if rest, ok := strings.CutPrefix(whole, late); ok {
			return startsWith(rest, words.done) || startsWith(rest, words.flows) || startsWith(rest, words.alone)
		}
	}
	return false
}

func startsWith(s string, list map[string]bool) bool {
	for w := range list {
		if len(w) >= glueLeast && strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}
