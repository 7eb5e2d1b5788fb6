package layouts_test

import (
	"testing"
	"time"

	"github.com/gameid/gameid/gameid"
	"github.com/gameid/gameid/layouts"
)

// TestPublishedIDs decodes IDs whose time and fields their systems, or their
// users, have made known, and composes them again.
func TestPublishedIDs(t *testing.T) {
	for _, test := range []struct {
		layout, id, time string
		server, seq      uint64
		source           string
	}{
		{"snowflake", "1541815603606036480", "2022-06-28T16:07:40.105Z", 378, 0, "Wikipedia, Snowflake ID: machine 378, a post of @Wikipedia"},
		{"snowflake", "1593572310593806338", "2022-11-18T11:50:20.644Z", 378, 2, "github.com/sapphiredev/utilities/issues/521: the time"},
		{"leaf", "1541815603606036480", "2022-06-28T16:07:40.105Z", 378, 0, "the same bits and epoch as Twitter's"},
		{"discord", "175928847299117063", "2016-04-30T11:18:25.796Z", 1 << 5, 7, "Discord's documentation: worker 1, process 0, increment 7"},
		{"discord", "105484726235607040", "2015-10-19T01:58:38.546Z", 11, 0, "documentation of twilight-util: the time"},
		{"instagram", "11637205501278089", "2011-09-09T22:28:04.721Z", 1341, 905, "Sharding & IDs at Instagram: 1387263000 ms, shard 1341, sequence 5001 % 1024"},
		{"shardingsphere", "4194305", "2016-11-01T00:00:00.001Z", 0, 1, "SnowflakeKeyGenerateAlgorithmTest: the second ID from the epoch on"},
		{"shardingsphere-utc8", "4194305", "2016-10-31T16:00:00.001Z", 0, 1, "the same in Asia/Shanghai"},
		{"time=41@1ms,server=5,server=5,seq=12,epoch=1596211200000", "3125927076831231", "2020-08-09T07:01:19.092Z", 1<<5 | 1, 4095, "handed down without its source: the bits were shifted by hand"},
		{"time=41@1ms,server=5,server=5,seq=12,epoch=-28800000", "6698247966366502912", "2020-08-09T07:26:02.611Z", 1<<5 | 1, 0, "handed down without its source: by hand; the epoch is midnight of 1970 in UTC+8, so before 1970"},
	} {
		l, id := load(t, test.layout), parse(t, test.id)
		p, err := l.Decompose(id)
		if err != nil {
			t.Errorf("%s (%s) under %s: %v", test.id, test.source, test.layout, err)
			continue
		}
		if got := l.TimeOf(p.Tick).Format(time.RFC3339Nano); got != test.time || p.Server != test.server || p.Sequence != test.seq {
			t.Errorf("%s (%s) under %s: got %s, server %d, sequence %d, want %s, %d, %d",
				test.id, test.source, test.layout, got, p.Server, p.Sequence, test.time, test.server, test.seq)
		}
		if again, err := l.Compose(p); err != nil || again != id {
			t.Errorf("%s composed again of %+v: got %v, %v, want the same", test.id, p, again, err)
		}
	}
}

// TestIDsByHand checks the presets of which no ID with its parts is known to us:
// one is put together here with shifts, as their sources do.
func TestIDsByHand(t *testing.T) {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	ms := func(epoch int64) uint64 { return uint64(at.UnixMilli() - epoch) }
	unix := uint64(at.Unix())
	for _, test := range []struct {
		layout string
		value  uint64
		server uint64
		seq    uint64
	}{
		{"java-snowflake", ms(1480166465631)<<22 | 3<<17 | 9<<12 | 77, 3<<5 | 9, 77},
		{"cosid", ms(1577203200000)<<22 | 513<<12 | 77, 513, 77},
		{"yitter", ms(1582136402000)<<12 | 33<<6 | 5, 33, 5},
		{"sonyflake", ms(1409529600000)/10<<24 | 200<<16 | 0xc0a8, 0xc0a8, 200},
		{"uid-generator", (unix-1463673600)<<35 | 4_000_000<<13 | 8191, 4_000_000, 8191},
		{"game-16-32-16", 40_001<<48 | unix<<16 | 65_535, 40_001, 65_535},
		{"game-10-12-32-10", 1023<<54 | 4095<<42 | unix<<10 | 1023, 1<<22 - 1, 1023},
		{"game-39-10-4-10", ms(1409529600000)/10<<24 | 1000<<14 | 15<<10 | 1, 1000<<4 | 15, 1},
	} {
		l := load(t, test.layout)
		p, err := l.Decompose(gameid.FromUint64(test.value))
		if err != nil || !l.TimeOf(p.Tick).Equal(at) || p.Server != test.server || p.Sequence != test.seq {
			t.Errorf("%d under %s: got %v, server %d, sequence %d, %v, want %v, %d, %d",
				test.value, test.layout, l.TimeOf(p.Tick), p.Server, p.Sequence, err, at, test.server, test.seq)
		}
		if id, err := l.Compose(p); err != nil || id != gameid.FromUint64(test.value) {
			t.Errorf("%+v under %s: got %v, %v, want %d", p, test.layout, id, err, test.value)
		}
	}
	// Sonyflake 2 began when the first version was 10.3 years old.
	v2 := load(t, "sonyflake-v2")
	at = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	p, err := v2.Decompose(gameid.FromUint64(ms(1735689600000)/10<<24 | 1<<16 | 2))
	if err != nil || !v2.TimeOf(p.Tick).Equal(at) || p.Server != 2 || p.Sequence != 1 {
		t.Errorf("under sonyflake-v2: got %v, %+v, %v, want %v, server 2, sequence 1", v2.TimeOf(p.Tick), p, err, at)
	}
}

// load is layouts.Load for a text that must be one.
func load(t *testing.T, text string) layouts.Layout {
	t.Helper()
	l, err := layouts.Load(text)
	if err != nil {
		t.Fatalf("Load(%q): %v", text, err)
	}
	return l
}

func parse(t *testing.T, text string) gameid.ID {
	t.Helper()
	id, err := gameid.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return id
}
