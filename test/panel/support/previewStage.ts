import {createHash} from 'node:crypto'
import {createServer} from 'node:http'
import {parseTests, type ToolTest} from '../../../schemas/fields/tests.ts'
import {type Stage, startStage} from '../../snippet/support/stage.ts'
import type {ContentDocument} from '../../support/content.ts'
import {listen} from '../../support/network/ports.ts'

/** What the service says of a tool in a preview. */
export type DraftTool = {
  id: string
  type: 'tool' | 'formTool'
  name: string
  state: 'published' | 'changed' | 'new'
  author?: string
  /** Default: true. */
  mayBePublished?: boolean
  isOffered: boolean
  title: string
  reasons: string[]
  advice: {severity: string; message: string; line?: number}[]
  tests?: ToolTest[]
}

/** A stage whose service has drafts of the site `shop-public`, as the test sets them. */
export type PreviewStage = Stage & {
  /** Members of the config with the drafts, and what is said about the tools. */
  drafts: {
    tools: object[]
    formTools: object[]
    conditional?: {tools: object[]; formTools: object[]}
    about: DraftTool[]
    reasons: string[]
    asksForReview?: boolean
  }
  /** In place of drafts: an error. */
  refusal: {status: number; code: string; message: string} | undefined
}

/** What Studio knows the preview by. */
export const PREVIEW_ID = 'preview-id'

export const LINK = '#handrail-preview=shop-public.SECRET'

export async function startPreviewStage(
  documents: ContentDocument[],
  options: Parameters<typeof startStage>[1] = {},
): Promise<PreviewStage> {
  const stage = await startStage(documents, options)
  const server = createServer(({method, url = '', headers}, response) => {
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value)
    const send = (status: number, body?: object) => response.writeHead(status).end(JSON.stringify(body))
    const {refusal, drafts} = preview
    if (method === 'OPTIONS') return send(204)
    if (refusal) return send(refusal.status, {error: refusal})
    const expiresAt = new Date(Date.now() + 45 * 60_000).toISOString()
    if (url.endsWith('/preview')) return send(200, {token: 'TOKEN', expiresAt})
    const {about, reasons, asksForReview = false, ...config} = drafts
    const body = {
      studioUrl: 'https://studio.example/base',
      preview: PREVIEW_ID,
      site: {id: 'shop', name: 'Harbour Supply', asksForReview, reasons},
      config: {...config, pollInterval: 300},
      modules: {},
      tools: about.map((tool) => {
        const tests = parseTests(tool.tests)
        return {mayBePublished: true, ...tool, tests: tests.ok ? tests.value : []}
      }),
    }
    const tag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`
    response.setHeader('etag', tag)
    return headers['preview-tag'] === tag ? send(304) : send(200, {...body, expiresAt})
  })
  const port = await listen(server)
  const target = `http://127.0.0.1:${port}`
  const {close} = stage
  const preview: PreviewStage = Object.assign(stage, {
    drafts: {tools: [], formTools: [], about: [], reasons: []},
    refusal: undefined,
    close: async () => {
      await close()
      server.closeAllConnections()
      server.close()
    },
  })
  stage.network.fault = (url) => (/\/preview(\?|$)/.test(url) ? {kind: 'elsewhere', target} : {kind: 'none'})
  return preview
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, preview-tag',
  'access-control-expose-headers': 'etag',
}
