// Package rewrite carries out a settled plan: it turns it into one job for every table and shard, has an engine load the rows in final form, and records
// in the output what became of the keys. It neither proves nor publishes.
package rewrite
