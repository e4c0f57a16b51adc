import {webAddress} from '../../schemas/rules/origin.ts'
import {type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {type CopiedRequest, copiedRequest} from './copiedRequest.ts'

/** The command, as a word of its own: addresses may have “irm” in them. */
const COMMAND = String.raw`(?<![^\s;|=({&])(?:Invoke-WebRequest|Invoke-RestMethod|iwr|irm)(?=\s)`

/** Whether a text is a command of PowerShell that sends a request. */
export const POWERSHELL = new RegExp(String.raw`${COMMAND}(?=[\s\S]*(?:https?:|-Uri\b))`, 'i')
const AFTER_COMMAND = new RegExp(String.raw`${COMMAND}([\s\S]*)`, 'i')

/** A text of PowerShell: about_Quoting_Rules, about_Special_Characters. */
const TEXT = String.raw`"(?:[^"\x60]|\x60[\s\S]|"")*"|'(?:[^']|'')*'`
const OPTION = new RegExp(
  String.raw`-(Uri|Method|ContentType|Body)\s+(\(\[[^\]]*\]::UTF8\.GetBytes\()?\s*(${TEXT}|\w+)`,
  'gi',
)
const FIRST_TEXT = new RegExp(String.raw`^[^"'-]*(${TEXT}|https?:\S+)`)
const HEADER = new RegExp(String.raw`(${TEXT}|[\w-]+)\s*=\s*(${TEXT})`, 'g')

/** Reads a command such as Chrome copies it (“Copy as PowerShell”). */
export function parsePowerShell(text: string): Parsed<CopiedRequest> {
  const command = AFTER_COMMAND.exec(text)?.[1] ?? ''
  const headers = /-Headers\s+@\{([\s\S]*?)\n?\}\s*(?:`|$|-)/i.exec(command)?.[1] ?? ''
  const options = new Map<string, string>()
  for (const [, name = '', , value = ''] of command.replace(headers, '').matchAll(OPTION)) {
    const known = plain(value)
    if (known === undefined)
      return refuse('The command has a variable, which only your computer knows: write its value instead.')
    options.set(name.toLowerCase(), known)
  }
  const address = options.get('uri') ?? plain(FIRST_TEXT.exec(command)?.[1] ?? '') ?? ''
  const body = options.get('body')
  return copiedRequest({
    method: options.get('method') ?? 'GET',
    address: webAddress(address),
    headers: [
      ...[...headers.matchAll(HEADER)].map(
        ([, name = '', value = '']) => [plain(name) ?? '', plain(value) ?? ''] as const,
      ),
      ...(options.has('contenttype') ? [['Content-Type', options.get('contenttype') ?? ''] as const] : []),
    ],
    body: body === '' ? undefined : body,
    usualType: 'application/x-www-form-urlencoded',
  })
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', 0: '\0'}

/** What a text stands for; undefined: it has a variable. */
function plain(quoted: string): string | undefined {
  if (quoted.startsWith("'")) return quoted.slice(1, -1).replaceAll("''", "'")
  if (!quoted.startsWith('"')) return quoted
  let isKnown = true
  const text = quoted
    .slice(1, -1)
    .replace(
      /`([\s\S])|""|\$\(\[char\](\d{1,7})\)|\$(?=[\w({])/g,
      (all, escaped: string | undefined, code: string | undefined) => {
        if (escaped !== undefined) return ESCAPES[escaped] ?? escaped
        if (code !== undefined) return String.fromCharCode(Number(code))
        if (all === '$') isKnown = false
        return all === '""' ? '"' : all
      },
    )
  return isKnown ? text : undefined
}
