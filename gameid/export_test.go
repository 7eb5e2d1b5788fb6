package gameid

// WithPID replaces os.Getpid.
func WithPID(pid func() int) Option { return func(g *Generator) { g.pid = pid } }
