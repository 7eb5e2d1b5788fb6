package main

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/gameid/ceiling"
)

// ours has the default layout, the clock of the machine, and nothing set
// otherwise than a game would: withCeiling is what runs in production.
type ours struct {
	dir            string
	files          []*ceiling.File
	withCeiling    *gameid.Generator // for everything but Fill, which would use up its advance
	withoutCeiling *gameid.Generator
	filling        *gameid.Generator
}

const (
	perTick = 65_536
	tick    = 16 * time.Millisecond
)

func openOurs() (*ours, error) {
	layout, err := gameid.NewLayout(gameid.Spec{
		Name: "game",
		Fields: []gameid.Field{
			{Kind: gameid.Time, Bits: 37}, {Kind: gameid.Server, Bits: 20}, {Kind: gameid.Sequence, Bits: 16},
		},
		Tick: tick, Epoch: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	if err != nil {
		return nil, err
	}
	o := &ours{}
	if o.dir, err = os.MkdirTemp("", "gameid-bench-"); err != nil {
		return nil, err
	}
	open := func(name string, server uint64) *gameid.Generator {
		if err != nil {
			return nil
		}
		var file *ceiling.File
		if file, err = ceiling.Open(ctx, filepath.Join(o.dir, name), layout, server); err != nil {
			return nil
		}
		o.files = append(o.files, file)
		var g *gameid.Generator
		g, err = gameid.NewGenerator(layout, server, gameid.WithCeiling(file))
		return g
	}
	o.withCeiling, o.filling = open("next", 1042), open("fill", 1043)
	if err == nil {
		o.withoutCeiling, err = gameid.NewGenerator(layout, 1044)
	}
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

func (o *ours) close() error {
	var err error
	for _, file := range o.files {
		err = errors.Join(err, file.Close())
	}
	return errors.Join(err, os.RemoveAll(o.dir))
}

// sources lists the one that counts first.
func (o *ours) sources() []source {
	next := func(g *gameid.Generator) op {
		return func(n int) {
			for range n {
				if _, err := g.Next(ctx); err != nil {
					fail(err)
				}
			}
		}
	}
	return []source{
		// A second ahead of the clock are 62 ticks, and the tick of the clock itself.
		{name: "gameid, ceiling attached", op: next(o.withCeiling), perTick: perTick, tick: tick, ahead: 63 * perTick},
		{name: "gameid, without a ceiling", op: next(o.withoutCeiling), perTick: perTick, tick: tick},
	}
}

func (o *ours) fill() []entry {
	dst := make([]gameid.ID, 1024)
	// A sample is a tick's worth of IDs, so that a tick has to pass between two, and
	// not asleep, or the caches would go cold. Next waits for the ceiling, Fill never.
	before := func() {
		for start := time.Now(); time.Since(start) < tick; {
			continue
		}
		if _, err := o.filling.Next(ctx); err != nil {
			fail(err)
		}
	}
	return []entry{{name: "gameid, ceiling attached", n: perTick, before: before, mallocs: true, op: func(n int) {
		for ; n > 0; n -= len(dst) {
			if _, err := o.filling.Fill(dst[:min(n, len(dst))]); err != nil {
				fail(err)
			}
		}
	}}}
}

// someID has every bit pattern that a form treats differently.
var someID = gameid.ID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}

func (o *ours) encoders() []entry {
	b := make([]byte, 0, 40)
	return []entry{
		text("gameid base32", func(n int) {
			for range n {
				b = someID.AppendBase32(b[:0])
			}
		}),
		text("gameid base32, a string", func(n int) {
			for range n {
				Out = someID.Base32()
			}
		}),
		text("gameid decimal", func(n int) {
			for range n {
				b = someID.AppendDecimal(b[:0])
			}
		}),
	}
}

func (o *ours) parsers() []entry {
	return []entry{
		parser("gameid base32", gameid.ParseBase32, someID.Base32()),
		parser("gameid decimal", gameid.ParseDecimal, someID.String()),
	}
}
