import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {pino} from 'pino'
import {State} from '../../../../content/state/state.ts'
import {Access} from '../../../../lake/access/access.ts'
import {buildApp} from '../../../../lake/http/app.ts'
import {token} from '../app.ts'
import {environment, storeOf} from '../documents.ts'

// A program: the lake's routes over one document of 8 MB. Reports its address to its parent, and on request the bytes that it
// keeps: without garbage, of which there is as much as a collector that has time for other things leaves.

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const store = storeOf({_id: 'large', _type: 'post', text: 'x'.repeat(8 * 2 ** 20)})
const access = new Access({state: State.inMemory(), apiTokens: [token]})
const {app} = await buildApp({store, environment, access}, pino({level: 'silent'}))
const address = await app.listen({host: '127.0.0.1', port: 0})
process.send?.({address})
process.on('message', () => {
  collectGarbage()
  const {heapUsed, external} = process.memoryUsage()
  process.send?.({kept: heapUsed + external})
})
process.once('disconnect', () => process.exit())
