import {spawn, spawnSync} from 'node:child_process'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {freePort} from '../../test/support/network/ports.ts'
import type {Run} from '../run.ts'
import {type Cores, pin} from './cores.ts'
import {ended} from './program.ts'
import type {Server} from './servers.ts'

/** On Debian, nginx is in a folder that is only in root's PATH. */
const environment = {...process.env, PATH: `${process.env.PATH}:/usr/sbin`}

/** Timeout for the start, in milliseconds. */
const PATIENCE = 10_000

/** Starts nginx for a folder of files, if it is installed: one process, tuned for this benchmark. */
export async function startNginx(
  folder: string,
  cores: Cores,
  {cleanup}: Pick<Run, 'cleanup'>,
): Promise<Server | undefined> {
  if (spawnSync('nginx', ['-v'], {env: environment}).status !== 0) return undefined
  const port = await freePort()
  const dir = join(folder, 'nginx')
  await mkdir(dir)
  await writeFile(join(dir, 'nginx.conf'), configOf(folder, dir, port))
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', 'stderr'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  cleanup.defer(() => ended(child))
  const address = `http://127.0.0.1:${port}`
  const deadline = performance.now() + PATIENCE
  while (!(await fetch(address).catch(() => undefined))) {
    if (child.exitCode !== null || child.pid === undefined || performance.now() > deadline)
      throw new Error('nginx does not start')
    await setTimeout(50)
  }
  if (child.pid === undefined) throw new Error('nginx does not start')
  await pin(child.pid, 'server', cores)
  return {name: 'nginx, a file', pid: child.pid, address, isService: false}
}

/** Without a master process, so that there is only one process to measure. */
function configOf(folder: string, dir: string, port: number): string {
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
master_process off;
pid ${dir}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  ${temps.map((name) => `${name}_temp_path ${dir}/${name};`).join('\n  ')}
  access_log off;
  default_type "application/json; charset=utf-8";
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    location = / { return 204; }
  }
}
`
}
