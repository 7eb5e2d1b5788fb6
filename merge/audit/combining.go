package audit

import (
	"context"
	"slices"

	"github.com/gameid/gameid/merge"
)

// Words of columns by which two servers' values of one row become one.
var (
	// Counts of what was done, won or owned add up: those that say of what, and those of whatever a column beside them names.
	tallies = []string{"attempts", "balance", "bank", "bucks", "cash", "cents", "clay", "coin", "coins", "copper", "credit", "credits", "crystal", "crystals", "damage", "deaths", "deuterium", "diamond", "diamonds", "dollars", "donated", "dust", "earned", "essence", "exp", "experience", "fame", "food", "gem", "gems", "gil", "gold", "honor", "honour", "iron", "jade", "kill", "kills", "logins", "losses", "lost", "meso", "metal", "money", "ore", "played", "playtime", "points", "prestige", "reputation", "resources", "rubies", "ruby", "score", "shards", "silver", "souls", "spent", "stars", "stone", "tickets", "times", "tokens", "visits", "votes", "wallet", "wins", "won", "wood", "xp", "zeny"}
	amounts = []string{"amount", "count", "num", "quantity", "qty", "total"}
	things  = []string{"currency", "entry", "goods", "item", "itemid", "itemtype", "kind", "material", "model", "nameid", "product", "resource", "template", "tmpl", "type", "unit", "vnum", "what"}
	// Of a record the better stays, which is the lower one of times; a mean of two means nothing, nor does a place in a list that the game makes anew.
	fewest   = []string{"cheapest", "earliest", "fastest", "fewest", "least", "lowest", "minimum", "quickest", "shortest"}
	records  = []string{"best", "high", "highest", "highscore", "longest", "max", "maximum", "most", "peak", "record", "top"}
	duration = []string{"duration", "lap", "millis", "milliseconds", "ms", "sec", "seconds", "secs", "time", "times"}
	standing = []string{"average", "avg", "mean", "percent", "percentage", "place", "rank", "ranking", "rate", "ratio"}
	// Where or what something is, which several columns say together: the higher of each would be a third place, or a third thing.
	spots = []string{"x", "y", "z", "yaw", "pitch", "rotation", "orientation", "heading", "pos", "position", "map", "world", "zone", "template", "tmpl", "serial", "entry", "type", "kind", "model"}
	// Moments up to which something holds: 0 may mean for ever. And of a beginning, the later is wrong.
	ends   = []string{"deadline", "end", "ends", "expiration", "expire", "expired", "expires", "expiry", "until", "valid"}
	starts = []string{"born", "created", "creation", "founded", "joined", "registered", "registration"}
	// And what else is called like a time.
	moments = []string{"date", "day", "expdate", "hour", "month", "time", "timestamp", "week", "when", "year"}
)

// combining is how a union of two rows makes one value of a column: numbers that count add up, of records the better one stays and of others the higher, and the first of what
// is no number or says something together with what differs beside it.
func (a *auditor) combining(ctx context.Context, t *table, c *merge.Column, differ map[string]int64) (string, error) {
	col, words := merge.Col{Table: t.Name, Name: c.Name}, wordsOf(c.Name)
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	switch kind := a.schema.Holds(col); {
	case kind != merge.Integer && kind != merge.Numeric && kind != merge.Real, a.mayMove(col), a.keyWord(t, col, "sum") != "", a.spaces[col] != nil,
		has(standing), has(starts), slices.Contains(spots, lastWord(c.Name)), a.saysWhat(t, c):
		return "first", nil
	case has(fewest), has(records) && has(duration):
		return a.unlessZero(ctx, col, "min") // of none so far
	case has(records):
		return "max", nil
	case has(tallies):
		return "sum", nil
	case has(amounts) && slices.ContainsFunc(t.Columns, func(o *merge.Column) bool { return differ[o.Name] > 0 && a.saysWhat(t, o) }):
		return "first", nil // so many of two different things
	case has(amounts):
		return "sum", nil
	case has(ends):
		return a.unlessZero(ctx, col, "max") // for ever
	}
	return "max", nil
}

// fate says what a rule makes of two values of a column; "" where the first stays.
func fate(how, column string) string {
	switch how {
	case "sum":
		return "adds up " + column
	case "max":
		return "keeps the higher " + column
	case "min":
		return "keeps the lower " + column
	}
	return ""
}

// saysWhat tells whether a column says of what the row is, so that an amount beside it is one of that.
func (a *auditor) saysWhat(t *table, c *merge.Column) bool {
	return !slices.Contains(t.PrimaryKey, c.Name) && slices.ContainsFunc(wordsOf(c.Name), func(w string) bool { return slices.Contains(things, w) })
}

// amountWord tells whether a column is named like a count of something.
func amountWord(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return slices.Contains(amounts, w) || slices.Contains(tallies, w) || w == "n" })
}

// unlessZero is a rule by which the highest or the lowest of some values stays, or "first" where some are 0 or less: that may mean none so far, or for ever.
func (a *auditor) unlessZero(ctx context.Context, c merge.Col, how string) (string, error) {
	for _, s := range a.shards {
		own, ok := s.Schema().Resolve(c)
		if !ok {
			continue
		}
		low, err := s.Any(ctx, own.Table, a.engine.Quote(own.Name)+" <= 0")
		if err != nil || low {
			return "first", err
		}
	}
	return how, nil
}
