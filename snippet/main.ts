import {PREVIEW_KEY} from './previewLink.ts'
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

const {modelContext} = document
if (tag instanceof HTMLScriptElement && tag.src && tag.dataset.site) {
  const site = [new URL('.', tag.src).href, tag.dataset.site, 'debug' in tag.dataset] as const
  const start = () => modelContext && startSite(modelContext, ...site)
  let preview = tag.dataset.panel
  // The storage may be forbidden. Then the panel has the link until the page is left.
  try {
    const [url, secret] = location.href.split(`#${PREVIEW_KEY}=`)
    if (secret) {
      history.replaceState(history.state, '', url)
      preview = secret
      sessionStorage[PREVIEW_KEY] = secret
    }
    preview = sessionStorage[PREVIEW_KEY] ?? preview
  } catch {}
  if (preview == null) start()
  else import(`${site[0]}preview.js`).then((panel) => panel.open(preview, ...site)).catch(start)
} else if (modelContext) console.warn('[handrail] the tag needs data-site, and no type=module')
