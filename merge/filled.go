package merge

import "strings"

// Somebody is the SQL condition under which a value, given as SQL, names somebody in a reference: it is neither null nor one of those that mean nobody.
func (r *Reference) Somebody(value string, literal func(any) string) string {
	in := "(\n" + value + "\n)"
	sql := in + " IS NOT NULL"
	if len(r.None) == 0 {
		return sql
	}
	list := make([]string, len(r.None))
	for i, v := range r.None {
		list[i] = literal(v)
	}
	return sql + " AND " + in + " NOT IN (" + strings.Join(list, ", ") + ")"
}
