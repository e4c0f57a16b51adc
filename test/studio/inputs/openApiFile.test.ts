import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {OpenApiFile} from '../../../studio/inputs/actions/openApi/openApiFile.ts'

/** A worker that answers when a test says so, and not to whom. */
class SlowWorker {
  static readonly asked: object[] = []
  static answer: (value: unknown) => void = () => {}
  onmessage: (event: {data: unknown}) => void = () => {}

  postMessage(message: object): void {
    SlowWorker.asked.push(message)
    SlowWorker.answer = (value) => this.onmessage({data: {ok: true, value}})
  }
}

test('operations that are asked for at once get their own tools', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  Object.assign(globalThis, {Worker: SlowWorker})
  const file = new OpenApiFile('https://library.example/openapi.json', [])
  const got: unknown[] = []
  for (const operation of ['first', 'second'])
    void file.toolOf(operation).then((parsed) => got.push([operation, parsed.ok && parsed.value.fields.name]))
  for (const value of [[], {fields: {name: 'first'}}, {fields: {name: 'second'}}]) {
    await setImmediate()
    SlowWorker.answer(value)
  }
  await setImmediate()
  assert.deepEqual(got, [
    ['first', 'first'],
    ['second', 'second'],
  ])
  assert.deepEqual(SlowWorker.asked.slice(1), [{operation: 'first'}, {operation: 'second'}])
})
