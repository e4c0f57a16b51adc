import type {Server} from 'node:http'

/** Tells the process that started this one. A program that lost it ends: nobody else would end it. */
export function tellParent(text: unknown): void {
  process.send?.(text)
}

process.on('disconnect', () => process.exit())

/** Listens on a free port of the loopback and says where. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address !== null && typeof address === 'object') tellParent(`http://127.0.0.1:${address.port}`)
  })
}
