import assert from 'node:assert/strict'
import {test} from 'node:test'
import {errorText, hashText} from '../../../schemas/calls/errorText.ts'
import {errorTextsOf} from '../../../service/calls/errorTexts.ts'
import {failureOf, requestTool, scriptOf} from '../../actions/support.ts'

const script = scriptOf(requestTool({address: '/api'}))

/** How a call of a tool without a script fails, and what Studio shows of it. */
const SHOWN: readonly (readonly [string, () => Response, string])[] = [
  [
    'a status',
    () => new Response(null, {status: 401}),
    'The request failed with status 401. The visitor may have to sign in first.',
  ],
  [
    'a status and words of the website, which may name a visitor',
    () => Response.json({message: 'No session of ann@example.com'}, {status: 503}),
    'The request failed with status 503. Try again later.',
  ],
  [
    'another shape',
    () => Response.json({message: 'v2', items: 7}),
    'The website sent nothing that this tool reads. The visitor may have to sign in first.',
  ],
]
for (const [what, respond, text] of SHOWN)
  test(`the error of a compiled tool with ${what} is shown, and not as a hash`, async () => {
    const hash = hashText(errorText(await failureOf(script, {}, respond)))
    assert.equal(errorTextsOf(script).get(hash), text)
  })
