package audit

import "errors"

func asError[E error](err error, target *E) bool { return err != nil && errors.As(err, target) }
