import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'node:test'
import {configOf, errorOf, recordOf} from '../../support/answers.ts'
import {startServiceProcess} from '../../support/serviceProcess.ts'

/** A pattern that expands to 64 paths. */
const PATTERN = `/1?/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}/${'x'.repeat(100)}`

/**
 * Tools of each site, by public ID. Generated here, because committing them to a lake would exceed the test's
 * timeout.
 */
const SITES: {readonly [publicId: string]: number} = {
  'largest-site': 20_000,
  'large-site-1': 3_000,
  'large-site-2': 3_000,
  'large-site-3': 3_000,
  'large-site-4': 3_000,
  'braces-site': 300,
  'small-site': 5,
}

function siteOf(publicId: string): unknown {
  const count = SITES[publicId]
  if (count === undefined) return null
  const tools = Array.from({length: count}, (_, number) => ({
    _id: `tool-${number}-of-${publicId}`,
    _rev: 'first',
    name: `tool${number}`,
    description: 'Does it.',
    pathPattern: publicId === 'small-site' ? '/**' : `${PATTERN}${number}`,
    inputSchema: '{"type": "object", "properties": {}}',
    executeJs: 'return 1',
    exposedTo: null,
    annotations: null,
  }))
  return {_id: `id-of-${publicId}`, _rev: 'first', publicId, pollInterval: 300, tools, formTools: []}
}

test('with the heap size of the manifests, sites with very many paths are refused and all others served', async (t) => {
  const upstream = createServer((request, response) => {
    const {pathname, searchParams} = new URL(request.url ?? '', 'http://localhost')
    const publicId: unknown = JSON.parse(searchParams.get('$publicId') ?? '""')
    const result = {site: siteOf(String(publicId))}
    response.writeHead(pathname.includes('/live/') ? 503 : 200, {'content-type': 'application/json'})
    response.end(JSON.stringify({result, syncTags: [], ms: 1}))
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const address = upstream.address()
  const folder = await mkdtemp(join(tmpdir(), 'handrail-memory-'))
  const service = await startServiceProcess({
    NODE_OPTIONS: '--max-old-space-size=512',
    SANITY_API_HOST: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    SNAPSHOT_DIR: folder,
  })
  t.after(async () => {
    await service.end('SIGKILL')
    upstream.closeAllConnections()
    upstream.close()
    await rm(folder, {recursive: true, force: true})
  })
  const config = (publicId: string) =>
    fetch(`${service.address}/api/sites/${publicId}/config?path=/12/acegik/x`)

  for (const publicId of ['largest-site', 'large-site-1', 'large-site-2', 'large-site-3', 'large-site-4'])
    assert.equal((await errorOf(config(publicId))).code, 'INTERNAL_ERROR', publicId)
  assert.equal((await config('braces-site')).status, 200)
  assert.equal((await configOf(config('small-site'))).tools.length, 5)
  const {sites, reasons} = recordOf(await (await fetch(`${service.address}/readyz`)).json())
  assert.equal(recordOf(sites).failing, 5)
  assert.ok(!String(reasons).includes('unreachable'), String(reasons))
})
