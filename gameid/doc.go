// Package gameid makes IDs for the rows of many game servers that never clash and
// sort by the time of their making, also after the servers are merged.
//
// An ID has up to 80 bits, shared out by a Layout. The default one, from the most
// significant bit down:
//
//	 72                                  36 35                 16 15              0
//	+--------------------------------------+---------------------+-----------------+
//	| 37 bits: ticks of 16 ms since 2025   | 20 bits: server     | 16 bits: number |
//	+--------------------------------------+---------------------+-----------------+
//
// # Issuing
//
// A server opens its ceiling once, at the start, and asks the generator for every row
// that it makes. The layout is a preset of package layouts, which also reads files; game
// is the one above, game63 fits a BIGINT.
//
//	layout, err := layouts.Load("game63")
//	file, err := ceiling.Open(ctx, "/var/lib/mygame/1042.ceiling", layout.Layout, 1042)
//	ids, err := gameid.NewGenerator(layout.Layout, 1042, gameid.WithCeiling(file))
//	id, err := ids.NextInt64(ctx)
//
// The ceiling (package ceiling) is a bound in a file, durable before an ID below it is
// handed out: with it no ID is ever issued twice, across restarts, crashes and turned
// clocks, and a second generator with the same file is refused. Without it that rests
// on the clock alone. At the end close the generator, which closes its ceiling.
//
// Next waits when a burst has used up what the layout has for the moment; TryNext does
// not; Fill takes many at once. A *BusyError says when to try again.
// The folder fixtures/gameserver has a whole server.
//
// # Storing and showing
//
// An ID is ten bytes, and an SQL value of ten bytes. Int, Decimal, Base32 and UUID are
// IDs in columns of other types, NullID one that may be NULL; Layout.CheckColumn says
// which types fit. In JSON an ID is a string, since numbers lose digits above 2^53.
// Parse reads every text form.
//
// An ID tells its time and its server. Where players see it, a Permutation turns it into
// a public ID that tells nothing without the key.
//
// # Another generator
//
// What needs only new IDs as text takes a Source. A Generator is one; a team that has a
// generator of its own implements its one method.
package gameid
