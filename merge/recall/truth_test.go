package recall

import (
	"slices"

	"github.com/gameid/gameid/merge"
)

// What a column of a guessing game truly is.
const (
	plainColumn     = "plain"
	aReference      = "reference"
	sparseReference = "sparse reference"
	kindReference   = "reference of one kind"
	anOwnKey        = "key of a row per player"
	itsNumbers      = "number of its own rows"
	aNameCopy       = "copied name"
	aName           = "name"
	someWords       = "words"
	smallLetters    = "name in small letters"
	aTextID         = "number in a text"
	aGroup          = "group of no table"
	aCounter        = "counter"
)

// servers is how many a game has.
const servers = 2

// truth is a column of a game that declares nothing, and what it holds.
type truth struct {
	col     merge.Col
	what    string
	key     merge.Col // that it holds
	when    string    // the condition under which it does; "" always
	under   func(shard, row int) bool
	fixed   bool     // what it leads to is the same on every server, so that nothing changes
	thing   bool     // it tells its rows apart as an outside house does, or a list of words
	band    int64    // from which on its numbers are of rows of another kind, as the game takes it; 0 when they are all alike
	others  []*truth // what the same column holds under other conditions
	remains bool     // under others again it holds none
	values  [2][]any // by shard
}

// refers tells whether the column holds something of another table, so that an audit must not pass over it.
func (c *truth) refers() bool {
	return !c.stays() && c.what != aGroup && c.what != aCounter
}

// stays tells whether the column says nothing of another row.
func (c *truth) stays() bool {
	return slices.Contains([]string{plainColumn, itsNumbers, aName, someWords}, c.what)
}

// speaks tells whether a column holds a key in a row.
func (c *truth) speaks(shard, row int) bool { return c.under == nil || c.under(shard, row) }

// nobody tells whether a value is one by which a game says that there is nobody.
func nobody(v any) bool {
	return slices.Contains([]any{nil, "", 0, -1, int64(0), int64(-1)}, v)
}
