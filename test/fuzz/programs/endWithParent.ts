// Loaded into a fuzzed server before it starts (`--import`): it ends with the process that fuzzes it, however that ends.
process.stdin.resume().once('end', () => process.exit(1))
