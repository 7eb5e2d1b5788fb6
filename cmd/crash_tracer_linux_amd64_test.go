package cmd_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// strace 6 counts the calls that it spoils for every thread by itself ("per syscall and per tracee"), and SQLite's calls move from thread to thread in a Go
// program: its n-th call of the whole process cannot be named. This tracer counts over the process.

// fault is what happens to a process at the n-th of its calls that change something on a disk.
type fault struct {
	at     int         // counted from 1; 0: nothing happens
	kind   string      // of the calls that are counted; "": all
	signal unix.Signal // sent before the call is carried out; SIGKILL ends the process there
	errno  unix.Errno  // what the call answers instead of being carried out
	on     bool        // every later call that needs room answers so, too: the disk is full
	output bool        // what is written to stdout counts, too
	reads  bool        // reads of databases are counted instead
}

// String is a name for a test. It has no number for all points together.
func (f fault) String() string {
	name := unix.ErrnoName(f.errno)
	if f.signal != 0 {
		name = unix.SignalName(f.signal)
	}
	if f.reads {
		name = "read-" + name
	}
	if f.on {
		name += "-on"
	}
	if f.kind != "" {
		name += "-" + f.kind
	}
	if f.at > 0 {
		name += fmt.Sprintf("-%d", f.at)
	}
	return name
}

// call is one system call that changes something on a disk.
type call struct{ name, path string }

func (c call) String() string { return c.name + " " + c.path }

// removes tells whether a call takes something away, which needs no room.
func (c call) removes() bool { return slices.Contains([]string{"unlink", "unlinkat", "rmdir"}, c.name) }

// kind tells calls apart that come in the same order in every run. Those about different files do not: databases are copied and read at once.
func (c call) kind() string {
	_, inside, found := strings.Cut(c.path, ".gameid-")
	if !found {
		return c.name + "-" + filepath.Base(c.path)
	}
	if _, name, _ := strings.Cut(inside, "/"); name != "" {
		return c.name + "-room-" + filepath.Base(name)
	}
	return c.name + "-room"
}

// ended is how a traced process ended.
type ended struct {
	code           int // the exit code, or 128 and the number of the signal that killed it
	stdout, stderr string
	calls          []call // that change something, or the reads
	hit            *call  // where the fault came about
}

// changing are the calls that change something on a disk, or lock it, and which argument names what: a descriptor, a path, or a path below a folder's descriptor.
var changing = map[uint64]struct {
	name     string
	fd, path int
}{
	unix.SYS_WRITE: {"write", 0, -1}, unix.SYS_PWRITE64: {"pwrite64", 0, -1}, unix.SYS_WRITEV: {"writev", 0, -1}, unix.SYS_PWRITEV: {"pwritev", 0, -1},
	unix.SYS_COPY_FILE_RANGE: {"copy_file_range", 2, -1}, unix.SYS_SENDFILE: {"sendfile", 0, -1}, unix.SYS_FALLOCATE: {"fallocate", 0, -1},
	unix.SYS_FSYNC: {"fsync", 0, -1}, unix.SYS_FDATASYNC: {"fdatasync", 0, -1}, unix.SYS_FTRUNCATE: {"ftruncate", 0, -1},
	unix.SYS_FLOCK: {"flock", 0, -1}, unix.SYS_FCHMOD: {"fchmod", 0, -1}, unix.SYS_FCHOWN: {"fchown", 0, -1},
	unix.SYS_OPEN: {"open", -1, 0}, unix.SYS_OPENAT: {"openat", 0, 1}, unix.SYS_MKDIR: {"mkdir", -1, 0}, unix.SYS_MKDIRAT: {"mkdirat", 0, 1},
	unix.SYS_RENAME: {"rename", -1, 0}, unix.SYS_RENAMEAT: {"renameat", 0, 1}, unix.SYS_RENAMEAT2: {"renameat2", 0, 1},
	unix.SYS_LINK: {"link", -1, 0}, unix.SYS_LINKAT: {"linkat", 0, 1},
	unix.SYS_UNLINK: {"unlink", -1, 0}, unix.SYS_UNLINKAT: {"unlinkat", 0, 1}, unix.SYS_RMDIR: {"rmdir", -1, 0},
}

// reading are the calls that read from a disk.
var reading = map[uint64]string{unix.SYS_READ: "read", unix.SYS_PREAD64: "pread64"}

// syscallInfo is the kernel's struct ptrace_syscall_info.
type syscallInfo struct {
	op     uint8 // 1 at the entry of a call, 2 at its exit
	_      [3]byte
	_      uint32
	_, _   uint64
	nr     uint64
	args   [6]uint64
	_unred [2]uint64
}

