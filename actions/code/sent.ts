import {fixedText} from '../../schemas/actions/parts/template.ts'
import type {RequestAction, SentRow} from '../../schemas/actions/request.ts'
import type {RowValue} from '../../schemas/actions/row.ts'
import type {ObjectSchema} from '../../schemas/rules/inputSchema.ts'
import {formatMemberPath} from '../../schemas/rules/names/memberPath.ts'
import {queryCode} from './address.ts'
import {argumentCode, jsonCode, objectCode, textCode} from './text.ts'

/** A text that is put together of rows: what they send is inside it. */
type TextValue = {readonly text: 'json' | 'query'; readonly rows: readonly SentRow[]}
type SentValue = RowValue | TextValue
type Gathered = Pick<SentRow, 'path' | 'name'> & {readonly value: SentValue}

/** Rows, with those inside one text as one row in the place of the first. */
export function gathered(rows: readonly SentRow[]): Gathered[] {
  const texts = new Map<string, SentRow[]>()
  return rows.flatMap((row): Gathered[] => {
    const {name, path, inside, value} = row
    if (inside === undefined) return [{name, path, value}]
    const place = formatMemberPath(path)
    const inner = {path: inside.path, name: inside.member, value}
    const known = texts.get(place)
    if (known !== undefined) {
      known.push(inner)
      return []
    }
    const rows = [inner]
    texts.set(place, rows)
    return [{name, path, value: {text: inside.text, rows}}]
  })
}

const QUERY_OF = `// A text like the query of an address. What the agent leaves out is not in it.
const queryOf = (pairs) => String(new URLSearchParams(
  pairs.flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
))`

const FIELD_OF = `// What stands on the page now. It goes to the page's own website only, and is not kept.
const fieldOf = (selector, attribute) => {
  const element = document.querySelector(selector)
  const value = attribute ? element?.getAttribute(attribute) : element?.value
  if (!value) throw new Error(\`The page has no “\${selector}”. Open another page of the website and try again.\`)
  return value
}`

const COOKIE_OF = `// A cookie of the page now. It goes to the page's own website only, and is not kept.
const cookieOf = (cookie) => {
  const value = document.cookie.split('; ').find((one) => one.startsWith(\`\${cookie}=\`))?.slice(cookie.length + 1)
  if (!value) throw new Error(\`The page has no cookie “\${cookie}”. The visitor may have to sign in first.\`)
  try { return decodeURIComponent(value) } catch { return value }
}`

/** What the panel has in its bundle of what scripts send. */
export const SENT_FUNCTIONS = [QUERY_OF, FIELD_OF, COOKIE_OF]

/** The functions that the values of a request need. */
export function helpersCode(request: RequestAction): string[] {
  const rows = rowsOf(request)
  const places = rows.flatMap(({value}) => ('page' in value ? [value.page] : []))
  return [
    ...(rows.some(({inside}) => inside?.text === 'query') ? [QUERY_OF] : []),
    ...(places.some((place) => 'selector' in place) ? [FIELD_OF] : []),
    ...(places.some((place) => 'cookie' in place) ? [COOKIE_OF] : []),
  ]
}

/** Whether a request sends what stands on the page. */
export function sendsPage(request: Parameters<typeof rowsOf>[0]): boolean {
  return rowsOf(request).some(({value}) => 'page' in value)
}

function rowsOf({headers, query, body}: Pick<RequestAction, 'headers' | 'query' | 'body'>): SentRow[] {
  return [...headers, ...query, ...body]
}

/** Statements that add to a query or a form what differs from call to call, or all. */
export function appendedCode(
  target: string,
  rows: readonly Gathered[],
  schema: ObjectSchema,
  isAll = false,
): string[] {
  return rows
    .filter(({value}) => isAll || !('fixed' in value))
    .map(({name, value}) =>
      'parameter' in value
        ? queryCode(target, {name, value: [value]}, schema)
        : `${target}.append(${textCode(name)}, ${textValueCode(value)})`,
    )
}

/** Statements that declare `body`, the values of a form. */
export function formCode({body, encoding}: RequestAction, schema: ObjectSchema): string[] {
  if (encoding === 'json' || body.length === 0) return []
  const rows = gathered(body)
  if (encoding === 'multipart')
    return ['const body = new FormData()', ...appendedCode('body', rows, schema, true)]
  const fixed = rows.flatMap(({name, value}) =>
    'fixed' in value ? [[name, textCode(fixedText(value))] as const] : [],
  )
  const start = `const body = new URLSearchParams(${fixed.length === 0 ? '' : objectCode(fixed)})`
  return [start, ...appendedCode('body', rows, schema)]
}

/** The headers that a tool sets. The page's own are never among them. */
export function headersOf({
  body,
  encoding,
  result,
}: Pick<RequestAction, 'body' | 'encoding'> & {readonly result: {readonly kind: string}}): Readonly<
  Record<string, string>
> {
  return {
    ...(/^(?:list|object)$/.test(result.kind) && {Accept: 'application/json'}),
    ...(encoding === 'json' && body.length > 0 && {'Content-Type': 'application/json'}),
  }
}

/** A tree of what is sent: a list by positions, an object by names, or a value. */
export type BodyNode = SentValue | Map<string | number, BodyNode>

export function bodyTree(rows: readonly Pick<Gathered, 'path' | 'value'>[]): BodyNode {
  const root = new Map<string | number, BodyNode>()
  for (const {path, value} of rows) {
    if (path.length === 0) return value
    let node = root
    for (const [at, step] of path.entries()) {
      if (typeof step === 'symbol') continue
      if (at === path.length - 1) node.set(step, value)
      else {
        const next = node.get(step)
        const inner = next instanceof Map ? next : new Map<string | number, BodyNode>()
        node.set(step, inner)
        node = inner
      }
    }
  }
  return root
}

/** The expression of what is sent. */
export function codeOf(node: BodyNode, indent: string): string {
  if (!(node instanceof Map)) return valueCode(node)
  const members = [...node].map(([step, inner]) => [step, codeOf(inner, `${indent}  `)] as const)
  const isList = members.some(([step]) => typeof step === 'number')
  if (isList) {
    const entries = members.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, code]) => code)
    return `[${entries.join(', ')}]`
  }
  const named = members.map(([step, code]) => [String(step), code] as const)
  return objectCode(named, indent)
}

/** The expression of a value where all values are texts. */
export function textValueCode(value: SentValue): string {
  return 'fixed' in value ? textCode(fixedText(value)) : valueCode(value)
}

/** The expression of a value. */
function valueCode(value: SentValue): string {
  if ('fixed' in value) return jsonCode(value.fixed)
  if ('parameter' in value) return argumentCode(value.parameter)
  if ('page' in value) {
    const {page} = value
    if ('cookie' in page) return `cookieOf(${textCode(page.cookie)})`
    const attribute = page.attribute === undefined ? '' : `, ${textCode(page.attribute)}`
    return `fieldOf(${textCode(page.selector)}${attribute})`
  }
  if (value.text === 'json') return `JSON.stringify(${codeOf(bodyTree(value.rows), '  ')})`
  const pairs = value.rows.map((row) => `[${textCode(row.name)}, ${textValueCode(row.value)}]`)
  return `queryOf([${pairs.join(', ')}])`
}
