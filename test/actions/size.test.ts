import assert from 'node:assert/strict'
import {test} from 'node:test'
import {brotliCompressSync} from 'node:zlib'
import {buildLibrary} from '../../actions/build/build.ts'
import {hasAction, servedScript} from '../../actions/compile.ts'
import {TOOL_RECIPES} from '../../schemas/recipes/recipes.ts'
import type {Fields} from '../../schemas/record.ts'

/** What the scripts of a page with 40 tools without code take in a config, in bytes; 90 of them bound what is read of a huge page, end calls within it, and tell what says nothing. */
const [LIMIT, LIMIT_COMPRESSED] = [133_200, 4_330]

test('the scripts of 40 tools without code are short', (t) => {
  const library = buildLibrary()
  const recipes: Fields[] = TOOL_RECIPES.map(({fields}) => fields).filter(hasAction)
  const tools = Array.from({length: 40}, (_, at) => recipes[at % recipes.length] ?? {})
  const config = Buffer.from(JSON.stringify(tools.map((tool) => servedScript(tool, library))))
  const size = brotliCompressSync(config).length
  t.diagnostic(`${config.length} bytes, compressed ${size}`)
  assert.ok(config.length <= LIMIT && size <= LIMIT_COMPRESSED, `${config.length} bytes, compressed ${size}`)
})
