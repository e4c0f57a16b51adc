import {type ChildProcess, execFile, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import type {IncomingHttpHeaders} from 'node:http'
import {Agent, request} from 'node:https'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {eventually} from '../eventually.ts'
import {freePort} from './ports.ts'

/** The example configurations for operators: of the service, and of a lake without containers. */
const EXAMPLES = fileURLToPath(new URL('../../../deploy/nginx/', import.meta.url))

/** Debian installs nginx where only root's PATH finds it. */
const environment = {...process.env, PATH: `${process.env.PATH}:/usr/sbin`}

/** A response from nginx, its body decoded as text. */
export type ProxiedAnswer = {status: number; headers: IncomingHttpHeaders; body: Buffer}

/** nginx with the example, in front of the test's services. */
export type RunningNginx = {
  /** Its addresses: that of the example, and the plain HTTP one that redirects there. */
  address: string
  plainAddress: string
  /** The certificate that it presents. */
  certificate: string
  get(path: string, headers?: Record<string, string>, agent?: Agent): Promise<ProxiedAnswer>
  send(
    path: string,
    request: {method: string; headers: Record<string, string>; body: string},
    agent?: Agent,
  ): Promise<ProxiedAnswer>
  /** The requests so far: nginx's cache status, and the number of services that each was sent to. */
  accesses(): Promise<{uri: string; status: number; cache: string; upstreams: string[]}[]>
  /** Its error log. */
  complaints(): string
  close(): Promise<void>
}

/** Whether this machine has nginx, and openssl for a certificate. */
export function hasNginx(): boolean {
  return [['nginx', '-v'] as const, ['openssl', 'version'] as const].every(
    ([program, argument]) => spawnSync(program, [argument], {env: environment}).status === 0,
  )
}

export type NginxOptions = {
  /** Ports of the services, or none in front of a lake. */
  services: number[]
  /** The port of a lake, instead of services. */
  lake?: number
  /** Without TLS: a browser caches nothing from a server whose certificate it does not know. */
  isPlain?: boolean
  /** Other differences from the example: parts of its text, and their replacements. */
  changes?: Record<string, string>
}

/** Starts nginx with the unmodified example, except for ports and paths. */
export async function startNginx({
  services,
  lake,
  isPlain = false,
  changes = {},
}: NginxOptions): Promise<RunningNginx> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-nginx-'))
  const [port, plainPort] = [await freePort(), await freePort()]
  const key = join(dir, 'privkey.pem')
  const certificateFile = join(dir, 'fullchain.pem')
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ...['-keyout', key, '-out', certificateFile],
  ])
  const serversWith = (options: string) =>
    services.map((service) => `server 127.0.0.1:${service} ${options};`).join('\n')
  const upstream =
    lake === undefined
      ? {
          'server 127.0.0.1:3000 max_fails=1 fail_timeout=1s;': serversWith('max_fails=1 fail_timeout=1s'),
          'server 127.0.0.1:3001 max_fails=1 fail_timeout=1s;': '',
          'server 127.0.0.1:3000 max_fails=0;': serversWith('max_fails=0'),
          'server 127.0.0.1:3001 max_fails=0;': '',
          '/var/cache/nginx-handrail': join(dir, 'cache'),
        }
      : {'server 127.0.0.1:3333;': `server 127.0.0.1:${lake};`}
  const file = join(EXAMPLES, lake === undefined ? 'handrail.conf' : 'lake.conf')
  const example = changed(await readFile(file, 'utf8'), {
    ...upstream,
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    '    listen [::]:80;\n': '',
    'listen 443 ssl http2;': `listen 127.0.0.1:${port}${isPlain ? '' : ' ssl http2'};`,
    '    listen [::]:443 ssl http2;\n': '',
    '/etc/nginx/tls/fullchain.pem': certificateFile,
    '/etc/nginx/tls/privkey.pem': key,
    ...changes,
  })
  await writeFile(join(dir, 'handrail.conf'), example)
  await mkdir(join(dir, 'temp'))
  await writeFile(join(dir, 'nginx.conf'), mainConfig(dir))

  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', 'stderr'], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString()
  })
  const certificate = await readFile(certificateFile, 'utf8')
  const oneConnectionEach = new Agent({ca: certificate})
  const address = `${isPlain ? 'http' : 'https'}://127.0.0.1:${port}`
  const plainAddress = `http://127.0.0.1:${plainPort}`
  const ask: RunningNginx['get'] = (path, headers = {}, agent = oneConnectionEach) =>
    sendOver(agent, new URL(path, address), {method: 'GET', headers, body: ''})
  await eventually(
    () => fetch(plainAddress, {redirect: 'manual'}).catch(() => undefined),
    (answer) => {
      if (child.exitCode !== null) throw new Error(`nginx does not start: ${complaints}`)
      return answer !== undefined
    },
  )
  return {
    address,
    plainAddress,
    certificate,
    get: ask,
    send: (path, outgoing, agent = oneConnectionEach) => sendOver(agent, new URL(path, address), outgoing),
    async accesses() {
      const lines = (await readFile(join(dir, 'access.log'), 'utf8')).trim().split('\n')
      return lines.map((line) => {
        const [uri = '', status, cache = '', upstreams = ''] = line.split('|')
        return {uri, status: Number(status), cache, upstreams: upstreams === '-' ? [] : upstreams.split(', ')}
      })
    },
    complaints: () => complaints,
    async close() {
      await ended(child)
      await rm(dir, {recursive: true, force: true})
    },
  }
}

/** The `http` block that includes the example. */
function mainConfig(dir: string): string {
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 2;
pid ${dir}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  log_format test '$request_uri|$status|$upstream_cache_status|$upstream_addr';
  access_log ${dir}/access.log test;
  ${temps.map((name) => `${name}_temp_path ${dir}/temp/${name};`).join('\n  ')}
  include ${dir}/handrail.conf;
}
`
}

/** @throws if the example does not contain the text to be replaced exactly once. */
function changed(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((before, [part, instead]) => {
    if (before.split(part).length !== 2) throw new Error(`the example must have exactly one "${part}"`)
    return before.replace(part, () => instead)
  }, text)
}

async function sendOver(
  agent: Agent,
  url: URL,
  {method, headers, body}: {method: string; headers: Record<string, string>; body: string},
): Promise<ProxiedAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {agent, method, headers}, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks)}),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
