package merge

import "sync/atomic"

// Progress is what work adds to while a screen looks at it. A nil *Progress is allowed and counts nothing.
type Progress struct {
	rows  atomic.Int64
	total atomic.Int64
	phase atomic.Pointer[string]
}

// Phase starts a piece of work of total rows.
func (p *Progress) Phase(name string, total int64) {
	if p == nil {
		return
	}
	p.rows.Store(0)
	p.total.Store(total)
	p.phase.Store(&name)
}

// Add counts finished rows.
func (p *Progress) Add(rows int64) {
	if p != nil {
		p.rows.Add(rows)
	}
}

// State is the present phase, its finished rows and its total.
func (p *Progress) State() (phase string, rows, total int64) {
	if p == nil {
		return "", 0, 0
	}
	if name := p.phase.Load(); name != nil {
		phase = *name
	}
	return phase, p.rows.Load(), p.total.Load()
}
