// Package planfile reads and writes a merge plan as a YAML 1.2 file: the form in which a person decides, and in which a merge records what was decided.
//
// Names of tables and columns are written as in SQL: plain, or in double quotes with inner quotes doubled. Parse refuses what it does not
// know instead of ignoring it, because a decision that was misspelled is a decision that was not taken.
package planfile

import "github.com/gameid/gameid/merge"

// Version is the file format's version. A file of another version is refused.
const Version = 1

// SetPrefix begins the value of TablePlan.On that sets a column of the referring row: "set: " and the SQL expression. The other values are
// "delete", "clear" and "spare".
const SetPrefix = "set: "

// Plan is what a plan file says: the decisions, and apart from them the entries that are still undecided. The latter settle nothing.
type Plan struct {
	merge.Plan
	Undecided []merge.Undecided // only the line of each is set; question and evidence are comments in the file
}

// Parse reads a plan file's decisions. The name stands in messages. The error is Errors, every one an *Error with its line and column.
func Parse(name string, data []byte) (*merge.Plan, error) {
	p, err := Read(name, data)
	if err != nil {
		return nil, err
	}
	return &p.Plan, nil
}

// Read is Parse, and returns the undecided entries too.
func Read(name string, data []byte) (*Plan, error) {
	r := &reader{file: name}
	root := r.source(data)
	if root == nil {
		return nil, r.err()
	}
	p := r.plan(root)
	if err := r.err(); err != nil {
		return nil, err
	}
	return p, nil
}
