package storage

import (
	"fmt"
	"io"
	"os"
	"time"

	"ephemera/core/chain"
	"ephemera/ui/cli/command"
)

// progressLine says how far the filling of a database is.
type progressLine struct {
	start time.Time
	// done tells which part of the whole is in, 0 to 1; nil where nobody knows.
	done func() float64
}

// settled is how long a rate must have been watched to tell the rest by it.
const settled = 2 * time.Second

// text says how many records are in, how fast they come, and when the last one
// will be there.
func (p progressLine) text(n int, now time.Time) string {
	took := now.Sub(p.start)
	line := chain.Thousands(uint64(n)) + " records"
	if took < settled {
		return line
	}
	line += fmt.Sprintf(", %s a second", chain.Thousands(uint64(float64(n)/took.Seconds())))
	if p.done == nil {
		return line
	}
	part := p.done()
	if part <= 0 || part > 1 {
		return line
	}
	left := time.Duration(float64(took) * (1 - part) / part)
	return line + fmt.Sprintf(", %.0f %%, %v left", part*100, left.Round(time.Second))
}

// partRead tells which part of some files has been read, by where they stand; 0
// where one of them is no file with an end.
func partRead(files []io.Reader) float64 {
	var at, whole int64
	for _, f := range files {
		file, ok := f.(command.File).Reader.(*os.File)
		if !ok {
			return 0
		}
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		whole += info.Size()
		if n, err := file.Seek(0, io.SeekCurrent); err == nil {
			at += n
		}
	}
	return float64(at) / float64(max(whole, 1))
}
