package gameid

import "context"

// Source issues IDs as text. It is all that a command or a service needs of a
// generator, so a team that has one of its own, of whatever kind and width,
// implements this to use it in our place. A Generator is one.
type Source interface {
	// AppendNext appends a new ID to b, in the text form of its kind, and returns
	// the longer slice. It waits while ctx allows when no ID is free. With an error,
	// which is the cause of ctx when that is done, nothing was issued.
	AppendNext(ctx context.Context, b []byte) ([]byte, error)
}

// AppendNext appends Next in decimal. It makes the Generator a Source.
func (g *Generator) AppendNext(ctx context.Context, b []byte) ([]byte, error) {
	id, err := g.Next(ctx)
	if err != nil {
		return b, err
	}
	return id.AppendDecimal(b), nil
}
