import {errorMessage} from '../../common/errorMessage.ts'
import {jsonIn} from '../../common/json.ts'
import {isRecord} from '../../schemas/record.ts'

/** What a failed request says to a person: each reason once, as a sentence. */
export function errorWords(error: unknown): string {
  const reasons = isRecord(error) ? reasonsIn(error.details) : undefined
  return reasons ?? sentence(errorMessage(error))
}

/**
 * A `fetch` whose responses to refused mutations and actions describe themselves with their reasons. Otherwise
 * @sanity/client composes "The mutation(s) failed: REASON:\n- REASON" from them, which Studio shows as it is.
 */
export function plainErrors(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init)
    const url = input instanceof Request ? input.url : String(input)
    if (response.ok || !/\/data\/(?:actions|mutate)\//.test(url)) return response
    const text = await response.text()
    const {status, statusText, headers} = response
    return new Response(withPlainError(text), {status, statusText, headers})
  }
}

function withPlainError(text: string): string {
  const body = jsonIn(text)
  if (!isRecord(body) || !isRecord(body.error)) return text
  const {error} = body
  const description = reasonsIn(error)
  if (description === undefined || !Array.isArray(error.items)) return text
  const items = error.items.map((item) =>
    isRecord(item) && isRecord(item.error) ? {...item, error: {...item.error, description: undefined}} : item,
  )
  return JSON.stringify({...body, error: {...error, description, items}})
}

/** The reasons that an error of the API lists, each once. Undefined: it lists none. */
export function reasonsIn(error: unknown): string | undefined {
  const items: unknown[] = isRecord(error) && Array.isArray(error.items) ? error.items : []
  const reasons = items.flatMap((item) => {
    const description = isRecord(item) && isRecord(item.error) ? item.error.description : undefined
    return typeof description === 'string' ? [sentence(description)] : []
  })
  return reasons.length === 0 ? undefined : [...new Set(reasons)].join(' ')
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
