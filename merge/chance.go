package merge

import "math"

// LogChoices is the natural logarithm of how many ways there are to choose some of so many.
func LogChoices(of, some float64) float64 {
	a, _ := math.Lgamma(of + 1)
	b, _ := math.Lgamma(some + 1)
	c, _ := math.Lgamma(of - some + 1)
	return a - b - c
}

// DrawChance is the chance that at least so many of those drawn are of a kind, each of which is so with the same chance.
func DrawChance(atLeast, drawn int, each float64) (chance float64) {
	switch {
	case atLeast <= 0 || each >= 1:
		return 1
	case each <= 0:
		return 0
	}
	for x := atLeast; x <= drawn; x++ {
		chance += math.Exp(LogChoices(float64(drawn), float64(x)) + float64(x)*math.Log(each) + float64(drawn-x)*math.Log1p(-each))
	}
	return min(chance, 1)
}
