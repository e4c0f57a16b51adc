import {setTimeout} from 'node:timers/promises'

/**
 * The health check of an image, which has no shell, and what `systemctl start` waits for: exits with 0 as soon as the process
 * responds.
 * `node deploy/healthcheck.ts PORT [MILLISECONDS]`: the first argument names the variable with the port.
 */
const [, , variable = 'PORT', limit = '2000'] = process.argv

const signal = AbortSignal.timeout(Number(limit))
process.exitCode = 1
while (process.exitCode !== 0 && !signal.aborted) {
  try {
    const {ok} = await fetch(`http://127.0.0.1:${process.env[variable]}/healthz`, {signal})
    if (ok) process.exitCode = 0
  } catch {
    // It does not listen yet.
  }
  if (process.exitCode !== 0) await setTimeout(100, undefined, {signal}).catch(() => undefined)
}
