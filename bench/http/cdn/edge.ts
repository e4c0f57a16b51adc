import {mkdir} from 'node:fs/promises'
import {freePort} from '../../../test/support/network/ports.ts'
import type {Run} from '../../run.ts'
import {runNginx} from '../nginx.ts'
import {temporaryFolder} from '../servers.ts'

/** `max-age` of a config, in seconds. */
const MAX_AGE = 60

/** The header in which the location says whether it had the response: nginx's words, such as `HIT`. */
export const CACHE_STATUS = 'x-cache'

/**
 * Starts nginx as one location of a CDN: a cache that keeps a response for `max-age` less its `Age`, sends one request at
 * a time for it, revalidates it with its entity tag, and keeps one for each `Accept-Encoding`.
 *
 * nginx ignores `Age`. So a second server in the same process passes requests on, and tells the first one how long it may
 * keep the response.
 */
export async function startEdge(
  origin: string,
  run: Pick<Run, 'cleanup'>,
): Promise<{pid: number; address: string}> {
  const dir = await temporaryFolder(run)
  const [port, innerPort] = [await freePort(), await freePort()]
  await mkdir(`${dir}/cache`)
  return runNginx(dir, blockOf(dir, origin, port, innerPort), port, run)
}

function blockOf(dir: string, origin: string, port: number, innerPort: number): string {
  const left = Array.from({length: MAX_AGE}, (_, age) => `${age} ${MAX_AGE - age};`)
  return `
  upstream service { server ${new URL(origin).host}; keepalive 64; }
  upstream inner { server 127.0.0.1:${innerPort}; keepalive 64; }
  map $upstream_http_age $left { default 0; ${left.join(' ')} }
  proxy_cache_path ${dir}/cache levels=1:2 keys_zone=edge:100m max_size=4g inactive=1h use_temp_path=off;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  server {
    listen 127.0.0.1:${innerPort};
    location / {
      proxy_pass http://service;
      proxy_ignore_headers X-Accel-Expires Cache-Control;
      add_header X-Accel-Expires $left always;
    }
  }
  server {
    listen 127.0.0.1:${port};
    location = /ready { return 204; }
    location / {
      proxy_pass http://inner;
      proxy_cache edge;
      proxy_cache_key $request_uri;
      proxy_cache_lock on;
      proxy_cache_revalidate on;
      add_header ${CACHE_STATUS} $upstream_cache_status always;
    }
  }`
}
