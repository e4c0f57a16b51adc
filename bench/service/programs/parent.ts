import type {Server} from 'node:http'

/**
 * Sends a message to the parent process. A program that loses its parent exits, because nothing else would
 * stop it.
 */
export function tellParent(text: unknown): void {
  process.send?.(text)
}

process.on('disconnect', () => process.exit())

/** Listens on a free loopback port and sends the address to the parent. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') tellParent(`http://127.0.0.1:${address.port}`)
  })
}
