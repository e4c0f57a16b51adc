import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {fitAuthor} from '../../../git/objects/commitObject.ts'
import {plainLine} from '../../../git/plainLine.ts'
import {runLake} from '../support/lake.ts'
import {mutate} from '../support/mutate.ts'

const unfit = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u

test('a document’s name cannot forge the message of the commit that publishes it', async (t) => {
  const {address, repository} = await runLake(t)
  const names = [
    '\u001b[2J\u001b]0;owned\u0007 a',
    'pay\u202Eexe.tool\u202C \u2066x\u2069 \u200E\u200F\u061C',
    'one\u2028two\u2029three\u0085four\r\n\nTransaction: made-up',
    '\u202E\u0007',
    '👩🏽‍💻'.repeat(40),
  ]
  for (const [index, name] of names.entries()) {
    await mutate(address, [{create: {_id: `a${index}`, _type: 'tool', name}}])
  }
  const subjects = (await repository.git('log', '--reverse', '--format=%s')).trimEnd().split('\n')
  const reflog = (await repository.git('reflog', '--format=%gs')).trimEnd().split('\n')
  assert.deepEqual(subjects.slice(0, 4), [
    'Publish tool [2J ]0;owned a',
    'Publish tool pay exe.tool x',
    'Publish tool one two three four Transaction: made-up',
    'Publish tool a3',
  ])
  assert.equal(reflog.length, names.length)
  for (const line of [...subjects, ...reflog]) {
    assert.doesNotMatch(line, unfit)
    assert.ok(!line.includes('\uFFFD'), line)
  }
})

test('authors and labels are single lines without control characters', () => {
  const nasty = fc.string({
    unit: fc.oneof(fc.constantFrom('\u202E', '\u001b', '\n', '\u2028', '<', '>', '\uD800'), fc.string()),
  })
  fc.assert(
    fc.property(nasty, nasty, (name, email) => {
      const author = fitAuthor({name, email})
      for (const text of [author.name, author.email, plainLine(name)]) assert.doesNotMatch(text, unfit)
      assert.doesNotMatch(author.name + author.email, /[<>]/)
      assert.notEqual(author.name, '')
    }),
  )
  assert.deepEqual(fitAuthor({name: 'Ada\u202E <b>', email: 'a\u200Eda@x .y'}), {
    name: 'Ada b',
    email: 'ada@x.y',
  })
})
