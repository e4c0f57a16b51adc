import {fileURLToPath} from 'node:url'

/**
 * Libraries that Sanity imports for fields that our documents do not have (block text, images, slugs), for reports to its
 * own servers, which a lake does not allow, and to list icons there.
 */
const ABSENT =
  /^(?:@sentry\/react|exif-component|speakingurl|web-vitals(?:\/.*)?|react-dom\/server|@portabletext\/(?:html|plugin-(?:dnd|list-index|markdown-shortcuts|paste-link|table|typography)(?:\/ui)?))$/

/** Each of its exports is a function that returns nothing. */
const NOTHING = 'module.exports = Object.create(new Proxy({}, {get: () => () => undefined}))'

const UI = fileURLToPath(import.meta.resolve('@sanity/ui'))

type Resolver = {resolve(id: string, importer: string, options: {skipSelf: true}): Promise<unknown>}

/** Leaves out of the first load what no part of a lake's Studio runs, and a second version of the library for animations. */
export function leftOut() {
  return {
    name: 'left-out',
    enforce: 'pre' as const,
    resolveId(this: Resolver, id: string, importer: string | undefined) {
      if (ABSENT.test(id)) return '\0absent.cjs'
      return id === 'motion/react' && importer !== UI ? this.resolve(id, UI, {skipSelf: true}) : undefined
    },
    load: (id: string) => (id === '\0absent.cjs' ? NOTHING : undefined),
  }
}
