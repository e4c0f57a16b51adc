import {text} from 'node:stream/consumers'
import {setTimeout} from 'node:timers/promises'
import {errorCode} from '../common/errorCode.ts'
import {run} from './main.ts'

/** Runs the command that this process was started with. */
export async function main(): Promise<void> {
  const {env} = process
  // "content … | head" reads no more of it. The exit code still says how the command ended.
  process.stdout.on('error', (error) => {
    if (errorCode(error) !== 'EPIPE') throw error
  })
  // "npm run" changes to the directory of package.json.
  const directory = env.npm_lifecycle_event === 'content' ? (env.INIT_CWD ?? process.cwd()) : process.cwd()
  process.exitCode = await run(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    input: () => text(process.stdin),
    environment: env,
    directory,
    wait: (milliseconds) => setTimeout(milliseconds),
  })
}
