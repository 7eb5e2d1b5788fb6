package discover

// notCells takes back that keys are places where the game itself counts them, and nothing but their being the same said so: that tells that their rows are added one by one.
func (s *search) notCells() error {
	for k := range s.cells {
		if n := s.natures[k.Col]; s.cells[k] && s.gameCounts(k) {
			n.Places = ""
			s.natures[k.Col] = n
		}
	}
	return nil
}
