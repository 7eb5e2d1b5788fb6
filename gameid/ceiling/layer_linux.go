package ceiling

import (
	"fmt"
	"os"
	"syscall"
)

// overlayMagic is the type of an overlay file system (statfs(2)).
const overlayMagic = 0x794c7630

// layerOf tells one mount of an overlay, such as a container's own layer, from
// every other one of this boot; "" elsewhere. All containers of one image find the
// image's files under the same numbers.
func layerOf(f *os.File, info os.FileInfo) string {
	var fs syscall.Statfs_t
	stat, ok := info.Sys().(*syscall.Stat_t)
	if err := syscall.Fstatfs(int(f.Fd()), &fs); err != nil || !ok || uint32(fs.Type) != overlayMagic {
		return ""
	}
	return fmt.Sprintf("%s%x:%s", layerMark, stat.Dev, systemOrigin().boot)
}
