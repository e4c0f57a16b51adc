import {promisify} from 'node:util'
import {brotliCompress, constants, gzip} from 'node:zlib'
import negotiate from '@fastify/accept-negotiator'

/** A text in one content coding (RFC 9110 §8.4.1). */
export type Representation = {
  coding: 'br' | 'gzip' | 'identity'
  /** Strong, and so another one for each coding (§8.8.3.3). */
  entityTag: string
  body: Buffer
}

/**
 * Compresses a text as well as it can be, once.
 * @param digest names the text.
 * @returns chooses what to send to a client with this `Accept-Encoding`; as it is where the client takes nothing else.
 */
export async function representationsOf(
  text: string,
  digest: string,
): Promise<(accepted: string | undefined) => Representation> {
  const plain = Buffer.from(text)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength,
      },
    }),
    promisify(gzip)(plain, {level: constants.Z_BEST_COMPRESSION}),
  ])
  const identity: Representation = {coding: 'identity', entityTag: `"${digest}"`, body: plain}
  // Where a client likes several equally, the first one is sent.
  const all: Representation[] = [
    {coding: 'br', entityTag: `"${digest}-br"`, body: br},
    {coding: 'gzip', entityTag: `"${digest}-gzip"`, body: gz},
    identity,
  ]
  const codings = all.map(({coding}) => coding)
  return (accepted) => {
    // Names of codings are case-insensitive (§8.4.1).
    const chosen = negotiate(accepted?.toLowerCase() ?? '', codings)
    return all.find(({coding}) => coding === chosen) ?? identity
  }
}
