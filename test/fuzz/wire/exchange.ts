import {connect} from 'node:net'
import {bytesOf, type Credentials, type FuzzRequest, methodOf} from './request.ts'
import {type FuzzResponse, readResponse} from './response.ts'

/** A request that was sent, and the response to it, if one came. */
export type Exchange = {readonly request: FuzzRequest; readonly response: FuzzResponse | undefined}

/** Milliseconds that a client waits for a response before it goes away. */
const PATIENCE = 3_000
/** Milliseconds that it reads from event streams and WebSockets, which do not end. */
const READS_STREAMS_FOR = 60 // a stream never ends
/** Milliseconds after which a client that leaves early closes its connection. */
const LEAVES_AFTER = 10 // a client that leaves

/** Client addresses: many, because limits count by address. */
const CLIENTS = 100

/** The address of a fuzzing client. Each of 127.0.0.0/8 is this machine. */
function addressOf(client: number): string {
  return `127.20.0.${(client % CLIENTS) + 1}`
}

/** Sends a request over its own connection. Never fails: a server that closes the connection gives no response. */
export async function exchange(
  request: FuzzRequest,
  address: string,
  credentials: Credentials,
): Promise<Exchange> {
  const {hostname, port, host} = new URL(address)
  const bytes = await bytesOf(request, host, credentials)
  const method = methodOf(request)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      localAddress: addressOf(request.client),
      noDelay: true,
    })
    const chunks: Buffer[] = []
    let isReadingStream = false
    const finish = (hasEnded: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({request, response: readResponse(Buffer.concat(chunks), method, hasEnded)})
    }
    let timer = setTimeout(finish, PATIENCE, false) // a server that never responds
    socket.once('connect', () => {
      socket.write(bytes)
      if (!request.leavesEarly) return
      clearTimeout(timer)
      timer = setTimeout(finish, LEAVES_AFTER, false) // a client that leaves
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // A long body is looked at when the connection ends, or when the last chunk is a short one.
      if (isReadingStream || chunk.length === 65_536) return
      const response = readResponse(Buffer.concat(chunks), method, false)
      if (response === undefined) return
      if (isStream(response)) {
        isReadingStream = true
        clearTimeout(timer)
        timer = setTimeout(finish, READS_STREAMS_FOR, false) // a stream never ends
      } else if (response.isComplete) finish(false)
    })
    socket.once('end', () => finish(true))
    socket.once('error', () => finish(true))
    socket.once('close', () => finish(true))
  })
}

function isStream({status, headers}: FuzzResponse): boolean {
  return status === 101 || (headers.get('content-type') ?? '').startsWith('text/event-stream')
}
