import assert from 'node:assert/strict'
import {test} from 'node:test'
import {brotliCompressSync} from 'node:zlib'
import {buildLibrary} from '../../actions/build/build.ts'
import {hasAction, servedScript} from '../../actions/compile.ts'
import {TOOL_RECIPES} from '../../schemas/recipes/recipes.ts'
import type {Fields} from '../../schemas/record.ts'

/** What the scripts of a page with 40 tools without code take, compressed, in bytes. */
const LIMIT = 4_650

test(`the scripts of 40 tools without code have at most ${LIMIT} bytes together`, (t) => {
  const library = buildLibrary()
  const recipes: Fields[] = TOOL_RECIPES.map(({fields}) => fields).filter(hasAction)
  const tools = Array.from({length: 40}, (_, at) => recipes[at % recipes.length] ?? {})
  const size = brotliCompressSync(tools.map((tool) => servedScript(tool, library)).join('')).length
  t.diagnostic(`${size} bytes`)
  assert.ok(size <= LIMIT, `${size} bytes`)
})
