import type {CDPSession, Page} from 'playwright-core'
import {eventually} from '../../support/eventually.ts'

/** Arguments of a call, as typed by the protocol. */
type Input = {[name: string]: string}

/** The outcome of a call. */
type Outcome = {status: string; output?: unknown; error?: unknown}

/**
 * An agent in a tab: sees tools being added and removed, and calls them, through the browser's own protocol.
 */
export type Agent = {
  /** Names of the current tools, sorted. */
  names(): Promise<string[]>
  /** Waits until these are the tools. */
  sees(...names: string[]): Promise<void>
  /** Names in the order in which tools were registered and unregistered, as `+name` and `-name`. */
  events: string[]
  call(name: string, input?: Input): Promise<Outcome>
  /** Starts a call that may wait for a person. */
  begin(name: string, input?: Input): Promise<() => Promise<Outcome>>
}

export async function agentOf(page: Page): Promise<Agent> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const events: string[] = []
  const outcomes = new Map<string, Outcome>()
  session.on('WebMCP.toolsAdded', ({tools}) => events.push(...tools.map(({name}) => `+${name}`)))
  session.on('WebMCP.toolsRemoved', ({tools}) => events.push(...tools.map(({name}) => `-${name}`)))
  session.on('WebMCP.toolResponded', ({invocationId, status, output, errorText, exception}) => {
    const error = exception?.description ?? exception?.value ?? errorText
    outcomes.set(invocationId, {
      status,
      ...(output !== undefined && {output}),
      ...(error !== undefined && {error}),
    })
  })
  await session.send('WebMCP.enable')
  const {frameTree} = await session.send('Page.getFrameTree')

  async function begin(toolName: string, input: Input = {}): Promise<() => Promise<Outcome>> {
    const call = {frameId: frameTree.frame.id, toolName, input}
    const {invocationId} = await session.send('WebMCP.invokeTool', call)
    return () => outcomeOf(invocationId)
  }

  async function outcomeOf(invocationId: string): Promise<Outcome> {
    const outcome = await eventually(
      async () => outcomes.get(invocationId),
      (outcome) => outcome !== undefined,
    )
    return outcome ?? {status: 'unknown'}
  }

  const names = async () => (await page.webmcp.tools()).map(({name}) => name).sort()
  return {
    names,
    async sees(...expected) {
      expected.sort()
      await eventually(names, (found) => JSON.stringify(found) === JSON.stringify(expected))
    },
    events,
    async call(name, input) {
      const outcome = await begin(name, input)
      return outcome()
    },
    begin,
  }
}
