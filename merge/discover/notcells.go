package discover

// notCells takes back of keys that the game itself counts that they are places, or what their rows are about, where nothing but their being the same, or that nothing tells that their rows
// are added one by one, said so: the counter tells that.
func (s *search) notCells() error {
	for _, k := range s.keys {
		if n, judged := s.whenCounted[k]; judged && s.gameCounts(k) {
			s.natures[k.Col] = n
		}
	}
	return nil
}
