import {setTimeout} from 'node:timers/promises'

/**
 * The health check of an image, which has no shell, and what `systemctl start` waits for: exits with 0 as soon as the process
 * responds, and with 1 as soon as it is gone.
 * `node deploy/healthcheck.ts PORT [MILLISECONDS [PID]]`: the first argument names the variable with the port.
 */
const [, , variable = 'PORT', limit = '2000', pid] = process.argv

// To connect to "any address" is to connect to this machine.
const host = process.env[variable.replace('PORT', 'HOST')] || '127.0.0.1'
const authority = `${/^[^[].*:/.test(host) ? `[${host}]` : host}:${process.env[variable]}`
const signal = AbortSignal.timeout(Number(limit))
process.exitCode = 1
while (process.exitCode !== 0 && !signal.aborted && isRunning()) {
  try {
    const {ok} = await fetch(`http://${authority}/healthz`, {signal})
    if (ok) process.exitCode = 0
  } catch {
    // It does not listen yet.
  }
  if (process.exitCode !== 0) await setTimeout(100, undefined, {signal}).catch(() => undefined)
}

function isRunning(): boolean {
  try {
    return pid === undefined || process.kill(Number(pid), 0)
  } catch (error) {
    // systemd starts the check before the process has become its user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
