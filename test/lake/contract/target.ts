import assert from 'node:assert/strict'
import {randomUUID} from 'node:crypto'
import {type TestContext, test} from 'node:test'
import {
  type ClientConfig,
  ClientError,
  createClient,
  type SanityClient,
  type SanityDocument,
} from '@sanity/client'
import {token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'

const {SANITY_TEST_PROJECT_ID: projectId, SANITY_TEST_TOKEN: hostedToken} = process.env
const dataset = process.env.SANITY_TEST_DATASET ?? 'test'

/** The type of every document that the contract tests make. */
export const TYPE = 'contractTest'

/** A Content Lake with Sanity's API: this project's, or hosted Sanity's. */
export type Target = {
  /** A client with the token of an editor. Its perspective is `raw`. */
  readonly client: SanityClient
  readonly isHosted: boolean
  readonly projectId: string
  readonly dataset: string
  /** The type and a new id. */
  named(): {_id: string; _type: string}
  /** A new document, stored. */
  stored(content?: Record<string, unknown>): Promise<SanityDocument>
  /** A new draft without a published document. */
  draft(content?: Record<string, unknown>): Promise<{draftId: string; publishedId: string}>
  /** A client with the token and other options. */
  clientWith(config: ClientConfig): SanityClient
}

type Case = [name: string, run: (target: Target, t: TestContext) => Promise<void>]

/**
 * Runs cases against a lake, or, without any change, against hosted Sanity, if `SANITY_TEST_PROJECT_ID` and
 * `SANITY_TEST_TOKEN` are set. `SANITY_TEST_DATASET` names a dataset there; the default is `test`.
 */
export function contract(title: string, cases: readonly Case[]): void {
  test(title, async (t) => {
    const target = await open(t)
    for (const [name, run] of cases) await t.test(name, (inner) => run(target, inner))
  })
}

async function open(t: TestContext): Promise<Target> {
  const isHosted = projectId !== undefined && hostedToken !== undefined
  const hosted = {projectId: projectId ?? '', dataset, apiVersion: '2025-02-19', useCdn: false}
  const strangerWith = isHosted
    ? (config: ClientConfig) => createClient({...hosted, ...config})
    : (await runLake(t)).clientWith
  const clientWith = (config: ClientConfig) =>
    strangerWith({token: isHosted ? hostedToken : token, perspective: 'raw', ...config})
  const client = clientWith({})
  if (isHosted) t.after(() => client.delete({query: '*[_type == $type]', params: {type: TYPE}}))
  const run = randomUUID().slice(0, 8)
  let count = 0
  const named = () => {
    count += 1
    return {_id: `contract-${run}-${count}`, _type: TYPE}
  }
  const stored = (content = {}) => client.create({...named(), ...content})
  const draft = async (content = {}) => {
    const {_id: publishedId, _type} = named()
    const draftId = `drafts.${publishedId}`
    await client.create({_id: draftId, _type, ...content})
    return {draftId, publishedId}
  }
  const {projectId: project = '', dataset: set = ''} = client.config()
  return {
    client,
    isHosted,
    projectId: project,
    dataset: set,
    named,
    stored,
    draft,
    clientWith,
  }
}

/** A document without the attributes that the Content Lake sets. */
export function contentOf(document: Record<string, unknown> | null | undefined): Record<string, unknown> {
  const {_id, _type, _rev, _createdAt, _updatedAt, ...content} = document ?? {}
  return content
}

/** Requires that a request fails with a status, and with a type of error if the API gives one. */
export async function assertRefused(work: Promise<unknown>, status: number, type?: string): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof ClientError, String(error))
    assert.equal(error.statusCode, status, error.message)
    if (type === undefined) return true
    const body = Object(error.response.body)
    const [item] = body.error.items ?? []
    assert.equal(item?.error.type ?? body.error.type, type)
    return true
  })
}
