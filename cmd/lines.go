package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// eachLine gives do the lines of standard input, blank ones and a byte order mark left out, each with its number. What is done is flushed as soon as no more input is at hand.
func eachLine(ctx context.Context, in io.Reader, do func(text, where string) error, flush func() error) error {
	const longest = 4096 // bytes; no form comes near it
	reader := bufio.NewReaderSize(in, 64<<10)
	for number := 1; ; number++ {
		line, err := reader.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("standard input: %w", err)
		}
		if number == 1 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		if text := strings.TrimSpace(line); text != "" {
			if doErr := do(text[:min(len(text), longest)], fmt.Sprintf("line %d", number)); doErr != nil {
				return doErr
			}
		}
		if reader.Buffered() == 0 {
			if flushErr := flush(); flushErr != nil {
				return flushErr
			}
		}
		if err != nil || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
