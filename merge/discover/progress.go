package discover

import (
	"slices"
	"strings"
)

// The words of columns that hold how far somebody has come in what is read from one row to the next.
var (
	// What says so by itself.
	progressAlone = set("cursor", "watermark", "highwater", "ack", "acked", "acknowledged", "until", "upto", "since", "unread", "seen", "viewed")
	// What was done with the rows up to one: read_mail, last_processed.
	progressDone = set("read", "processed", "synced", "sync", "delivered", "handled", "consumed", "fetched", "polled", "viewed", "watched", "shown", "notified", "collected", "imported",
		"exported", "checked", "heard", "received", "applied", "parsed", "scanned")
	// What picks the row of the highest number.
	progressLately = set("last", "newest", "latest", "highest", "max", "recent")
	// What comes one after the other and is read in that order.
	progressFlows = set("mail", "message", "msg", "letter", "post", "reply", "comment", "log", "event", "news", "chat", "line", "topic", "thread", "announcement", "announce", "notice", "notification", "entry",
		"record", "report", "revision", "change", "update", "bulletin", "story", "alert", "feed", "page", "transaction", "tx", "deed", "step", "move", "command", "cmd")
)

// MarksProgress tells whether a column that refers to rows says by its name that it holds up to which of them somebody has come: last_read_mail, seen_id, read_up_to, or newest_post.
func MarksProgress(column string) bool {
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
	case has(progressAlone), strings.Contains(whole, "upto"):
		return true
	case has(progressDone) && (has(progressLately) || has(progressFlows)), len(tokens) > 0 && tokens[0] == "read":
		return true
	case has(progressLately):
		return has(progressFlows)
	}
	// Written together, as in lastreadid.
	for late := range progressLately {
		if rest, ok := strings.CutPrefix(whole, late); ok {
			return startsWith(rest, progressDone) || startsWith(rest, progressFlows) || startsWith(rest, progressAlone)
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
