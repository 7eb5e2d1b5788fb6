package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gameid/gameid/merge"
)

func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	}
	return fmt.Sprint(v)
}

func tupleText(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = valueText(v)
		if s, ok := v.(string); ok {
			words[i] = strconv.Quote(s)
		}
	}
	if len(words) == 1 {
		return words[0]
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// sampleValues names the first few values.
func sampleValues(list []merge.ValueCount) string {
	var words []string
	for _, v := range list[:min(len(list), listed)] {
		words = append(words, tupleText(v.Value))
	}
	if len(list) > listed {
		words = append(words, fmt.Sprintf("and %d more", len(list)-listed))
	}
	return strings.Join(words, ", ")
}

func sortedValues(m map[string]any) []any {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var out []any
	for _, k := range keys {
		out = append(out, m[k])
	}
	return out
}

func joinValues(m map[string]any) string {
	var list []merge.ValueCount
	for _, v := range sortedValues(m) {
		list = append(list, merge.ValueCount{Value: []any{v}})
	}
	return sampleValues(list)
}
