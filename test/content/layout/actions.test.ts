import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {LAYOUT} from '../../../cli/layout.ts'
import {splitDocument} from '../../../content/layout/splitDocument.ts'
import {assembleDocument} from '../../../content/parseDocument.ts'
import {parseAction} from '../../../schemas/actions/parseAction.ts'
import {parsed, schema, tool} from '../../actions/generated.ts'
import {runs} from '../../runner/runs.ts'

const KEY = {type: 'tool', id: 'a'}

test('any action that the rules accept is the same after the lake has written and read its files', () => {
  fc.assert(
    fc.property(tool, (generated) => {
      const action = parsed(generated)
      fc.pre(action !== undefined)
      // As it arrives from Studio.
      const sent = JSON.parse(JSON.stringify({_id: 'a', _type: 'tool', ...generated}))
      const files = Array.from(splitDocument(LAYOUT, KEY, sent), ([path, text]) => {
        return [path, Buffer.from(text)] as const
      })
      const read = assembleDocument(LAYOUT, KEY, new Map(files))
      assert.ok('document' in read, JSON.stringify(read))
      const {_id, _type, ...content} = read.document.content
      assert.deepEqual(content, JSON.parse(JSON.stringify(generated)))
      assert.deepEqual(parseAction(content, schema), action)
    }),
    {numRuns: runs(5_000)},
  )
})
