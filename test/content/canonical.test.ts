import {equal, notEqual, throws} from 'node:assert/strict'
import {test} from 'node:test'
import {fileTextOf, revisionOf, UnfitDocumentError} from '../../content/canonical.ts'

test('a file has keys sorted at every depth, two-space indentation and a final newline', () => {
  const text = fileTextOf({
    b: [{d: 1, c: {y: 1, x: 2}}],
    _type: 'x',
    a: null,
    _id: 'i',
    _rev: 'r',
    _updatedAt: 'u',
  })
  equal(
    text,
    `{
  "_id": "i",
  "_type": "x",
  "a": null,
  "b": [
    {
      "c": {
        "x": 2,
        "y": 1
      },
      "d": 1
    }
  ]
}
`,
  )
})

test('a revision depends on content, not on key order or on attributes set by the lake', () => {
  const revision = revisionOf({_id: 'a', _type: 'x', b: {c: 1, d: 2}})
  equal(revision, revisionOf({b: {d: 2, c: 1}, _type: 'x', _id: 'a', _rev: 'z', _createdAt: 'n'}))
  notEqual(revision, revisionOf({_id: 'a', _type: 'x', b: {c: 1, d: 3}}))
  notEqual(revision, revisionOf({_id: 'b', _type: 'x', b: {c: 1, d: 2}}))
  equal(revision.length, 22)
  equal(/^[\w-]+$/.test(revision), true)
})

test('attributes that could affect the evaluator are rejected', () => {
  throws(() => revisionOf({a: JSON.parse('{"hasOwnProperty": 1}')}), UnfitDocumentError)
  throws(() => revisionOf({a: [JSON.parse('{"\\u005f_proto__": 1}')]}), UnfitDocumentError)
})
