package discover

type (
	key    struct{ Key }
	column struct{}
	pick   struct{}
)

func (s *search) readKeys() error      { return nil }
func (s *search) readColumns() error   { return nil }
func (s *search) rootKeys() error      { return nil }
func (s *search) compareTables() error { return nil }
func (s *search) match() error         { return nil }
func (s *search) conditions() error    { return nil }
func (s *search) settleStatic() error  { return nil }
func (s *search) findCounters() error  { return nil }
func (s *search) result() *Result      { return &Result{} }
