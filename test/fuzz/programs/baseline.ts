import {createServer} from 'node:http'

// A minimal server. If it responds slowly, the machine is slow, and not the fuzzed server.
const server = createServer((_request, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string') process.send?.(`http://127.0.0.1:${address.port}/`)
})
process.once('disconnect', () => process.exit(0))
