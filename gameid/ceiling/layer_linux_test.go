package ceiling_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gameid/gameid/gameid/ceiling"
)

// Two containers of one image find its ceiling under one number, on one machine: each is refused, until somebody says which of them goes on.
func TestG9ContainersOfOneImage(t *testing.T) {
	const folder, cannot = "GAMEID_TEST_OVERLAY", "no overlay can be mounted here"
	l, c := game(t), ceiling.WithClock(newClock())
	if dir := os.Getenv(folder); dir != "" { // in namespaces of its own
		for _, name := range []string{"1", "2"} {
			options := "lowerdir=" + dir + "/image,upperdir=" + dir + "/upper" + name + ",workdir=" + dir + "/work" + name
			if err := syscall.Mount("overlay", filepath.Join(dir, "root"+name), "overlay", 0, options); err != nil {
				t.Skip(cannot, err)
			}
		}
		one, two := filepath.Join(dir, "root1", "c"), filepath.Join(dir, "root2", "c")
		for _, path := range []string{one, two} {
			var copied *ceiling.CopiedError
			if _, _, err := ceiling.Reserve(context.Background(), path, l, 7, 1, c); !errors.As(err, &copied) || !strings.Contains(copied.Reason, "volume") {
				t.Errorf("Reserve(%s): %v, want a *CopiedError that names volumes", path, err)
			}
		}
		first, _ := reserve(t, one, l, 1, c, ceiling.WithAdopt())
		if second, _ := reserve(t, one, l, 1, c); second <= first {
			t.Errorf("taken over, the cursors are %d and %d, want them to rise", first, second)
		}
		return
	}
	dir := t.TempDir()
	for _, name := range []string{"image", "upper1", "work1", "root1", "upper2", "work2", "root2"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	reserve(t, filepath.Join(dir, "image", "c"), l, 1, c)
	p := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	p.Env = append(os.Environ(), folder+"="+dir)
	p.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := p.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EINVAL) || strings.Contains(string(out), cannot) {
		t.Skip(cannot, err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}
