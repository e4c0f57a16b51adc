import assert from 'node:assert/strict'
import {test} from 'node:test'
import {draftOf, saveDrafts} from '../../../studio/making/saveDrafts.ts'
import {runLake} from '../../lake/support/lake.ts'

const TOOL = {
  id: 'suggest-x1',
  site: 'library',
  type: 'formTool',
  fields: {name: 'suggestBook', description: 'Suggests a book.', pagePath: '/', selector: '#suggest'},
}

test('a link that is opened again has the draft that is there, and no other document', async (t) => {
  const {client} = await runLake(t, {'site/library.json': {_id: 'library', _type: 'site'}})
  const made = await draftOf(TOOL, client)
  assert.ok(made.ok)
  await saveDrafts([made.value], client)
  assert.deepEqual(await draftOf(TOOL, client), made)
  const request = {method: 'GET', address: '/books', result: {kind: 'text'}}
  const fields = {
    name: 'getBooks',
    description: 'Returns books.',
    pathPattern: '/',
    action: 'request',
    request,
    inputSchema: '{"type": "object", "properties": {}}',
  }
  for (const taken of [
    {...TOOL, id: 'library'},
    {...TOOL, type: 'tool', fields},
  ])
    assert.deepEqual(await draftOf(taken, client), {
      ok: false,
      problem: 'Another document has its ID. Make the tool again on the page.',
    })
})
