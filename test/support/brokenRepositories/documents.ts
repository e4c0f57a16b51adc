type Fields = {readonly [field: string]: unknown}

/** A document as the lake writes it. */
export function text(document: Fields): string {
  return `${JSON.stringify(sorted(document), null, 2)}\n`
}

function sorted(document: Fields): Fields {
  return Object.fromEntries(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A site. */
export const SITE = {_id: 'cafe', _type: 'site', name: 'Tide Café', publicId: 'tide-cafe'}
export const REFERENCE = {_ref: 'cafe', _type: 'reference'}

/** A tool without its script and its schema. */
export const TOOL = {
  _id: 'menu',
  _type: 'tool',
  site: REFERENCE,
  enabled: true,
  name: 'showMenu',
  description: 'Returns the dishes of the day with their prices in euros.',
  pathPattern: '/menu',
}
/** Its script and its schema, as files. */
export const SCRIPT = "const response = await fetch('/api/menu', {signal})\nreturn response.json()\n"
export const SCHEMA = '{\n  "type": "object",\n  "properties": {}\n}\n'
/** The same in one file. */
export const TEXTS = {executeJs: SCRIPT.trimEnd(), inputSchema: SCHEMA.trimEnd()}

export const FORM = {
  _id: 'table',
  _type: 'formTool',
  site: REFERENCE,
  enabled: true,
  name: 'reserveTable',
  description: 'Fills in the form that reserves a table for the evening.',
  pagePath: '/reserve',
  selector: 'form#reserve',
}

/** A repository without mistakes. */
export const GOOD_FILES: Readonly<Record<string, string>> = {
  'site/cafe.json': text(SITE),
  'tool/menu.json': text(TOOL),
  'tool/menu.js': SCRIPT,
  'tool/menu.schema.json': SCHEMA,
  'formTool/table.json': text(FORM),
}
