import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import {ClientError} from '@sanity/client'
import {errorWords, plainErrors} from '../../../studio/saving/errorWords.ts'

const refusal = (...descriptions: string[]) => ({
  error: {
    type: 'mutationError',
    description: `The mutation(s) failed: ${descriptions[0]}`,
    items: descriptions.map((description, index) => ({
      index,
      error: {type: 'reviewRequiredError', description},
    })),
  },
})

/** The error that @sanity/client makes of a body. */
const clientError = (body: unknown) =>
  new ClientError({body, url: '', method: 'POST', headers: {}, statusCode: 403, statusMessage: ''})

/** The body of a response that passed through the decorated `fetch`. */
async function received(body: string, path = '/v1/data/mutate/production', status = 403): Promise<string> {
  const inner: typeof fetch = async () => new Response(body, {status})
  const response = await plainErrors(inner)(`http://localhost${path}`, {method: 'POST'})
  equal(response.status, status)
  return response.text()
}

test('a refusal is a sentence, once, wherever Studio shows its message', async () => {
  const text = await received(
    JSON.stringify(refusal('The site asks for a review', 'The site asks for a review')),
  )
  const error = clientError(JSON.parse(text))
  equal(error.message, 'The site asks for a review.')
  equal(errorWords(error), 'The site asks for a review.')
})

test('a refusal of hosted Sanity is a sentence, once', () => {
  const error = clientError(refusal('First reason.', 'Second reason'))
  equal(errorWords(error), 'First reason. Second reason.')
  equal(errorWords(new TypeError('Failed to fetch')), 'Failed to fetch.')
  equal(errorWords('broken'), 'broken.')
})

test('other responses stay as they are', async () => {
  const query = JSON.stringify(refusal('A reason'))
  equal(await received(query, '/v1/data/query/production'), query)
  equal(await received(query, undefined, 200), query)
  for (const body of [
    'not JSON',
    '{"error": "text"}',
    '{"error": {"items": []}}',
    '[]',
    '{"error": {"items": [1]}}',
  ])
    equal(await received(body), body)
})
