import type {DraftTool} from './answer.ts'
import type {PageForm} from './forms/pageForms.ts'

/** Where Studio edits a document: Sanity's intent "edit". */
export function editUrl(studioUrl: string, {id, type}: Pick<DraftTool, 'id' | 'type'>): string {
  return intentUrl(studioUrl, 'edit', {id, type})
}

/** Where Studio makes a form tool of a form: Sanity's intent "create", with parameters for the template. */
export function formToolUrl(studioUrl: string, siteId: string, form: PageForm): string {
  const payload = {
    site: siteId,
    name: nameFor(form),
    description: descriptionFor(form),
    pagePath: location.pathname,
    selector: form.selector,
  }
  const address = intentUrl(studioUrl, 'create', {template: 'formToolOfPage', type: 'formTool'})
  return `${address}${encodeJson(payload)}`
}

function intentUrl(studioUrl: string, intent: string, params: Record<string, string>): string {
  const list = Object.entries(params).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return `${studioUrl.replace(/\/+$/, '')}/intent/${intent}/${list.join(';')}/`
}

/** Base64url of UTF-8, as Sanity's router decodes it. */
function encodeJson(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The words of the button, else of the heading: "Subscribe now" becomes `subscribeNow`. */
function nameFor({button, heading}: PageForm): string {
  const words = `${button || heading}`.normalize('NFD').match(/[A-Za-z0-9]+/g) ?? []
  const [first = 'submitForm', ...rest] = words.slice(0, 4)
  return [first.toLowerCase(), ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

function descriptionFor({heading, fields}: PageForm): string {
  const start = heading ? `Fills in the form “${heading}”` : 'Fills in a form of this page'
  return `${start}: ${fields.join(', ')}.`
}
