package prove

import "github.com/gameid/gameid/merge"

// numberedAgain tells whether the engine would give the numbers of a reference's dead values to the next rows: the plan left out every row, and no counter
// remembers how far the engine had come.
func (p *proof) numberedAgain(r *reference) bool {
	key := r.Reference.To[0]
	if len(r.Spaces) > 0 && r.Spaces[0].Table != "" {
		key = r.Spaces[0]
	}
	t := p.schema.Table(key.Table)
	return t != nil && p.rule(key.Table).Rows == merge.EmptyRows && p.schema.Equal(t.AutoColumn, key.Name) && !t.Counted && !p.static(key)
}
