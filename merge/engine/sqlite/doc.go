// Package sqlite is the embedded engine: shards and outputs are SQLite files.
package sqlite
