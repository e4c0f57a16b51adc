import assert from 'node:assert/strict'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {readLakeSettings} from '../../lake/settings.ts'
import {readServiceSettings} from '../../service/settings.ts'
import {projectFile} from '../deploy/support/files.ts'

async function fileWith(t: TestContext, text: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'handrail-secret-'))
  t.after(() => rm(dir, {recursive: true, force: true}))
  const path = join(dir, 'secret')
  await writeFile(path, text)
  return path
}

test('each secret of service and lake may be in a file, without the line break at its end', async (t) => {
  const token = await fileWith(t, 'from-a-file\n')
  assert.equal(readServiceSettings({SANITY_API_TOKEN_FILE: token}).apiToken, 'from-a-file')
  assert.equal(readServiceSettings({SANITY_API_TOKEN_FILE: token}).serviceTokenFile, undefined)
  assert.equal(readServiceSettings({SANITY_WEBHOOK_SECRET_FILE: token}).webhookSecrets[0], 'from-a-file')
  const url = await fileWith(t, 'rediss://user:password@host:6380/0\r\n')
  assert.equal(readServiceSettings({REDIS_URL_FILE: url}).redisUrl, 'rediss://user:password@host:6380/0')

  const hooks = await fileWith(t, 'https://hooks.example/a https://hooks.example/b\n')
  const lake = readLakeSettings({
    LAKE_API_TOKEN_FILE: await fileWith(t, 'another'),
    SANITY_API_TOKEN_FILE: token,
    GIT_REMOTE_FILE: token,
    GIT_WEBHOOK_SECRET_FILE: token,
    LAKE_WEBHOOKS_FILE: hooks,
    LAKE_WEBHOOK_SECRET_FILE: token,
    LAKE_OIDC_ISSUER: 'https://id.example',
    LAKE_OIDC_CLIENT_ID: 'handrail',
    LAKE_OIDC_CLIENT_SECRET_FILE: token,
  })
  assert.deepEqual(
    [
      lake.serviceTokens[0],
      lake.gitRemote,
      lake.gitWebhookSecrets[0],
      lake.webhookSecrets[0],
      lake.singleSignOn?.clientSecret,
    ],
    Array(5).fill('from-a-file'),
  )
  assert.deepEqual(lake.apiTokens, ['another'])
  assert.equal(lake.webhooks.length, 2)
})

test('a file that cannot be used stops the program, with a message that does not repeat it', async (t) => {
  const empty = await fileWith(t, '\n')
  const secret = await fileWith(t, 'hidden')
  const missing = `${empty}.missing`
  const rows: [environment: NodeJS.ProcessEnv, message: string][] = [
    [{SANITY_API_TOKEN_FILE: empty}, `SANITY_API_TOKEN_FILE: ${empty} is empty.`],
    [{SANITY_API_TOKEN_FILE: missing}, `SANITY_API_TOKEN_FILE: ${missing} cannot be read: ENOENT.`],
    [
      {SANITY_API_TOKEN_FILE: secret, SANITY_API_TOKEN: 'x'},
      'SANITY_API_TOKEN_FILE: set it or SANITY_API_TOKEN, not both.',
    ],
    [{SANITY_API_TOKEN_FILE: await fileWith(t, 'x'.repeat(70_000))}, 'is too large for a secret.'],
    [{REDIS_URL_FILE: secret, PORT: 'x'}, 'REDIS_URL: it is not an address'],
  ]
  for (const [environment, expected] of rows)
    assert.throws(
      () => readServiceSettings(environment),
      ({message}: Error) => message.includes(expected) && !message.includes('hidden'),
      expected,
    )
})

test('an empty name of a file counts as not set, and settings that are not secret are not read from files', async (t) => {
  const file = await fileWith(t, '4000')
  assert.equal(readServiceSettings({SANITY_API_TOKEN_FILE: '', PORT_FILE: file}).port, 3000)
})

test('docs/configuration.md lists the settings that may be in files', async () => {
  const texts = await Promise.all(
    ['common/datasetSettings.ts', 'service/settings.ts', 'lake/settings.ts'].map((path) =>
      readFile(projectFile(path), 'utf8'),
    ),
  )
  const marked = [...texts.join('').matchAll(/([A-Z_]+): secret\(/g)].map(([, name]) => name)
  const page = await readFile(projectFile('docs/configuration.md'), 'utf8')
  const [, list = ''] = page.split('\n## Secrets in files\n')
  const listed = [...list.matchAll(/`([A-Z_]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.endsWith('_FILE'))
  assert.deepEqual([...new Set(listed)].sort(), [...new Set(marked)].sort())
})
