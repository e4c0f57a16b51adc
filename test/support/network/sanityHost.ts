import {once} from 'node:events'
import {writeFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {connect, type Socket} from 'node:net'
import {join} from 'node:path'
import type {TestContext} from 'node:test'
import tls from 'node:tls'
import {temporaryFolder} from '../../lake/support/git.ts'
import {type Certificate, certificateFor} from './certificate.ts'

/** Stands in for Sanity's API at its own address, for programs that know no other. */
export type SanityHost = {
  /** The environment of a program whose requests go to the lake. */
  readonly environment: NodeJS.ProcessEnv
  /** The proxy, for a browser. */
  readonly proxy: string
  /** The hosts that programs asked for. */
  readonly asked: ReadonlySet<string>
}

/** The certificate of one run, for the hosts that the proxy connects. */
export const sanityCertificate = () =>
  certificateFor(['api.sanity.io', '*.api.sanity.io', '*.sanity.studio', '*.example.com'])

type Options = {
  /** The addresses of further hosts. */
  readonly others?: (host: string) => string | undefined
  readonly certificate?: Certificate
}

/**
 * Starts a proxy that connects `*.api.sanity.io` to a lake, and no other host to anything.
 * @param address of the lake. An address of https has the certificate itself
 */
export async function redirectSanityHost(
  t: TestContext,
  address: string,
  {others = () => undefined, certificate: {cert, key} = sanityCertificate()}: Options = {},
): Promise<SanityHost> {
  const certificate = join(await temporaryFolder(t), 'certificate.pem')
  await writeFile(certificate, cert)
  const sockets = new Set<Socket>()
  const asked = new Set<string>()
  const addressOf = (host: string) => (/^([\w-]+\.)?api\.sanity\.io$/.test(host) ? address : others(host))
  const secureContext = tls.createSecureContext({cert, key})
  const proxy = createServer((_request, response) => response.writeHead(502).end())
  proxy.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })
  proxy.on('connect', ({url = ''}, socket: Socket) => {
    asked.add(url)
    const end = addressOf(url.replace(/:443$/, ''))
    if (end === undefined) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const {hostname, port, protocol} = new URL(end)
    const near = protocol === 'https:' ? socket : new tls.TLSSocket(socket, {isServer: true, secureContext})
    const ends = [near, connect(Number(port), hostname)] as const
    for (const each of ends)
      each.on('error', () => undefined).once('close', () => ends.map((one) => one.destroy()))
    return ends[0].pipe(ends[1]).pipe(ends[0])
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
  return {environment, proxy: url, asked}
}
