import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import type {Page} from 'playwright-core'

const source = readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * The mistakes that axe finds in a page, each with the rule and the element.
 * @param selector restricts the search to a part of the page
 */
export async function axeMistakes(page: Page, selector = 'html'): Promise<unknown> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await source)
  return page.evaluate(
    `axe.run(${JSON.stringify(selector)}).then(({violations}) =>
      violations.flatMap(({id, nodes}) =>
        nodes.map(({html, failureSummary}) => [id, html.slice(0, 200), failureSummary])))`,
  )
}
