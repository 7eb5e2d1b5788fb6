package merge

import (
	"fmt"
	"slices"
	"strings"
)

// Breaking is the SQL condition under which a row of a shard breaks a foreign key that the output declares for its table and the shard does not, so that nothing has held the row to it;
// "" where the shard declares it, too, or lacks the table or one of the columns, which an audit lets a plan fill with keys alone.
func (s *Schema) Breaking(engine Engine, t *Table, f *ForeignKey, shard *Schema) string {
	own := shard.Table(t.Name)
	if own == nil || slices.ContainsFunc(own.ForeignKeys, func(o *ForeignKey) bool {
		return s.Equal(o.ToTable, f.ToTable) && slices.EqualFunc(o.Columns, f.Columns, s.Equal) && slices.EqualFunc(s.Targets(o), s.Targets(f), s.Equal)
	}) {
		return ""
	}
	target, names := shard.Table(f.ToTable), s.Targets(f)
	var held, same []string
	for i, name := range f.Columns {
		c, ok := shard.Resolve(Col{Table: own.Name, Name: name})
		if !ok {
			return ""
		}
		from := engine.Quote(c.Table) + "." + engine.Quote(c.Name)
		held = append(held, from+" IS NOT NULL")
		if target == nil || i >= len(names) {
			continue
		}
		if to, ok := shard.Resolve(Col{Table: target.Name, Name: names[i]}); ok {
			same = append(same, fmt.Sprintf("gameid_target.%s = %s", engine.Quote(to.Name), from))
		}
	}
	if len(same) == len(f.Columns) {
		held = append(held, fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %s AS gameid_target WHERE %s)", engine.Quote(target.Name), strings.Join(same, " AND ")))
	}
	return strings.Join(held, " AND ")
}

// Targets are the columns to which a foreign key leads: the key, where it names none.
func (s *Schema) Targets(f *ForeignKey) []string {
	if t := s.Table(f.ToTable); len(f.ToColumns) == 0 && t != nil {
		return t.PrimaryKey
	}
	return f.ToColumns
}
