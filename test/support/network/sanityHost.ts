import {once} from 'node:events'
import {writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {connect, type Socket} from 'node:net'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import tls from 'node:tls'
import {temporaryFolder} from '../../lake/support/git.ts'
import {certificateFor} from './certificate.ts'

/** Stands in for Sanity's API at its own address, for programs that know no other. */
export type SanityHost = {
  /** The environment of a program whose requests go to the lake. */
  readonly environment: NodeJS.ProcessEnv
  /** The hosts that programs asked for. */
  readonly asked: ReadonlySet<string>
}

/**
 * Starts a proxy that connects `*.api.sanity.io` to a lake, and no other host to anything. Its certificate is made
 * for this one run.
 */
export async function redirectSanityHost(t: TestContext, address: string): Promise<SanityHost> {
  const {cert, key} = certificateFor(['api.sanity.io', '*.api.sanity.io'])
  const certificate = join(await temporaryFolder(t), 'certificate.pem')
  await writeFile(certificate, cert)
  const sockets = new Set<Socket>()
  const asked = new Set<string>()
  const {hostname, port} = new URL(address)
  const secure = tls.createServer({cert, key}, (socket) => {
    const upstream = connect(Number(port), hostname)
    for (const end of [socket, upstream])
      end.on('error', () => [socket, upstream].map((each) => each.destroy()))
    socket.pipe(upstream).pipe(socket)
  })
  const proxy = createServer((_request, response) => response.writeHead(502).end())
  proxy.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })
  proxy.on('connect', ({url = ''}, socket: Socket) => {
    asked.add(url)
    if (!/^([\w-]+\.)?api\.sanity\.io:443$/.test(url)) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    return secure.emit('connection', socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const bound = proxy.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
  const environment = {
    ...process.env,
    HTTPS_PROXY: url,
    HTTP_PROXY: url,
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: certificate,
  }
  return {environment, asked}
}
