//go:build !unix

package cli_test

import "errors"

func suspend(int, bool) error { return errors.ErrUnsupported }
