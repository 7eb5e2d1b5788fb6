package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/gameid/gameid/merge"
)

// madeOfMoving says that two columns make a key by a formula and that one of them leads to rows which get new numbers, as a house's number may say whose it is: the same number is another
// one's thing on every server, and no rule keeps the formula; "" where no part moves.
func (a *auditor) madeOfMoving(ctx context.Context, s *space) (string, error) {
	made := a.nature[s.key].Made
	if made == nil {
		return "", nil
	}
	for _, part := range made.Parts {
		to, err := a.movedPart(ctx, s, part.Col)
		if err != nil {
			return "", err
		}
		if to == nil {
			continue
		}
		times := ""
		if part.Times > 1 {
			times = fmt.Sprintf("%d times ", part.Times)
		}
		return fmt.Sprintf("%s makes it in every row, and %s is %s, whose numbers change: a new one keeps every row, but says no more whose it is, and may meet one that the game makes later, where it does not look for a free one; "+
			"to keep the formula, add a number to each %[3]s and %[4]sas much to each %s in a copy of one shard, with all that refers to them, so that none stands in two shards", made.Text, part.Col, to.key, times, s.key), nil
	}
	return "", nil
}

// movedPart is the key of other rows that a column holds, where these get new numbers, or would if the question about it is answered as proposed; nil where it holds none.
func (a *auditor) movedPart(ctx context.Context, s *space, col merge.Col) (to *space, err error) {
	a.knownOrAsked(func(r *merge.Reference) bool {
		if at := slices.Index(r.From, col); at >= 0 && r.As == merge.Plain && len(r.To) > at {
			to = a.spaces[a.top(r.To[at])]
		}
		return to != nil
	})
	if to == nil || to == s || to.plan.New == merge.Static {
		return nil, nil
	}
	if to.byPlan || a.countedByGame(to) {
		return to, nil
	}
	if why, rule, err := a.seemsNatural(ctx, to); err != nil || why != "" && rule == merge.Static {
		return nil, err
	}
	return to, nil
}
