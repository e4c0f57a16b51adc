// Prepares a process or a thread to load the program.
import {existsSync} from 'node:fs'
import module from 'node:module'
import {fileURLToPath} from 'node:url'

// What Node makes of a file, without types and compiled, is kept for the next start. In a folder that only
// people who may change the program can write to, unlike Node's default, which is in the system's folder for temporary files.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/handrail', import.meta.url)))

// A package has JavaScript.
if (existsSync(new URL('./typeScript.mjs', import.meta.url))) await import('./typeScript.mjs')
