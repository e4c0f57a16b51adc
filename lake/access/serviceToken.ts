import type {FastifyBaseLogger} from 'fastify'
import {newToken, readServiceToken, writeServiceToken} from '../../common/serviceToken.ts'

/**
 * The token that the lake accepts from a service on the same machine: what the file holds, or a new one that is written
 * there.
 * @param path undefined for a token that is in no file
 * @throws Error with one line where the file is there and cannot be used, such as when other users may read it
 */
export async function openServiceToken(path: string | undefined, log: FastifyBaseLogger): Promise<string> {
  const found = path === undefined ? undefined : await readServiceToken(path)
  if (found !== undefined) return found
  const token = newToken()
  if (path === undefined) return token
  await writeServiceToken(path, token).catch((err: unknown) =>
    log.warn(
      {err, path},
      'SERVICE_TOKEN_FILE cannot be written: a service needs SANITY_API_TOKEN, here and there',
    ),
  )
  return token
}
