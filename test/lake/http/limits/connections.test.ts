import {once} from 'node:events'
import {test} from 'node:test'
import {connectFrom} from '../../../support/client.ts'
import {serve} from '../../support/app.ts'
import {storeOf} from '../../support/documents.ts'

test('a connection whose headers do not arrive in time is closed', async (t) => {
  const {address} = await serve(t, storeOf(), {
    http: {headersTimeout: 50, connectionsCheckingInterval: 20},
  })
  const socket = await connectFrom('127.0.0.2', address)
  t.after(() => socket.destroy())
  socket.resume().write('GET / HTTP/1.1\r\n')
  await once(socket, 'close')
})
