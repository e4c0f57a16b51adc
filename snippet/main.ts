import {all, contextOf, first, read, setAttribute} from './page.ts'
import {PREVIEW_KEY, PREVIEW_LINK} from './previewLink.ts'
import {LEFT_KEY} from './report/limits.ts'
import {startSite} from './site.ts'
import {namesSite, optionOf, pathFor} from './tag.ts'

/** A third-party WebMCP origin trial token for the origin that serves this script. The build inserts it. */
declare const ORIGIN_TRIAL_TOKEN: string | undefined

if (ORIGIN_TRIAL_TOKEN) {
  // A third-party token is valid only if a script from its origin injects it.
  const meta = Document.prototype.createElement.call(document, 'meta')
  setAttribute.call(meta, 'http-equiv', 'origin-trial')
  setAttribute.call(meta, 'content', ORIGIN_TRIAL_TOKEN)
  first('head')?.append(meta)
}

const modelContext = contextOf()

async function start(tag: HTMLScriptElement): Promise<void> {
  // Not `new URL`: pages have variables of that name.
  const base = tag.src.replace(/[^/]*([?#].*)?$/, '')
  const site = [
    base,
    optionOf(tag, 'site') ?? '',
    optionOf(tag, 'debug') != null,
    () => pathFor(tag),
    tag.nonce,
  ] as const
  let preview = optionOf(tag, 'panel')
  // The storage may be forbidden. Then the panel has the link until the page is left.
  try {
    const [url, link] = location.href.split(PREVIEW_LINK)
    if (link) {
      history.replaceState(history.state, '', url)
      // Only the storage of a tab has a token, which follows a colon: a link with one would work in any number of tabs.
      preview = link.replace(/:.*/, '')
      sessionStorage[PREVIEW_KEY] = preview
    }
    preview = sessionStorage[PREVIEW_KEY] ?? preview
    // Also on a page without tools: it says what the form led to.
    if (sessionStorage[LEFT_KEY]) import(`${base}snippet.report.js`).catch(() => {})
  } catch {}
  if (preview != null)
    try {
      const panel = await import(`${base}preview.js`)
      return panel.open(preview, ...site)
    } catch {
      console.warn(`[handrail] does script-src allow ${base}?`)
    }
  if (modelContext) startSite(modelContext, ...site)
}

const current: HTMLScriptElement | null = read(Document, 'currentScript', document)
// Of a script that another one runs, such as Rocket Loader, only the tag is known.
const tags = namesSite(current)
  ? [current]
  : all<HTMLScriptElement>('script[src*="/snippet."]').filter(namesSite)
for (const tag of tags) void start(tag)
if (modelContext && !tags[0])
  console.warn(`[handrail] ${current?.src || 'the page'} names no site: snippet.js?site=PUBLIC_ID`)
