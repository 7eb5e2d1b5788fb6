package worlds

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gameid/gameid/merge"
)

// post is a row that belongs to a word, or to none, and becomes one with an earlier server's of the same word and kind.
type post struct{ id, word, kind, n int64 }

func (p post) own(shard int) string { return fmt.Sprintf("%d/%d", shard, p.id) }

func postTables(r *rand.Rand) []string {
	key := []string{"INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT NOT NULL PRIMARY KEY"}[r.IntN(3)]
	return []string{
		"CREATE TABLE post(id " + key + ", word INTEGER, kind INTEGER NOT NULL, own TEXT NOT NULL, n INTEGER NOT NULL)",
		"CREATE TABLE reply(own TEXT NOT NULL, post INTEGER NOT NULL)",
	}
}

func newPosts(r *rand.Rand, words []word) (list []post) {
	for range 10 + r.IntN(40) {
		p := post{1 + r.Int64N(80), r.Int64N(64), r.Int64N(3), r.Int64N(100)} // some of nobody
		if r.IntN(4) > 0 {
			p.word = words[r.IntN(len(words))].id
		}
		if !slices.ContainsFunc(list, func(o post) bool { return o.id == p.id }) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(p, q post) int { return int(p.id - q.id) })
	return list
}

// foldPosts is the rule by which posts become one.
func (l *lists) foldPosts() merge.TablePlan {
	rule := merge.TablePlan{Table: "post", Rows: merge.ByValue, By: []string{"word", "kind"}}
	if l.adds {
		rule.Columns = map[string]merge.Combine{"n": {How: "sum"}}
	}
	return rule
}

func postReferences() []merge.Reference {
	return []merge.Reference{
		{From: []merge.Col{{Table: "post", Name: "word"}}, To: []merge.Col{{Table: "word", Name: "id"}}, Orphans: merge.ByTombstone, None: []any{int64(0)}},
		{From: []merge.Col{{Table: "reply", Name: "post"}}, To: []merge.Col{{Table: "post", Name: "id"}}},
		{From: []merge.Col{{Table: "post", Name: "kind"}, {Table: "post", Name: "n"}, {Table: "post", Name: "own"}, {Table: "reply", Name: "own"}}, As: merge.Keep},
	}
}

// checkPosts looks which posts became one: those of one kind and of words that did, and those of no word at all. into is the row of words that each folds into.
func (l *lists) checkPosts(t *testing.T, db *sql.DB, into map[string]string) {
	type of struct {
		word string
		kind int64
	}
	type row struct {
		shard int
		own   string
	}
	first, sums, becomes := map[of]row{}, map[string]int64{}, map[string]string{}
	for shard, list := range l.posts {
		here := map[of]bool{}
		for _, p := range list {
			own := p.own(shard)
			becomes[own] = own
			key := of{into[word{id: p.word}.own(shard)], p.kind}
			if p.word != 0 && key.word == "" { // of a word that is no more
				sums[own] = p.n
				continue
			}
			b, ok := first[key]
			switch {
			case !ok:
				first[key], sums[own] = row{shard, own}, p.n
			case b.shard != shard && !here[key]:
				becomes[own] = b.own
				if l.adds {
					sums[b.own] += p.n
				}
			default:
				sums[own] = p.n
			}
			here[key] = true
		}
	}
	rows := 0
	l.each(t, db, "SELECT own, n FROM post", func(own string, n sql.NullInt64) {
		if rows++; becomes[own] != own || n.Int64 != sums[own] {
			t.Errorf("post %s has %d, want %d in %q", own, n.Int64, sums[own], becomes[own])
		}
	})
	if rows != len(sums) {
		t.Errorf("%d posts, want %d", rows, len(sums))
	}
	l.each(t, db, "SELECT reply.own || '>' || coalesce(post.own, ''), 0 FROM reply LEFT JOIN post ON post.id = reply.post", func(got string, _ sql.NullInt64) {
		own, _, _ := strings.Cut(got, ">")
		if want := own + ">" + becomes[own]; got != want {
			t.Errorf("a reply leads to %s, want %s", got, want)
		}
	})
}
