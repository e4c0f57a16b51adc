import {pathToFileURL} from 'node:url'
import {test} from '@playwright/test'
import {settings} from './settings.ts'

for (const {name, module, state} of settings().visitors) {
  if (module === undefined) continue
  test(name === '' ? 'The visitor signs in' : `The visitor “${name}” signs in`, async ({page, baseURL}) => {
    const {default: signIn} = await import(pathToFileURL(module).href)
    if (typeof signIn !== 'function') throw new Error(`${module} must export a function by default.`)
    await signIn(page, {baseUrl: baseURL})
    await page.context().storageState({path: state})
  })
}
