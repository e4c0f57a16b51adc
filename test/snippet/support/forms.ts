import type {Page} from 'playwright-core'
import type {ContentDocument} from '../../support/content.ts'
import {formToolDocument, siteDocument} from '../../support/shop.ts'
import {startStage} from './stage.ts'

export const FORM = `<form id="contact" action="/sent">
  <label>Message <input name="message"></label><button>Send</button>
</form>`

/** The attributes of that form as a tool. */
export const CONTACT = {toolname: 'contactUs', tooldescription: 'Sends a message to the shop.'}

/** A form tool of one page, so that tests do not affect each other. */
export function formAt(page: string, fields: object = {}): ContentDocument {
  return formToolDocument({_id: page.slice(1), pagePath: page, ...fields})
}

/** The attributes of an element that begin with "tool". */
export function toolAttributes(page: Page, selector = '#contact'): Promise<unknown> {
  return page.evaluate(`Object.fromEntries(
    Array.from(document.querySelector('${selector}').attributes, ({name, value}) => [name, value])
      .filter(([name]) => name.startsWith('tool')),
  )`)
}

export type FormStage = Awaited<ReturnType<typeof startFormStage>>

/** A stage for tests of form tools. */
export async function startFormStage() {
  const stage = await startStage([siteDocument()])
  let documents: ContentDocument[] = []
  return {
    stage,
    /**
     * A page with a body and form tools. They are the only form tools of the site, if each name is used once.
     */
    async given(path: string, body: string, ...fields: object[]): Promise<void> {
      stage.website.pages.set(path, {body})
      if (documents.length > 0) await stage.house.repository.remove(documents)
      documents = fields.map((more, index) => formAt(path, {_id: `${path.slice(1)}-${index}`, ...more}))
      await stage.publish(documents, path)
    },
  }
}