// trace runs a program with a fault, in a folder, and waits for its end.
func trace(t *testing.T, f fault, env []string, dir, program string, args ...string) ended {
	t.Helper()
	streams := t.TempDir()
	var files [2]*os.File
	for i, name := range []string{"stdout", "stderr"} {
		file, err := os.Create(filepath.Join(streams, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		files[i] = file
	}
	runtime.LockOSThread() // the tracer is a thread, not a process
	defer runtime.UnlockOSThread()
	p := exec.Cmd{
		Path: program, Args: append([]string{"gameid"}, args...), Dir: dir, Env: env, Stdout: files[0], Stderr: files[1],
		SysProcAttr: &syscall.SysProcAttr{Ptrace: true},
	}
	if err := p.Start(); err != nil {
		missing(t, "a process cannot be traced here: %v", err)
	}
	defer func() { _ = p.Process.Release() }()
	tr := tracer{fault: f, leader: p.Process.Pid, streams: streams, seen: map[int]bool{}, spoilt: map[int]bool{}}
	if err := tr.run(); err != nil {
		_ = unix.Kill(tr.leader, unix.SIGKILL)
		t.Fatalf("trace: %v", err)
	}
	for i, text := range []*string{&tr.stdout, &tr.stderr} {
		data, err := os.ReadFile(files[i].Name())
		if err != nil {
			t.Fatal(err)
		}
		*text = string(data)
	}
	return tr.ended
}

type tracer struct {
	fault
	ended
	leader  int
	streams string       // the folder of stdout and stderr
	seen    map[int]bool // threads
	spoilt  map[int]bool // threads inside a call that is not carried out
	counted int          // calls of the fault's kind
}

func (tr *tracer) run() error {
	var ws unix.WaitStatus
	if _, err := unix.Wait4(tr.leader, &ws, unix.WALL, nil); err != nil {
		return err
	}
	options := unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(tr.leader, options); err != nil {
		return err
	}
	tr.seen[tr.leader] = true
	thread, forward := tr.leader, 0
	for {
		if err := unix.PtraceSyscall(thread, forward); err != nil && !errors.Is(err, unix.ESRCH) { // ESRCH: the thread is being killed
			return fmt.Errorf("continue: %w", err)
		}
		for {
			var err error
			thread, err = unix.Wait4(-1, &ws, unix.WALL|unix.WNOTHREAD, nil)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil {
				return fmt.Errorf("wait: %w", err)
			}
			if ws.Stopped() {
				break
			}
			if thread == tr.leader {
				if tr.code = ws.ExitStatus(); ws.Signaled() {
					tr.code = 128 + int(ws.Signal())
				}
				return nil
			}
		}
		forward = 0
		switch signal := ws.StopSignal(); {
		case signal == unix.SIGTRAP|0x80:
			if err := tr.syscall(thread); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		case ws.TrapCause() > 0: // a new thread of this one
		case signal == unix.SIGSTOP && !tr.seen[thread]: // the new thread itself
		default:
			forward = int(signal)
		}
		tr.seen[thread] = true
	}
}

// syscall looks at a thread that enters or leaves a call.
func (tr *tracer) syscall(thread int) error {
	var info syscallInfo
	if _, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(thread), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0); errno != 0 {
		return errno
	}
	if info.op == 2 {
		if !tr.spoilt[thread] {
			return nil
		}
		delete(tr.spoilt, thread)
		return tr.registers(thread, func(r *unix.PtraceRegs) { r.Rax = uint64(-int64(tr.errno)) })
	}
	c, ok := tr.look(thread, &info)
	if !ok {
		return nil
	}
	tr.calls = append(tr.calls, c)
	if tr.kind == "" || tr.kind == c.kind() {
		tr.counted++
	}
	switch {
	case tr.at == 0:
		return nil
	case tr.hit == nil && tr.counted == tr.at:
		tr.hit = &c
	case tr.hit == nil || !tr.on:
		return nil
	}
	switch {
	case tr.signal != 0:
		return unix.Kill(tr.leader, tr.signal)
	case tr.on && c.removes(): // a full disk has room for that
		return nil
	}
	tr.spoilt[thread] = true
	return tr.registers(thread, func(r *unix.PtraceRegs) { r.Orig_rax = ^uint64(0) })
}

func (tr *tracer) registers(thread int, change func(*unix.PtraceRegs)) error {
	var r unix.PtraceRegs
	if err := unix.PtraceGetRegs(thread, &r); err != nil {
		return err
	}
	change(&r)
	return unix.PtraceSetRegs(thread, &r)
}

// look tells whether a call counts, and what it is about.
func (tr *tracer) look(thread int, info *syscallInfo) (call, bool) {
	if tr.reads {
		path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, info.args[0]))
		name, ok := reading[info.nr]
		return call{name, path}, ok && err == nil && (strings.HasSuffix(path, ".db") || strings.Contains(path, "/.gameid-"))
	}
	kind, ok := changing[info.nr]
	if !ok {
		return call{}, false
	}
	c := call{name: kind.name}
	if kind.path >= 0 {
		c.path = text(thread, info.args[kind.path])
		if kind.name == "open" && info.args[1]&unix.O_CREAT == 0 || kind.name == "openat" && info.args[2]&unix.O_CREAT == 0 {
			return c, false
		}
	}
	if kind.fd >= 0 && int32(info.args[kind.fd]) >= 0 && !filepath.IsAbs(c.path) {
		folder, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", thread, info.args[kind.fd]))
		if err != nil || !filepath.IsAbs(folder) { // a pipe
			return c, false
		}
		c.path = filepath.Join(folder, c.path)
	}
	for _, elsewhere := range []string{"/dev/", "/proc/", "/sys/"} {
		if strings.HasPrefix(c.path, elsewhere) {
			return c, false
		}
	}
	return c, !strings.HasPrefix(c.path, tr.streams) || tr.output && strings.HasSuffix(c.path, "stdout")
}

// text reads a text of the process.
func text(thread int, at uint64) string {
	page := uint64(4096)
	buf := make([]byte, page-at%page) // the next page may not be there
	n, err := unix.ProcessVMReadv(thread, []unix.Iovec{{Base: &buf[0], Len: uint64(len(buf))}}, []unix.RemoteIovec{{Base: uintptr(at), Len: len(buf)}}, 0)
	if err != nil {
		return "?"
	}
	name, _, _ := bytes.Cut(buf[:n], []byte{0})
	return string(name)
}
