// Preloaded into a fuzzed server (`--import`): ends it together with the process that fuzzes it.
process.stdin.resume().once('end', () => process.exit(1))
