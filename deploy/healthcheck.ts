/**
 * The health check of an image, which has no shell: exits with 0 if the process responds.
 * `node deploy/healthcheck.ts PORT [MILLISECONDS]`: the first argument names the variable with the port.
 */
const [, , variable = 'PORT', limit = '2000'] = process.argv

try {
  const {ok} = await fetch(`http://127.0.0.1:${process.env[variable]}/healthz`, {
    signal: AbortSignal.timeout(Number(limit)),
  })
  process.exitCode = ok ? 0 : 1
} catch {
  process.exitCode = 1
}
