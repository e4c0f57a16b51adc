import {spawn} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {isRecord} from '../../../schemas/rules/json.ts'
import {chromiumOptions, WEB_MCP} from '../../support/browser.ts'

/** A tool as an MCP server lists it. */
type McpTool = {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: unknown
  readonly annotations?: {readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean}
}

/** What a call returned: its text, or that it failed. */
type McpOutcome = {readonly isError: boolean; readonly text: string}

/** The server `@playwright/mcp` as a child process, with a browser of its own, as an MCP client sees it. */
export type PlaywrightMcp = {
  /** The tools of the current page, without those of the server itself. */
  pageTools(): Promise<McpTool[]>
  call(name: string, args?: object): Promise<McpOutcome>
  close(): Promise<void>
}

export async function startPlaywrightMcp(): Promise<PlaywrightMcp> {
  const folder = await mkdtemp(join(tmpdir(), 'playwright-mcp-'))
  const config = join(folder, 'config.json')
  const launchOptions = chromiumOptions({args: [WEB_MCP]})
  // After a call, the server waits for what it may have triggered on the page.
  const settings = {browser: {isolated: true, launchOptions}, outputDir: folder, timeouts: {settle: 50}}
  await writeFile(config, JSON.stringify(settings))
  const server = fileURLToPath(import.meta.resolve('@playwright/mcp/package.json')).replace(
    /[^/\\]+$/,
    'cli.js',
  )
  const child = spawn(process.execPath, [server, '--config', config, '--headless'], {
    cwd: folder,
    env: {...process.env, TMPDIR: folder},
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const pending = new Map<unknown, (message: Record<string, unknown>) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const message: unknown = JSON.parse(line)
    if (isRecord(message)) pending.get(message.id)?.(message)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))

  const send = (message: object) => child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`)
  let requests = 0
  async function request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = requests++
    const response = new Promise<Record<string, unknown>>((resolve) => pending.set(id, resolve))
    send({id, method, params})
    const answer = await Promise.race([response, ended])
    pending.delete(id)
    if (!isRecord(answer?.result))
      throw new Error(`${method}: ${JSON.stringify(answer?.error ?? 'it ended')}`)
    return answer.result
  }

  const clientInfo = {name: 'handrail', version: '1'}
  await request('initialize', {protocolVersion: '2025-06-18', capabilities: {}, clientInfo})
  send({method: 'notifications/initialized'})
  return {
    async pageTools() {
      const {tools} = await request('tools/list')
      if (!Array.isArray(tools)) throw new Error('no list of tools')
      return tools.filter(({name}) => name.startsWith('webmcp_'))
    },
    async call(name, args = {}) {
      const {content, isError} = await request('tools/call', {name, arguments: args})
      const texts = Array.isArray(content) ? content.map(({text}) => String(text)) : []
      return {isError: isError === true, text: texts.join('\n')}
    },
    async close() {
      child.stdin.end()
      await ended
      await rm(folder, {recursive: true, force: true})
    },
  }
}
