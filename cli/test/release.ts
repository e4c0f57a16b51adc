import type {Snapshot} from '../../advice/changes/compare.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {inRelease, parseDocuments, withDrafts} from '../../schemas/documents.ts'
import {isRecord} from '../../schemas/record.ts'
import {CommandError} from '../command.ts'
import {send} from '../request.ts'

/** Milliseconds that the lake has to respond. */
const TIMEOUT = 10_000

/**
 * The documents as they will be when a release is published.
 * @param lake its address; LAKE_API_TOKEN has a token that may read
 * @param name the release's name in Studio's address, such as `rAbC12dEf`
 * @throws CommandError if the lake does not have it, or cannot be reached
 */
export async function withRelease(
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
