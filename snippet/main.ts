import {startSite} from './site.ts'

/** A third-party token of WebMCP's origin trial for the origin that serves this script, put in by the build. */
declare const ORIGIN_TRIAL_TOKEN: string | undefined

const tag = document.currentScript

if (ORIGIN_TRIAL_TOKEN) {
  // A third-party token counts where a script of its origin injects it.
  const meta = document.createElement('meta')
  meta.httpEquiv = 'origin-trial'
  meta.content = ORIGIN_TRIAL_TOKEN
  document.head.append(meta)
}

if (document.modelContext) {
  if (tag instanceof HTMLScriptElement && tag.src && tag.dataset.site) {
    startSite(document.modelContext, new URL('.', tag.src).href, tag.dataset.site, 'debug' in tag.dataset)
  } else console.warn('[handrail] the script tag has no data-site')
}
