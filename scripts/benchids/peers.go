package main

import (
	"strconv"
	"time"

	"github.com/bwmarrin/snowflake"
	"github.com/google/uuid"
	"github.com/muyo/sno"
	"github.com/oklog/ulid/v2"
	"github.com/rs/xid"
	"github.com/segmentio/ksuid"
	"github.com/sony/sonyflake/v2"
	"github.com/yitter/idgenerator-go/idgen"
)

// openPeers gives every library the settings of its documentation, and, where
// these limit it, a second row with the widest sequence that it takes.
func openPeers() ([]source, error) {
	node, err := snowflake.NewNode(42)
	if err != nil {
		return nil, err
	}
	machine := func() (int, error) { return 42, nil }
	sony, err := sonyflake.New(sonyflake.Settings{MachineID: machine})
	if err != nil {
		return nil, err
	}
	sonyWide, err := sonyflake.New(sonyflake.Settings{
		MachineID: machine, BitsSequence: 22, BitsMachineID: 8, TimeUnit: time.Millisecond,
		StartTime: time.Now().AddDate(0, 0, -1), // 33 bits of ms last 99 days
	})
	if err != nil {
		return nil, err
	}
	yitter := idgen.NewDefaultIdGenerator(idgen.NewIdGeneratorOptions(42))
	wide := idgen.NewIdGeneratorOptions(42)
	wide.SeqBitLength = 16
	yitterWide := idgen.NewDefaultIdGenerator(wide)
	snoGen, err := sno.NewGenerator(nil, nil)
	if err != nil {
		return nil, err
	}
	uuid.EnableRandPool() // its documentation calls that the way to speed
	sonyNext := func(sf *sonyflake.Sonyflake) op {
		return func(n int) {
			for range n {
				if _, err := sf.NextID(); err != nil {
					fail(err)
				}
			}
		}
	}
	yitterNext := func(g *idgen.DefaultIdGenerator) op {
		return func(n int) {
			for range n {
				g.NewLong()
			}
		}
	}
	return []source{
		{name: "muyo/sno", perTick: 65_536, tick: 4 * time.Millisecond, op: func(n int) {
			for range n {
				snoGen.New(0)
			}
		}},
		{name: "rs/xid", op: func(n int) {
			for range n {
				xid.New()
			}
		}},
		{name: "sony/sonyflake v2", perTick: 256, tick: 10 * time.Millisecond, op: sonyNext(sony)},
		{name: "sony/sonyflake v2, 22 bits, 1 ms", perTick: 1 << 22, tick: time.Millisecond, op: sonyNext(sonyWide)},
		// The numbers 0 to 4 of a tick are reserved, and it may run 2,000 ticks ahead.
		{name: "yitter/idgenerator", perTick: 59, tick: time.Millisecond, ahead: 59 * 2000, op: yitterNext(yitter)},
		{name: "yitter/idgenerator, 16 bits", perTick: 65_531, tick: time.Millisecond, op: yitterNext(yitterWide)},
		{name: "bwmarrin/snowflake", perTick: 4096, tick: time.Millisecond, op: func(n int) {
			for range n {
				node.Generate()
			}
		}},
		{name: "oklog/ulid, Make", op: func(n int) {
			for range n {
				ulid.Make()
			}
		}},
		{name: "google/uuid v7, random pool", op: func(n int) {
			for range n {
				if _, err := uuid.NewV7(); err != nil {
					fail(err)
				}
			}
		}},
		{name: "segmentio/ksuid", op: func(n int) {
			for range n {
				if _, err := ksuid.NewRandom(); err != nil {
					fail(err)
				}
			}
		}},
	}, nil
}

// The IDs that the text forms are measured with.
var (
	someSno   = sno.New(7)
	someXid   = xid.New()
	someFlake = snowflake.ID(1_234_567_890_123_456_789)
	someULID  = ulid.Make()
	someUUID  = uuid.Must(uuid.NewV7())
	someKSUID = ksuid.New()
)

// Out keeps strings: one that nobody keeps costs no allocation.
var Out string

func peerEncoders() []entry {
	b := make([]byte, 40)
	return []entry{
		text("sno, a string", func(n int) {
			for range n {
				Out = someSno.String()
			}
		}),
		text("xid", func(n int) {
			for range n {
				someXid.Encode(b[:20])
			}
		}),
		text("snowflake base32, a string", func(n int) {
			for range n {
				Out = someFlake.Base32()
			}
		}),
		text("int64, decimal (strconv)", func(n int) {
			for range n {
				b = strconv.AppendInt(b[:0], int64(someFlake), 10)
			}
		}),
		text("ulid", func(n int) {
			for range n {
				if err := someULID.MarshalTextTo(b[:ulid.EncodedSize]); err != nil {
					fail(err)
				}
			}
		}),
		text("uuid, a string", func(n int) {
			for range n {
				Out = someUUID.String()
			}
		}),
		text("ksuid", func(n int) {
			for range n {
				b = someKSUID.Append(b[:0])
			}
		}),
	}
}

func peerParsers() []entry {
	return []entry{
		parser("sno", sno.FromEncodedString, someSno.String()),
		parser("xid", xid.FromString, someXid.String()),
		parser("snowflake base32", func(s string) (snowflake.ID, error) { return snowflake.ParseBase32([]byte(s)) }, someFlake.Base32()),
		parser("int64, decimal (strconv)", func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }, someFlake.String()),
		parser("ulid", ulid.ParseStrict, someULID.String()),
		parser("uuid", uuid.Parse, someUUID.String()),
		parser("ksuid", ksuid.Parse, someKSUID.String()),
	}
}
