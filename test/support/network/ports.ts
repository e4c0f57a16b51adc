import {createServer} from 'node:net'

/** A port that is free at the moment, for programs that cannot choose one by themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address !== 'string') resolve(address.port)
        else reject(new Error('not listening on TCP'))
      })
    })
  })
}
