import '../prepare.mjs'

await import('./worker.ts')
