import {pino} from 'pino'
import {State} from '../../../../content/state/state.ts'
import {Access} from '../../../../lake/access/access.ts'
import {buildApp} from '../../../../lake/http/app.ts'
import {token} from '../app.ts'
import {environment, storeOf} from '../documents.ts'

// A program: the lake's routes over one document of 8 MB. Reports its address to its parent, and its memory
// on request.

const store = storeOf({_id: 'large', _type: 'post', text: 'x'.repeat(8 * 2 ** 20)})
const access = new Access({state: State.inMemory(), apiToken: token})
const {app} = await buildApp({store, environment, access}, pino({level: 'silent'}))
const address = await app.listen({host: '127.0.0.1', port: 0})
process.send?.({address})
process.on('message', () => process.send?.({rss: process.memoryUsage.rss()}))
process.once('disconnect', () => process.exit())
