import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import type {SitesOptions} from '../cache/sites.ts'

/** Revisions whose problems are remembered as told, so that the log says each once. */
const REMEMBERED = 10_000

/** Tells the log what an operator or an editor must know of the content: broken documents, a lake out of reach. */
export function createContentObserver(log: FastifyBaseLogger): SitesOptions['observer'] {
  const told = new LRUCache<string, true>({max: REMEMBERED})
  let lakeFails = false

  return {
    compiled(publicId, site) {
      if (lakeFails) log.info('the lake answers again')
      lakeFails = false
      for (const {documentId, revision, field, problem} of site.invalid) {
        const key = `${documentId}@${revision}`
        if (told.has(key)) continue
        told.set(key, true)
        log.warn({publicId, documentId, revision, field, problem}, 'document left out: it breaks a rule')
      }
    },

    failed(publicId, error) {
      if (!lakeFails)
        log.error({publicId, err: error}, 'the lake cannot be asked; the last good answers stand in')
      lakeFails = true
    },
  }
}
