import playwright from '@playwright/test'
import {withWebMcp} from './browser.ts'
import {readSite, type TestedSite} from './site.ts'
import type {ContentOptions, HandrailTest, Tools} from './types.ts'
import {addTools, callTool, findTool, limitsOf, toolNames} from './visit.ts'

export {expect} from '@playwright/test'

/** The `test` of Playwright, whose pages get the tools of a content repository. */
export const test: HandrailTest = playwright.test.extend<
  {tools: Tools},
  {content: ContentOptions; site: TestedSite}
>({
  content: [{}, {scope: 'worker', option: true}],
  launchOptions: [({launchOptions}, use) => use(withWebMcp(launchOptions)), {scope: 'worker'}],
  site: [
    async ({content}, use) => use(await readSite(content, undefined, process.env)),
    {scope: 'worker', box: true},
  ],
  // A worker of the page would send the requests of the snippet where they cannot be answered.
  serviceWorkers: ({serviceWorkers: _}, use) => use('block'),
  context: async ({context, site}, use) => {
    await addTools(context, site)
    await use(context)
  },
  tools: async ({page, site}, use, info) => {
    const limits = limitsOf(info.timeout)
    await use({
      names: () => toolNames(page),
      async call(name, args = {}) {
        await findTool(page, site, {name, selectors: [], isForm: false}, limits.wait)
        const {outcome} = await callTool(page, name, args, limits.call)
        if (outcome.kind === 'result') return outcome.value
        throw new Error(outcome.kind === 'error' ? outcome.message : 'The call did not end in time.')
      },
    })
  },
})
