import {startSite} from './site.ts'

/** A third-party WebMCP origin trial token for the origin that serves this script. The build inserts it. */
declare const ORIGIN_TRIAL_TOKEN: string | undefined

const tag = document.currentScript

if (ORIGIN_TRIAL_TOKEN) {
  // A third-party token is valid only if a script from its origin injects it.
  const meta = document.createElement('meta')
  meta.httpEquiv = 'origin-trial'
  meta.content = ORIGIN_TRIAL_TOKEN
  document.head.append(meta)
}

if (document.modelContext) {
  if (tag instanceof HTMLScriptElement && tag.src && tag.dataset.site) {
    startSite(document.modelContext, new URL('.', tag.src).href, tag.dataset.site, 'debug' in tag.dataset)
  } else console.warn('[handrail] the tag needs data-site, and no type=module')
}
