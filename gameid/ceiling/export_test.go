package ceiling

// The names under which tests of outside reach the disk and the machine.
type (
	Disk     = disk
	DiskFile = diskFile
	DiskLock = diskLock
)

// WithDisk replaces the file system.
func WithDisk(d Disk) Option { return func(o *options) { o.disk = d } }

// WithMachine replaces what the system tells about itself.
func WithMachine(machine, boot string) Option {
	return func(o *options) { o.origin = func() origin { return origin{machine, boot} } }
}

// WithMovingMachine asks f at every write.
func WithMovingMachine(f func() (machine, boot string)) Option {
	return func(o *options) {
		o.origin = func() origin {
			machine, boot := f()
			return origin{machine, boot}
		}
	}
}

// WithPID replaces os.Getpid.
func WithPID(pid func() int) Option { return func(o *options) { o.pid = pid } }

// Decoded says whether text is a ceiling, and which one.
func Decoded(text []byte) (next uint64, again []byte, err error) {
	r, err := decode("c", text)
	return r.next, r.encode(), err
}
