#!/usr/bin/env node
// Node strips types since version 22.18, but never in node_modules, where this file is once a package is installed.
if (!process.features.typescript || import.meta.url.includes('/node_modules/')) {
  const {register} = await import('tsx/esm/api')
  register()
}
const {main} = await import('./process.ts')
await main()
