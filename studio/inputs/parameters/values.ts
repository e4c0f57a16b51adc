import type {Kind} from '../../../schemas/rules/jsonSchema/parameterKind.ts'

/** A value as text that `readValue` reads as the same value. */
export function showValue(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return formatTexts(value.map(showValue))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reads a value of a kind; undefined if the text is none. */
export function readValue(kind: Kind, text: string): unknown {
  switch (kind) {
    case 'number':
    case 'integer':
      return readNumber(text)
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase())
    case 'texts':
      return readTexts(text)
    default:
      return text
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])

/** Reads several values of a kind, separated by commas; undefined if one of them is none. */
export function readValues(kind: Kind, text: string): unknown[] | undefined {
  const values = readTexts(text).map((part) => readValue(kind, part))
  return values.includes(undefined) ? undefined : values
}

export function readNumber(text: string): number | undefined {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined
}

/** Quotation marks around a part keep its commas, and two in a row are one, as in CSV (RFC 4180). */
const PART = /(?:^|,)\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g

/** Parses a comma-separated list. */
export function readTexts(text: string): string[] {
  return [...text.matchAll(PART)].flatMap(([, quoted, plain = '']) => {
    if (quoted !== undefined) return [quoted.replaceAll('""', '"')]
    return plain.trim() === '' ? [] : [plain.trim()]
  })
}

/** Formats a list as {@link readTexts} reads it. */
export function formatTexts(texts: readonly string[]): string {
  return texts
    .map((text) => (/[",]/.test(text) || text.trim() !== text || text === '' ? quote(text) : text))
    .join(', ')
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
