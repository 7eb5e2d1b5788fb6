package report

import (
	"fmt"
	"html/template"
	"io"
	"strings"
)

// WriteHTML writes the audit as one page that needs nothing else: no script, no image, no font, no link.
func (a *Audit) WriteHTML(w io.Writer) error {
	page, err := template.New("report").Funcs(template.FuncMap{
		"cell": cell,
		"show": showLines,
		"risk": func(n int64) string { return Count(n, "row") },
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("report page: %w", err)
	}
	d := a.Document()
	state := "no"
	if d.Verdict.Mergeable {
		state = "yes"
	}
	err = page.Execute(w, map[string]any{
		"State": state, "Doc": d, "Columns": a.TableColumns(), "Rows": a.TableRows(),
	})
	if err != nil {
		return fmt.Errorf("write report page: %w", err)
	}
	return nil
}

// showLines keeps line breaks and makes every other control character visible.
func showLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// cell is a table's value for people. A count is right-aligned by its class in the page.
func cell(v any) template.HTML {
	switch v := v.(type) {
	case nil:
		return `<td></td>`
	case int64:
		return template.HTML(`<td class="n">` + Number(v) + `</td>`)
	case []string:
		return template.HTML(`<td>` + template.HTMLEscapeString(Visible(strings.Join(v, "; "))) + `</td>`)
	}
	return template.HTML(`<td>` + template.HTMLEscapeString(Visible(fmt.Sprint(v))) + `</td>`)
}

// pageText is the page's template. The colours keep their contrast in print and for readers who cannot tell red from green: words carry the state.
const pageText = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Merge audit</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 110em; padding: 0 1em; color: #1c1c1c; background: #fff; }
h1 { font-size: 1.4em; } h2 { font-size: 1.15em; margin-top: 2em; }
.verdict { padding: .8em 1em; border-left: .4em solid #b3261e; background: #fbeceb; }
.verdict.yes { border-color: #1b6e3c; background: #e9f5ee; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .25em .7em; border-bottom: 1px solid #ddd; vertical-align: top; overflow-wrap: anywhere; }
th { border-bottom: 2px solid #888; white-space: nowrap; } .n { text-align: right; font-variant-numeric: tabular-nums; }
.block { font-weight: bold; color: #8c1d18; } .decide { font-weight: bold; color: #7a4f01; }
pre { background: #f4f4f4; padding: .5em .8em; overflow-x: auto; } li { margin-bottom: 1em; } .evidence { white-space: pre-line; }
</style>
</head>
<body>
<h1>Merge audit{{range $i, $s := .Doc.Shards}}{{if $i}},{{else}} of{{end}} {{show $s}}{{end}}</h1>
<p class="verdict {{.State}}">{{.Doc.Verdict.Text}}</p>
<h2>Undecided</h2>
{{if .Doc.Undecided}}<ol>
{{range .Doc.Undecided}}<li><strong>{{show .Subject}}</strong>: {{show .Question}}{{if .Rows}} ({{risk .Rows}} at risk){{end}}
{{if .Evidence}}<div class="evidence">{{show .Evidence}}</div>{{end}}{{if .Line}}<pre>{{.Section}}:
  - {{.Line}}</pre>{{end}}</li>
{{end}}</ol>
{{else}}<p>Nothing.</p>
{{end}}<h2>Findings</h2>
{{if .Doc.Findings}}<div class="scroll"><table>
<tr><th>rule</th><th>severity</th><th>table</th><th>column</th><th>shard</th><th class="n">rows</th><th>what</th><th>next</th><th>samples</th></tr>
{{range .Doc.Findings}}<tr><td>{{.Rule}}</td><td class="{{.Severity}}">{{.Severity}}</td>{{cell .Table}}{{cell .Column}}{{cell .Shard}}{{cell .Rows}}{{cell .What}}{{cell .Next}}{{cell .Samples}}</tr>
{{end}}</table></div>
{{else}}<p>None.</p>
{{end}}<h2>Tables</h2>
{{if .Rows}}<div class="scroll"><table>
<tr>{{range .Columns}}<th>{{show .}}</th>{{end}}</tr>
{{range .Rows}}<tr>{{range .}}{{cell .}}{{end}}</tr>
{{end}}</table></div>
{{else}}<p>None.</p>
{{end}}</body>
</html>
`
