import assert from 'node:assert/strict'
import {test} from 'node:test'
import {changedSince} from '../../../../lake/webhooks/outgoing/sources.ts'
import {temporaryRepository} from '../../support/git.ts'

test('files of a document are found by its id, whatever dots they contain', async (t) => {
  const repository = await temporaryRepository(t)
  const from = await repository.commit({
    'tool/a.json': {},
    'tool/a.js': '1',
    'tool/a.schema.json': {},
    'tool/b.c.json': {},
    'tool/gone.json': {},
    'tool/gone.js': '1',
    'lake.json': {},
    'README.md': '',
  })
  const to = await repository.commit({
    'tool/a.schema.json': {type: 'object'},
    'tool/b.c.json': {n: 1},
    'tool/gone.json': undefined,
    'tool/gone.js': undefined,
    'tool/new.json': {},
    'README.md': 'x',
    'deep/er/file.json': {},
  })
  const ids = new Set(['a', 'b.c', 'new'])
  const found = await changedSince(
    repository.directory,
    from,
    to,
    (id, type) => type === 'tool' && ids.has(id),
  )
  assert.deepEqual(
    found.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    [
      {id: 'a', type: 'tool', isNew: false},
      {id: 'b.c', type: 'tool', isNew: false},
      {id: 'gone', type: 'tool', isNew: false},
      {id: 'new', type: 'tool', isNew: true},
    ],
  )
})
