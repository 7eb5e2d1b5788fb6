package discover_test

import (
	"testing"

	"github.com/gameid/gameid/merge/discover"
)

func TestMarksProgress(t *testing.T) {
	for name, want := range map[string]bool{
		"last_read_mail": true, "lastReadMessageId": true, "last_seen_news": true, "read_until": true, "mail_cursor": true, "ack_id": true, "newest_post_id": true, "latest_log": true, "last_seen_id": true,
		"mail_seen_id": true, "read_up_to": true, "lastreadid": true, "LastMessageID": true, "since_id": true, "last_processed": true,
		"owner_id": false, "last_char_id": false, "last_killer": false, "latest_owner": false, "seen_by": false, "mail_id": false, "last_id": false, "reader_id": false, "thread_id": false, "lastname": false,
		"max_hp": false, "last_login_ip": false, "": false, "42": false, "!?": false, "最后": false,
	} {
		if got := discover.MarksProgress(name); got != want {
			t.Errorf("MarksProgress(%q): got %v, want %v", name, got, want)
		}
	}
}
