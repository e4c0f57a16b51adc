/** Markup that is safe to send. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Values in a template. `undefined` and `false` render nothing. */
export type Part = Html | string | number | undefined | false | readonly Part[]

/**
 * An HTML template. Strings in it are escaped, other templates are not. Attribute values must be in double
 * quotes to be safe.
 */
export function html(markup: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({raw: markup}, ...parts.map(render)))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map(render).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
