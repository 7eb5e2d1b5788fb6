package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/mattn/go-sqlite3"
	"golang.org/x/sys/unix"
)

// Reasons why a source cannot be read. A *SourceError wraps one of them.
var (
	ErrMissing     = errors.New("there is no such file")
	ErrLog         = errors.New("its log is damaged, and SQLite would leave out what was committed last")
	ErrJournal     = errors.New("its journal is damaged, and SQLite would take back only a part of what was not committed")
	ErrSuper       = errors.New("its journal is of a transaction over several databases, and the super-journal that says whether it was committed is not there")
	ErrNames       = errors.New("it has several names, and its log may stand beside another one")
	ErrUnreached   = errors.New("its log is a link that leads nowhere, and may hold what was committed last")
	ErrLoneWAL     = errors.New("a -wal file stands there without its database")
	ErrNotFile     = errors.New("it is not a regular file")
	ErrEmpty       = errors.New("the file is empty")
	ErrNotDatabase = errors.New("the file is not a SQLite database, or it is encrypted")
	ErrTruncated   = errors.New("the file is shorter than its header says")
	ErrNewer       = errors.New("the file has a newer format than this program knows")
	ErrUnreadable  = errors.New("the file cannot be read")
	ErrInUse       = errors.New("somebody is writing to the database")
	ErrChanged     = errors.New("the file was replaced or written over while it was read")
	ErrDamaged     = errors.New("the database is damaged")
	ErrIndexes     = errors.New("its indexes are damaged")
	ErrCatalog     = errors.New("its catalogue cannot be read")
	ErrReserved    = errors.New("a part of its schema has a name that the record of a merge needs")
	ErrSchema      = errors.New("the schema needs something that this program lacks")
	ErrAlone       = errors.New("its schema cannot be read beside another database")
	ErrTooBig      = errors.New("a value or a statement in it is longer than SQLite allows")
	ErrEncoding    = errors.New("the databases store text in different encodings")
	ErrCopy        = errors.New("a private copy could not be made")
)

// SourceError tells which source cannot be used, why, and what to do next. Its text leaves Next to whoever prints it.
type SourceError struct {
	Path   string
	Reason error  // one of the reasons of this package
	Detail string // the table or the numbers concerned; may be empty
	Next   string // what the operator does next; never empty
	Err    error  // the cause, nil when there is none
}

func (e *SourceError) Error() string {
	s := fmt.Sprintf("%s: %v", e.Path, e.Reason)
	if e.Detail != "" {
		s += " (" + e.Detail + ")"
	}
	if e.Err != nil && !errors.Is(e.Reason, ErrMissing) {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the reason and the cause.
func (e *SourceError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// ConditionError tells that an SQL expression of the operator does not compile.
type ConditionError struct {
	Table, Condition string
	Err              error
}

func (e *ConditionError) Error() string {
	return fmt.Sprintf("condition %q on table %s: %v; write one SQL expression over the table's columns", e.Condition, e.Table, e.Err)
}

func (e *ConditionError) Unwrap() error { return e.Err }

// Full tells whether err says that a disk is full or that a file may not grow.
func Full(err error) bool {
	return code(err) == sqlite3.ErrFull || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG) || systemError(err) == unix.EFBIG
}

// TooManyFiles tells whether the process, or the machine, may open no more files.
func TooManyFiles(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || systemError(err) == unix.EMFILE || systemError(err) == unix.ENFILE
}

// DiskTrouble tells whether err comes from the file system: a disk that is full or fails, or a file that cannot be opened or written.
func DiskTrouble(err error) bool {
	switch code(err) {
	case sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrReadonly, sqlite3.ErrPerm:
		return true
	}
	var path *fs.PathError
	var link *os.LinkError
	return Full(err) || errors.As(err, &path) || errors.As(err, &link)
}

// EngineTrouble tells whether err is one of SQLite's own, of whatever kind.
func EngineTrouble(err error) bool { return code(err) != 0 }

// systemError is the system's error behind one of SQLite's; 0 when there is none.
func systemError(err error) unix.Errno {
	var e sqlite3.Error
	if errors.As(err, &e) {
		return e.SystemErrno
	}
	return 0
}

// code is SQLite's primary result code in err; 0 when there is none.
func code(err error) sqlite3.ErrNo {
	var e sqlite3.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// explain turns an error of SQLite about a source into a *SourceError; other errors pass.
func explain(path string, err error) error {
	var done *SourceError
	if err == nil || errors.As(err, &done) {
		return err
	}
	e := &SourceError{Path: path, Err: err}
	switch code(err) {
	case sqlite3.ErrNotADB:
		e.Reason, e.Next = ErrNotDatabase, "give the unencrypted database file"
	case sqlite3.ErrCorrupt:
		if strings.Contains(err.Error(), "cannot reference objects in database") { // beside another database its own name for itself, main, is the other's
			e.Reason, e.Next = ErrAlone, "in a copy of the file, make that view or trigger name its tables without a database in front, players instead of main.players"
			break
		}
		e.Reason, e.Next = ErrDamaged, "restore it from a backup, or rebuild it with the sqlite3 shell's .recover"
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrProtocol:
		e.Reason, e.Next = ErrInUse, "stop the server that uses it, or give a backup"
	case sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrAuth, sqlite3.ErrIoErr, sqlite3.ErrReadonly:
		e.Reason, e.Next = ErrUnreadable, "check its permissions and the disk"
	case sqlite3.ErrTooBig:
		e.Reason, e.Next = ErrTooBig, "look for the longest values and for generated columns, and shorten them"
	default:
		return err
	}
	return e
}

// unread is explain for a source that is being opened: an error in SQL can only come from its schema.
func unread(path string, err error, doing string) error {
	if err = explain(path, err); code(err) == sqlite3.ErrError {
		var done *SourceError
		if !errors.As(err, &done) {
			return &SourceError{Path: path, Reason: ErrSchema, Detail: doing, Err: err, Next: "remove what its declarations need, or the rows for which its generated columns fail"}
		}
	}
	return err
}

const mendCatalog = "restore it from a backup, or drop what the message names with the sqlite3 shell (PRAGMA writable_schema = ON)"

// unreadCatalog is explain for the first look at a source's catalogue.
func unreadCatalog(path string, err error) error {
	if code(err) != sqlite3.ErrCorrupt {
		return explain(path, err)
	}
	return &SourceError{Path: path, Reason: ErrCatalog, Err: err, Next: mendCatalog}
}
