import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {after, before, describe, test} from 'node:test'
import {UNANSWERED} from '../../snippet/webmcp.ts'
import {eventually} from '../support/eventually.ts'
import {formToolDocument, siteDocument} from '../support/shop.ts'
import {assertQuiet, type Stage, startStage} from './support/stage.ts'

/** What a page does with the event of its form, and what an agent is told. */
type Case = {
  /** A script that runs before the snippet has set the form. `form` is the form. */
  script?: string
  /** One that runs after that. */
  later?: string
  /** Attributes of the form. */
  attributes?: string
  /** Attributes of its field. */
  field?: string
  told: unknown
}

/** What Chromium says if nothing answers. */
const FAILED = /UnknownError: .*without also calling respondWith/

const on = (target: string, code: string, options = 'false') =>
  `${target}.addEventListener('submit', (event) => { ${code} }, ${options});`
const PREVENT = 'event.preventDefault();'
const ANSWER = 'event.respondWith("The page");'

const DOCS = await readFile(new URL('../../docs/forms.md', import.meta.url), 'utf8')
const [, EXAMPLE = ''] = /```js\n([^`]*respondWith[^`]*)```/.exec(DOCS) ?? []

const CASES: Record<string, Case> = {
  'is written as in the docs': {
    script: `const fetch = async () => Response.json({id: 7}), showError = alert, showThanks = () => { globalThis.sent = (globalThis.sent ?? 0) + 1 }; ${EXAMPLE}`,
    told: '{"id":7}',
  },
  'sends the form itself': {
    script: on('form', `${PREVENT} globalThis.sent = (globalThis.sent ?? 0) + 1`),
    told: UNANSWERED,
  },
  'sends it from the document': {script: on('document', PREVENT), told: UNANSWERED},
  'sends it from a capturing listener': {script: on('window', PREVENT, 'true'), told: UNANSWERED},
  'sends it in a listener that was added later': {later: on('form', PREVENT), told: UNANSWERED},
  'stops the event': {script: on('form', `event.stopPropagation(); ${PREVENT}`), told: UNANSWERED},
  'stops the event at once': {
    script: on('window', `event.stopImmediatePropagation(); ${PREVENT}`, 'true'),
    told: UNANSWERED,
  },
  'returns false': {attributes: 'onsubmit="return false"', told: UNANSWERED},
  'stops the event and returns false': {
    attributes: 'onsubmit="event.stopPropagation(); return false"',
    told: UNANSWERED,
  },
  'returns false from the window': {script: 'window.onsubmit = () => false', told: UNANSWERED},
  'returns false later': {later: 'form.onsubmit = () => false', told: UNANSWERED},
  'sets returnValue': {script: on('form', 'event.returnValue = false'), told: UNANSWERED},
  'removes the form': {script: on('form', `${PREVENT} form.remove()`), told: UNANSWERED},
  'replaces the form': {
    script: on('form', `${PREVENT} form.outerHTML = form.outerHTML`),
    told: UNANSWERED,
  },
  'resets the form later': {
    script: on('form', `${PREVENT} setTimeout(() => form.reset())`),
    told: UNANSWERED,
  },

  answers: {script: on('form', PREVENT + ANSWER), told: 'The page'},
  'answers in a later listener': {
    script: on('form', PREVENT),
    later: on('window', ANSWER),
    told: 'The page',
  },
  'answers in a listener of the document after returning false': {
    attributes: 'onsubmit="return false"',
    script: on('document', ANSWER),
    told: 'The page',
  },
  'answers with a promise': {
    script: on(
      'form',
      `${PREVENT} event.respondWith(new Promise((done) => setTimeout(done, 50, 'The page')))`,
    ),
    told: 'The page',
  },
  'answers after an await': {
    script: `form.addEventListener('submit', async (event) => { ${PREVENT} await null; ${ANSWER} })`,
    told: 'The page',
  },
  'answers with a method that it took before': {
    script: `const {respondWith} = SubmitEvent.prototype; ${on('form', `${PREVENT} respondWith.call(event, 'The page')`)}`,
    told: 'The page',
  },
  'answers with undefined': {
    script: on('form', `${PREVENT} event.respondWith(undefined)`),
    told: 'undefined',
  },
  'fails to answer': {script: on('form', `${PREVENT} event.respondWith()`), told: UNANSWERED},
  'answers with a rejection': {
    script: on('form', `${PREVENT} event.respondWith(Promise.reject(new Error('no')))`),
    told: /respondWith promise was rejected/,
  },

  'leaves the form alone': {told: null},
  'listens passively': {script: on('form', PREVENT, '{passive: true}'), told: null},
  'prevents too late': {
    script: `form.addEventListener('submit', async (event) => { await new Promise(setTimeout); ${PREVENT} })`,
    told: null,
  },
  'refuses a field': {field: 'type="email" required', script: on('form', PREVENT), told: /validation failed/},
  'resets the form at once': {
    script: on('form', `${PREVENT} form.reset()`),
    told: /cancelled by a form reset/,
  },
  // Not found by any means: the prevention is known after the last listener.
  'stops the event at once and returns false': {
    attributes: 'onsubmit="event.stopImmediatePropagation(); return false"',
    told: FAILED,
  },
  'has frozen the prototype': {
    script: `Object.freeze(SubmitEvent.prototype); ${on('form', PREVENT)}`,
    told: FAILED,
  },
  'has frozen the prototype, and answers': {
    script: `Object.freeze(SubmitEvent.prototype); ${on('form', PREVENT + ANSWER)}`,
    told: 'The page',
  },
}

describe('an agent is told of a form tool whose page', () => {
  let stage: Stage
  before(async () => {
    stage = await startStage([siteDocument(), formToolDocument({pagePath: '/cases/*', autosubmit: true})])
  })
  after(() => stage?.close())

  test('sends it itself what the page says, or else that it said nothing, in frames as on pages', async () => {
    const names = Object.keys(CASES)
    for (const [index, {script = '', later = '', attributes = '', field = ''}] of Object.values(
      CASES,
    ).entries())
      stage.website.pages.set(`/cases/${index}`, {
        body: `<form id="contact" action="/sent" ${attributes}><input name="message" ${field}><button>Send</button></form>
          <script>
            const form = document.querySelector('form')
            { ${script} }
            const isAnswering = () => Object.hasOwn(SubmitEvent.prototype, 'preventDefault') ||
              Object.isFrozen(SubmitEvent.prototype) && performance.getEntriesByType('resource').some(({name}) => name.includes('/snippet.calls.js'))
            const timer = setInterval(() => {
              if (!form.hasAttribute('toolname') || !isAnswering()) return
              clearInterval(timer)
              { ${later} }
              globalThis.isReady = true
            }, 20)
          </script>`,
      })
    stage.website.pages.set('/', {
      head: '',
      body: names.map((_, index) => `<iframe src="/cases/${index}"></iframe>`).join(''),
    })
    const visited: Parameters<Stage['visit']>[1] = async ({page, lines}) => {
      await eventually(
        () => page.evaluate('Array.from(frames).filter((frame) => frame.isReady).length'),
        names.length,
      )
      const told = await page.evaluate(`(async () => {
        const tools = await document.modelContext.getTools()
        return Promise.all(Array.from(frames, (frame) =>
          document.modelContext.executeTool(tools.find((tool) => (tool.source ?? tool.window) === frame), {message: 'x'})
            .then((result) => result ?? null, String)))
      })()`)
      assert.ok(Array.isArray(told))
      for (const [index, name] of names.entries()) {
        const expected = CASES[name]?.told
        if (expected instanceof RegExp) assert.match(String(told[index]), expected, name)
        else assert.equal(told[index], expected, name)
      }
      // A visitor's submission is not an agent's.
      lines.length = 0
      for (const name of ['is written as in the docs', 'sends the form itself']) {
        const index = names.indexOf(name)
        await page.evaluate(
          `frames[${index}].sent ??= 0; frames[${index}].document.querySelector('button').click()`,
        )
        await eventually(() => page.evaluate(`frames[${index}].sent`), 2)
      }
      assertQuiet(lines)
    }
    await stage.visit('/', visited, {isUnready: true})
  })
})
