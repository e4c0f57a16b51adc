import {type ClientRequest, get, type IncomingMessage} from 'node:http'
import type {WebSocket} from 'ws'
import {readFrame, type Told} from './frames.ts'
import type {Loopback} from './loopback.ts'

/** Streams of one socket. A tab holds six for its first document, and one or two for each further pane. */
const maxStreams = 64
/** Bytes that wait for the browser before the lake stops reading on its behalf, and before it reads again. */
const highWater = 256 * 1024
const lowWater = 64 * 1024

/**
 * Serves the event streams of one socket, each by a request to the lake's own address: whatever decides who may read
 * them decides here too.
 */
export function relayStreams(socket: WebSocket, lake: Loopback): void {
  const requests = new Map<number, ClientRequest>()
  const answers = new Set<IncomingMessage>()
  let paused = false

  const tell = (frame: Told) => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(frame), () => {
      if (!paused || socket.bufferedAmount > lowWater) return
      paused = false
      for (const answer of answers) answer.resume()
    })
    if (paused || socket.bufferedAmount < highWater) return
    paused = true
    for (const answer of answers) answer.pause()
  }

  const open = (id: number, path: string, headers: Record<string, string>) => {
    if (requests.has(id)) return socket.close(1008, 'A stream has this number')
    if (requests.size >= maxStreams) {
      tell({id, status: 503, type: 'text/plain'})
      tell({id, end: true})
      return
    }
    const {host, port} = lake
    // A connection of its own, which ends with the stream: one that an agent keeps would hold up the lake's closing.
    const options = {host, port, path, headers: {...headers, ...lake.headers}, agent: false}
    const request = get(options, (answer) => {
      answers.add(answer)
      answer.setEncoding('utf8')
      tell({id, status: answer.statusCode ?? 502, type: answer.headers['content-type'] ?? ''})
      answer.on('data', (data: string) => tell({id, data}))
      answer.once('close', () => {
        answers.delete(answer)
        finish()
      })
      if (paused) answer.pause()
    })
    const finish = () => {
      if (requests.get(id) !== request) return
      requests.delete(id)
      tell({id, end: true})
    }
    requests.set(id, request)
    request.once('error', finish)
  }

  const close = (id: number) => {
    const request = requests.get(id)
    requests.delete(id)
    request?.destroy()
  }

  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : readFrame(data.toString())
    if (frame === undefined) socket.close(1008, 'Not a frame of this protocol')
    else if ('close' in frame) close(frame.id)
    else open(frame.id, frame.open, frame.headers)
  })
  socket.once('close', () => {
    for (const id of [...requests.keys()]) close(id)
  })
}
