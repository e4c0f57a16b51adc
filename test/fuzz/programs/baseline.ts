import {createServer} from 'node:http'

// The least that a server can do. Where this one is slow to respond, the machine is, and not the server that is fuzzed.
const server = createServer((_request, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string') process.send?.(`http://127.0.0.1:${address.port}/`)
})
process.once('disconnect', () => process.exit(0))
