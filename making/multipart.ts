/** Between the parts of a form: long enough to stand in no value by chance. */
const BOUNDARY = 'HandrailPart2b7e151628aed2a6'

/** A form in parts, all of them texts, as browsers send it: https://html.spec.whatwg.org/#multipart-form-data */
export function multipartText(pairs: Iterable<readonly [name: string, value: string]>): string {
  const parts = [...pairs].map(([name, value]) => {
    const escaped = name.replace(/["\r\n]/g, encodeURIComponent)
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${escaped}"\r\n\r\n${value}\r\n`
  })
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

/** The values of a form in parts; undefined: it is something else, or has a file. */
export function multipartValues(text: string): URLSearchParams | undefined {
  const [, boundary] = /^\s*--([^\r\n]{1,200})\r?\n/.exec(text) ?? []
  if (boundary === undefined) return undefined
  const values = new URLSearchParams()
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const [, head = '', value = ''] = /^\r?\n(.*?)\r?\n\r?\n(.*?)\r?\n$/s.exec(part) ?? []
    const [, name] = /;\s*name="([^"]*)"/i.exec(head) ?? []
    const isFile = /;\s*filename\*?=/i.test(head)
    if (name === undefined || (isFile && value !== '')) return undefined
    // A field for a file that was not chosen is sent without a value.
    if (!isFile) values.append(name.replace(/%(?:22|0D|0A)/gi, decodeURIComponent), value)
  }
  return values
}
