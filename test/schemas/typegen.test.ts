import assert from 'node:assert/strict'
import {mkdtemp, readdir, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {generateTypes} from '../../schemas/typegen.ts'

async function generate(source: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-typegen-'))
  try {
    await writeFile(join(dir, 'queries.ts'), source)
    const code = await generateTypes(join(dir, '*.ts'))
    assert.deepEqual(await readdir(dir), ['queries.ts'], 'no file is left behind')
    return code
  } finally {
    await rm(dir, {recursive: true})
  }
}

const SOURCE = `
import {defineQuery} from 'groq'
export const toolsQuery = defineQuery('*[_type == "tool" && site._ref == $site]{_id, name, exposedTo, annotations}')
`

test('a query gets a result type without unknown members', async () => {
  const code = await generate(SOURCE)
  const [result = ''] = /export type ToolsQueryResult = [\s\S]*?\n\}>;/.exec(code) ?? []
  assert.match(result, /_id: string;\s+name: string \| null;\s+exposedTo: Array<string> \| null;/)
  assert.match(result, /readOnlyHint\?: "auto" \| "false" \| "true";/)
  assert.doesNotMatch(code, /unknown/)
})

test('the same schema and queries generate the same text', async () => {
  const [once, again] = [await generate(SOURCE), await generate(SOURCE)]
  const withoutPlace = (code: string) => code.replace(/^\/\/ Source: .*$/gm, '')
  assert.equal(withoutPlace(once), withoutPlace(again))
})

test('a query that cannot be parsed stops the generation', async () => {
  await assert.rejects(generate(SOURCE.replace('$site]', '$site')), /toolsQuery|queries\.ts/)
})
