import {accept, type Parsed, refuse} from '../../../../schemas/rules/parsed.ts'

const TIMEOUT_SECONDS = 20
const LARGEST_MB = 30

/** Loads a text file of any website that allows it. The problem is in words for an editor. */
export async function loadFile(
  address: string,
  {send = fetch, signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000), largest = LARGEST_MB * 1_000_000} = {},
): Promise<Parsed<string>> {
  const url = URL.parse(address.trim())
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse('Write the address of the file, such as "https://api.example.com/openapi.json".')
  try {
    const response = await send(url.href, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal,
    })
    if (!response.ok)
      return refuse(`${url.host} responded with status ${response.status}: check the address. ${INSTEAD}`)
    return (
      (await textWithin(response, largest)) ?? refuse(`The file has more than ${LARGEST_MB} MB. ${SHORTEN}`)
    )
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return refuse(
      isLate
        ? `${url.host} did not send the file within ${TIMEOUT_SECONDS} seconds. ${INSTEAD}`
        : `${url.host} does not allow other websites to read this file, or it cannot be reached. ${INSTEAD}`,
    )
  }
}

const INSTEAD = 'Download the file, and choose it here instead.'
const SHORTEN = 'Download it, keep only the operations that you need, and choose it here.'

/** Undefined: it is longer. */
async function textWithin({body}: Response, largest: number): Promise<Parsed<string> | undefined> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const {done, value} = (await reader?.read()) ?? {done: true}
    if (done || value === undefined) return accept(text + decoder.decode())
    size += value.byteLength
    if (size > largest) {
      await reader?.cancel()
      return undefined
    }
    text += decoder.decode(value, {stream: true})
  }
}
