import type {FastifyBaseLogger} from 'fastify'
import {newSecret} from '../../common/secret.ts'
import {readServiceToken, writeServiceToken} from '../../common/serviceToken.ts'

/**
 * Opens the token that the lake accepts from a service on the same machine. Creates the file with a new token
 * if it is missing.
 * @param path undefined for a token that is not stored in a file
 * @throws Error with one line if the file exists but cannot be used, for example because other users may read
 * it
 */
export async function openServiceToken(path: string | undefined, log: FastifyBaseLogger): Promise<string> {
  const found = path === undefined ? undefined : await readServiceToken(path)
  if (found !== undefined) return found
  const token = newSecret()
  if (path === undefined) return token
  await writeServiceToken(path, token).catch((err: unknown) =>
    log.warn(
      {err, path},
      'the token of the service cannot be written: set SANITY_API_TOKEN to the same token for the lake and the service',
    ),
  )
  return token
}
