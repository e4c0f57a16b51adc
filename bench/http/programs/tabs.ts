import {setTimeout} from 'node:timers/promises'
import {PREVIEW_SECRET} from '../content/drafts.ts'
import {tellParent} from './parent.ts'

/** How often a tab asks, in milliseconds. */
const POLL_EVERY = 1_000

const ORIGIN = 'https://shop.example'

const [address = '', publicId = '', count = '0'] = process.argv.slice(2)
const url = `${address}/api/sites/${publicId}/preview`

/** Responses by status, of all tabs. */
const statuses: Record<string, number> = {}

/** Opens a preview, and polls it like the panel in a visible tab. */
async function openTab(number: number): Promise<void> {
  await setTimeout((number * POLL_EVERY) / Number(count))
  const started = await fetch(url, {
    method: 'POST',
    headers: {origin: ORIGIN, 'content-type': 'application/json'},
    body: JSON.stringify({secret: PREVIEW_SECRET}),
  })
  const {token}: {token?: string} = JSON.parse(await started.text())
  let entityTag = '"none"'
  for (let due = performance.now(); ; due += POLL_EVERY) {
    const headers = {origin: ORIGIN, authorization: `Bearer ${token}`, 'if-none-match': entityTag}
    const answer = await fetch(`${url}?path=/page-${number % 10}`, {headers})
    await answer.text()
    entityTag = answer.headers.get('etag') ?? entityTag
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    await setTimeout(Math.max(0, due + POLL_EVERY - performance.now()))
  }
}

process.on('message', () => tellParent(statuses))
for (let number = 0; number < Number(count); number++) void openTab(number)
tellParent('ready')
