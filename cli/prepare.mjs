// Prepares a process or a thread to load TypeScript.
import module from 'node:module'
import {fileURLToPath} from 'node:url'

// What Node makes of a file, without types and compiled, is kept for the next start. In a folder that only
// people who may change the program can write to, unlike Node's default, which is in the system's folder for temporary files.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/handrail', import.meta.url)))

// Node strips types unless it is told not to, and never in node_modules, where this file is once a package is installed.
if (!process.features.typescript || import.meta.url.includes('/node_modules/')) {
  const {register} = await import('tsx/esm/api')
  register()
}
