package merge

// Draft is an output as it is planned: the schema of all of its tables and the jobs that make their rows, by the table's name. A table that gets no rows has no jobs.
type Draft struct {
	Schema *Schema
	Jobs   map[string][]TableJob
}
