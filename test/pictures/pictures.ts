import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
export const DOCS = join(ROOT, 'docs')

/** The texts of ours that each picture shows. */
export type Texts = Record<string, string[]>
export const MANIFEST = join(DOCS, 'pictures.json')

/** The pictures of the docs: which screenshot of which test each one is. */
export const PICTURES: Readonly<Record<string, {readonly test: string; readonly from: string}>> = {
  'studio.png': {test: 'test/studio/inputs/action.browser.test.ts', from: 'request.png'},
  'page.png': {test: 'test/studio/overview.browser.test.ts', from: 'page.png'},
  'shop.png': {test: 'test/examples/shop/agent.browser.test.ts', from: 'shop-products.png'},
  'making-record.png': {test: 'test/studio/making/making.browser.test.ts', from: 'making-requests.png'},
  'making-request.png': {test: 'test/studio/making/making.browser.test.ts', from: 'making-request.png'},
  'making-pick.png': {test: 'test/studio/making/making.browser.test.ts', from: 'making-pick.png'},
  'releases.png': {test: 'test/studio/releases/releases.browser.test.ts', from: 'release-version.png'},
}

/** What Studio, the panel and the demo shop say, among everything else in their files. */
export function sources(): string {
  const folders = ['studio', 'schemas', 'panel', 'snippet', 'examples/shop']
  const files = execFileSync('git', ['ls-files', '-z', ...folders], {cwd: ROOT, encoding: 'utf8'})
  return files
    .split('\0')
    .filter((file) => /\.(?:tsx?|js|json)$/.test(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
}
