import assert from 'node:assert/strict'
import {mkdir, writeFile} from 'node:fs/promises'
import {get} from 'node:http'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {test} from 'node:test'
import {temporaryFolder} from '../support/git.ts'
import {runLake} from '../support/lake.ts'

/** Paths to a file outside the folder, or to a file in it that starts with a dot. */
const paths = [
  '/../secret.js',
  '/static/../../secret.js',
  '/%2e%2e/secret.js',
  '/%2e%2e%2fsecret.js',
  '/..%2fsecret.js',
  '/.%2e/secret.js',
  '/static/..%2f..%2fsecret.js',
  '/static/%2e%2e/%2e%2e/secret.js',
  '/..%5csecret.js',
  '/..\\secret.js',
  '/%252e%252e%252fsecret.js',
  '/%c0%ae%c0%ae/secret.js',
  '/..;/secret.js',
  '/....//secret.js',
  '/static/.../secret.js',
  '/%00/../secret.js',
  '/../secret.js%00.svg',
  '//secret.js',
  '///../secret.js',
  '/file:///secret.js',
  '/.hidden.js',
  '/static/.hidden.js',
  '/.git/config.js',
]

test('no path reaches a hidden file or a file outside the folder of Studio', async (t) => {
  const folder = await temporaryFolder(t)
  const studioDir = join(folder, 'studio')
  const {address} = await runLake(t, {}, {studioDir})
  for (const path of [
    'index.html',
    'static/app.js',
    '.hidden.js',
    'static/.hidden.js',
    '.git/config.js',
    '../secret.js',
  ]) {
    await mkdir(join(studioDir, path, '..'), {recursive: true})
    await writeFile(join(studioDir, path), /secret|hidden|config/.test(path) ? 'secret' : 'public')
  }
  for (const path of paths) {
    for (const accept of ['*/*', 'text/html']) {
      const [status, body] = await new Promise<[number, Promise<string>]>((resolve, reject) => {
        // Unlike `fetch`, it sends the path unchanged.
        get(address, {path, headers: {accept}}, (response) =>
          resolve([response.statusCode ?? 0, text(response)]),
        ).once('error', reject)
      })
      assert.doesNotMatch(await body, /^secret/, path)
      assert.ok(
        status === 200 ? (await body).includes('public') : status >= 400 && status < 500,
        `${path}: ${status}`,
      )
    }
  }
})
