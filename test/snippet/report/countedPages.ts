import type {Page} from 'playwright-core'
import {eventually} from '../../support/eventually.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'
import {FORM} from '../support/forms.ts'
import {startStage, type Visit, type VisitOptions} from '../support/stage.ts'
import {startRecorder} from './recorder.ts'

export const tool = (name: string, executeJs: string, more = {}) =>
  toolDocument({_id: name, name, executeJs, ...more})
const CONSENT = {site: {_type: 'reference', _ref: 'consent'}}
const documents = [
  siteDocument({reportCalls: true, askBefore: 'consequential'}),
  tool('find', 'return args.query === "none" ? [] : args.query'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: of the script
  tool('fail', 'throw new Error(`No ${args.query} in ${3} shops\\nCall find first.`)'),
  tool('tell', 'return {isError: true, content: [{type: "text", text: "Closed today"}]}'),
  tool('wait', 'await new Promise((resolve) => { globalThis.resolve = resolve })'),
  tool('placeOrder', 'return "ordered"'),
  formToolDocument({name: 'writeNote', autosubmit: true}),
  formToolDocument({_id: 'ask', name: 'askUs', pagePath: '/contact', selector: '#note'}),
  siteDocument({
    _id: 'consent',
    publicId: 'consent-public',
    reportCalls: true,
    reportAfterConsent: true,
  }),
  tool('look', 'return 1', CONSENT),
]

/** Leaves the page, as a link does. */
export const leave = (page: Page) => page.goto('about:blank')

/** Waits until so many calls of a page have ended. Then what counts them is loaded. */
export const heard = (page: Page, count: number) => eventually(() => page.evaluate('heard.length'), count)

export type CountedPages = Awaited<ReturnType<typeof startCountedPages>>

/** Pages of a site that counts calls, and what keeps their reports. */
export async function startCountedPages() {
  const stage = await startStage(documents)
  const recorder = await startRecorder(stage.house.serviceAddress)
  const head = (more = '', site = 'shop-public') =>
    `<script async src="${recorder.address}/snippet.js" data-site="${site}" ${more}></script>`
  return {
    stage,
    recorder,
    head,
    reset() {
      recorder.reports.length = 0
      recorder.others.length = 0
      for (const path of ['/', '/other']) stage.website.pages.set(path, {head: head()})
      stage.website.pages.set('/contact', {head: head(), body: FORM})
    },
    /** A visit during which all calls take no time. */
    visit: (path: string, use: (visit: Visit) => Promise<void>, options: VisitOptions = {}) =>
      stage.visit(path, use, {
        ...options,
        prepare: async (page, context) => {
          await page.addInitScript(
            'globalThis.heard = []; document.addEventListener("handrail:call", ({detail}) => { heard.push(detail) })',
          )
          await (options.prepare ?? ((page) => page.addInitScript('performance.now = () => 1_000')))(
            page,
            context,
          )
        },
      }),
    /** Waits until these reports have arrived. */
    reported: (...expected: unknown[][][]) =>
      eventually(
        async () => recorder.reports.map(({body}) => JSON.parse(body).calls),
        (calls) => JSON.stringify(calls) === JSON.stringify(expected),
      ),
    async close() {
      recorder.close()
      await stage.close()
    },
  }
}
