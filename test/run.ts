import {spawn} from 'node:child_process'
import {globSync} from 'node:fs'
import {findChromium} from './support/browser.ts'

// What a test needs beside Node and Git stands in the name of its file. In CI a missing browser is an error.

const files = globSync('test/**/*.test.ts').sort()
const hasBrowser = findChromium() !== undefined || process.env.CI !== undefined
const runnable = files.filter((file) => hasBrowser || !file.endsWith('.browser.test.ts'))
if (runnable.length < files.length) {
  console.log(
    `Chromium was not found: ${files.length - runnable.length} browser tests are left out (the variable CHROMIUM names it)`,
  )
}
const child = spawn(process.execPath, ['--import', 'tsx', '--test', '--test-timeout=180000', ...runnable], {
  stdio: 'inherit',
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
