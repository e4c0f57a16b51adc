import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {askFrom} from '../../support/client.ts'
import {createContentRepository} from '../../support/content.ts'

const run = promisify(execFile)
const main = fileURLToPath(new URL('../../../lake/main.ts', import.meta.url))

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery'

/** An editor with a password, and a token for each role, as an operator makes them. */
export type Accounts = {
  readonly tokens: {readonly viewer: string; readonly editor: string}
  /** Copies the accounts to the content repository of a lake. */
  copyTo(contentDir: string): Promise<void>
}

let made: Promise<Accounts> | undefined

/** Makes the accounts once for this process. */
export function makeAccounts(): Promise<Accounts> {
  made ??= make()
  return made
}

async function make(): Promise<Accounts> {
  const directory = await mkdtemp(join(tmpdir(), 'handrail-fuzz-accounts-'))
  const {dir: contentDir, dispose} = await createContentRepository([])
  const command = async (words: string, input = '') => {
    const running = run(process.execPath, [main, ...words.split(' ')], {
      env: {...process.env, CONTENT_DIR: contentDir},
    })
    running.child.stdin?.end(`${input}\n`)
    return (await running).stdout.trim()
  }
  await command(`editor add --email ${EMAIL} --name Ada --role publisher`, PASSWORD)
  const viewer = await command('token add --name viewer --role viewer')
  const editor = await command('token add --name editor --role publisher')
  const database = await readFile(join(contentDir, 'handrail', 'state.db'))
  await Promise.all([rm(directory, {recursive: true}), dispose()])
  return {
    tokens: {viewer, editor},
    async copyTo(target) {
      await mkdir(join(target, 'handrail'), {recursive: true})
      await writeFile(join(target, 'handrail', 'state.db'), database, {mode: 0o600})
    },
  }
}

/** Signs the editor in and returns the cookie. */
export async function signIn(address: string, _: Accounts): Promise<string> {
  const {host} = new URL(address)
  const {status, headers} = await askFrom('127.0.9.8', `${address}/login`, {
    method: 'POST',
    headers: {host, origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded'},
    body: String(new URLSearchParams({email: EMAIL, password: PASSWORD, to: '/'})),
  })
  assert.equal(status, 303, 'the editor cannot sign in')
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}
