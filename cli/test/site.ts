import type {Snapshot} from '../../advice/changes/compare.ts'
import {checkSite} from '../../advice/diagnosis/site.ts'
import {describeSite} from '../../advice/diagnosis/words.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {jsonPath} from '../../content/layout/layout.ts'
import {inRelease, parseDocuments, withDrafts} from '../../schemas/documents.ts'
import {isRecord} from '../../schemas/record.ts'
import {askBeforeOf} from '../../schemas/rules/hints/askBefore.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {type OfflineSite, serveOffline} from '../../service/offline.ts'
import {Places} from '../check/places.ts'
import {CommandError} from '../command.ts'
import {readSnapshot} from '../diff/snapshot.ts'
import {documentsIn} from '../documents.ts'
import {send} from '../request.ts'
import {chooseSite} from '../site.ts'
import {readRevision} from '../source/gitFiles.ts'
import type {Source} from '../source/source.ts'
import {readWorkTree} from '../source/workTree.ts'
import {changedSince, type PlanOptions, planTests, type TestPlan} from './plan.ts'
import type {ContentOptions} from './types.ts'

/** A site, as pages of a test get it. */
export type TestedSite = {
  readonly id: string
  readonly publicId: string
  readonly documents: Snapshot
  readonly source: Source
  /** What pages get instead of what is published. */
  readonly offline: OfflineSite
  /** Whether pages keep what is published. */
  readonly isPublished: boolean
}

/**
 * Reads a site of a content repository, and compiles it.
 * @param origin of the website, which says which of several sites is meant
 * @throws CommandError, or GitError for an unknown revision
 */
export async function readSite(
  {directory = '.', site: chosen, ref, release, lake, against}: ContentOptions,
  origin: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<TestedSite> {
  if (against !== undefined && against !== 'published') throw new CommandError('--against is "published".')
  const source = ref === undefined ? await readWorkTree(directory) : await readRevision(directory, ref, {})
  const committed = readSnapshot(source)
  const documents =
    release === undefined ? committed : await withRelease(committed, lake, release, environment)
  const {_id: id, publicId: named} = chooseSite(documents, chosen, origin)
  const publicId = textOf(named)
  const [reason] = checkSite(id, [...documents.values()]).reasons
  if (reason !== undefined) throw new CommandError(describeSite(reason))
  const offline = await serveOffline(publicId, [...documents.values()])
  if (offline === undefined)
    throw new CommandError(`The site "${publicId}" is not served: run "content check".`)
  return {id, publicId, documents, source, offline, isPublished: against === 'published'}
}

/** Which tests of a site run. */
export type Selection = Pick<PlanOptions, 'readsOnly' | 'derived'> & {
  /** A commit: only tools that differ from it. */
  readonly changed?: string | undefined
}

/** Plans the tests of a site. @throws GitError for an unknown revision */
export async function planOf(
  {id, documents, source, offline}: Omit<TestedSite, 'publicId' | 'isPublished'>,
  directory: string,
  {changed: revision, ...selection}: Selection,
): Promise<TestPlan> {
  const base = revision === undefined ? undefined : readSnapshot(await readRevision(directory, revision, {}))
  const changed = base && changedSince(base, documents, id)
  return planTests({
    site: checkSite(id, [...documents.values()]),
    documents,
    askBefore: askBeforeOf(documents.get(id)?.askBefore),
    configOn: offline.configOn,
    placeOf: placesIn(source, documents),
    isWanted: (document) => changed === undefined || changed.has(document),
    ...selection,
  })
}

function placesIn(source: Source, documents: Snapshot): PlanOptions['placeOf'] {
  const files = new Map(documentsIn(source).map((one) => [jsonPath(one.key), one]))
  return (id, index) => {
    const key = {type: documents.get(id)?._type ?? '', id}
    const found = files.get(jsonPath(key))
    if (found === undefined) return {path: jsonPath(key)}
    const {path, line} = new Places(key, found.files).inJson(index === undefined ? 'name' : `tests.${index}`)
    return {path, ...(line !== undefined && {line})}
  }
}

/** Milliseconds that the lake has to respond. */
const TIMEOUT = 10_000

/**
 * The documents as they will be when a release is published.
 * @param lake its address; LAKE_API_TOKEN has a token that may read
 * @param name the release's name in Studio's address, such as `rAbC12dEf`
 * @throws CommandError if the lake does not have it, or cannot be reached
 */
async function withRelease(
  documents: Snapshot,
  lake: string | undefined,
  name: string,
  {LAKE_API_TOKEN: token = '', SANITY_DATASET: dataset = 'production'}: NodeJS.ProcessEnv,
): Promise<Snapshot> {
  if (!/^\w{1,60}$/.test(name)) throw new CommandError('--release has the name in Studio’s address.')
  if (lake === undefined || !/^https?:$/.test(URL.parse(lake)?.protocol ?? ''))
    throw new CommandError(
      '--release needs the address of the lake, such as --lake https://lake.example.com.',
    )
  if (token === '')
    throw new CommandError('Set LAKE_API_TOKEN: "npm run lake -- token add --role viewer" makes a token.')
  const url = new URL(`/v2025-02-19/data/query/${dataset}`, lake)
  const query = `*[_id in path("versions.${name}.**")]`
  url.search = `${new URLSearchParams({query, perspective: 'raw'})}`
  const response = await send(url, token, {signal: AbortSignal.timeout(TIMEOUT)}).catch((error: unknown) => {
    throw new CommandError(`The lake at ${url.origin} did not send the release: ${errorMessage(error)}`)
  })
  const body: unknown = await response.json()
  const versions = parseDocuments(isRecord(body) ? body.result : undefined)
  if (versions.length === 0) throw new CommandError(`The lake has no release ${name} with documents.`)
  const released = withDrafts(inRelease([...documents.values(), ...versions], name))
  return new Map(released.map((document) => [document._id, document]))
}
