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

export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], {env: environment}).status === 0
}

/** Starts nginx for a folder of files, if it is installed. */
export async function startNginx(
  folder: string,
  cores: Cores,
  run: Pick<Run, 'cleanup'>,
): Promise<Server | undefined> {
  if (!hasNginx()) return undefined
  const dir = join(folder, 'nginx')
  await mkdir(dir)
  const port = await freePort()
  const {pid, address} = await runNginx(dir, filesBlock(folder, port), port, run)
  await pin(pid, 'server', cores)
  return {name: 'nginx, a file', pid, address, isService: false}
}

/**
 * Starts nginx as one process, without a master, so that there is only one to measure.
 * @param dir for its files. It may also contain others.
 * @param block what its `http` block contains. It listens on the port, where `/ready` returns any response.
 */
export async function runNginx(
  dir: string,
  block: string,
  port: number,
  {cleanup}: Pick<Run, 'cleanup'>,
): Promise<{pid: number; address: string}> {
  await writeFile(join(dir, 'nginx.conf'), configOf(dir, block))
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', 'stderr'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  cleanup.defer(() => ended(child))
  const address = `http://127.0.0.1:${port}`
  const deadline = performance.now() + PATIENCE
  while (!(await fetch(`${address}/ready`).catch(() => undefined))) {
    if (child.exitCode !== null || child.pid === undefined || performance.now() > deadline)
      throw new Error('nginx does not start')
    await setTimeout(50)
  }
  if (child.pid === undefined) throw new Error('nginx does not start')
  return {pid: child.pid, address}
}

function configOf(dir: string, block: string): string {
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
  keepalive_requests 1000000000;
  ${block}
}
`
}

function filesBlock(folder: string, port: number): string {
  return `
  default_type "application/json; charset=utf-8";
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    location = /ready { return 204; }
  }`
}
