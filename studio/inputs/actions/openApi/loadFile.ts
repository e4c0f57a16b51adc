import {accept, type Parsed, refuse} from '../../../../schemas/rules/parsed.ts'

const TIMEOUT_SECONDS = 20

/** Loads a text file of any website that allows it. The problem is in words for an editor. */
export async function loadFile(
  address: string,
  {send = fetch, signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000)} = {},
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
    return accept(await response.text())
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
