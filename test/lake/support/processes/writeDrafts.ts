import {Journal} from '../../../../content/drafts/journal.ts'
import {State} from '../../../../content/state/state.ts'
import {document} from '../documents.ts'

/** Writes drafts one after the other until killed, and reports each acknowledged one: `writeDrafts.ts FOLDER FIRST`. */
const [folder = '', first = '0'] = process.argv.slice(2)
const journal = await Journal.open(State.open(folder), async () => false)
for (let count = Number(first); ; count += 1) {
  const id = `drafts.${count % 20}`
  const draft = {document: document({_id: id, _type: 'note', count, text: 'x'.repeat(3_000)}), base: null}
  const names = {id: `${count}`, attempt: `${count}`, author: 'ada', timestamp: new Date().toISOString()}
  journal.append({...names, drafts: new Map([[id, draft]]), commits: false})
  await new Promise((resolve) => process.send?.(count, resolve))
}
