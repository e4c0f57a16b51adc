import assert from 'node:assert/strict'
import {join} from 'node:path'
import test from 'node:test'
import {readServiceSettings} from '../../service/settings.ts'

test('without a variable, the documented defaults hold', () => {
  assert.deepEqual(readServiceSettings({}), {
    host: '127.0.0.1',
    port: 3000,
    projectId: 'local',
    dataset: 'production',
    apiHost: 'http://localhost:3333',
    apiToken: undefined,
    serviceTokenFile: join(process.cwd(), '.handrail/content.git/handrail/service-token'),
    webhookSecrets: [],
    rateLimitMax: 600,
    redisUrl: undefined,
    trustedProxies: [],
    siteMemory: 256,
    snapshotDir: '.handrail/snapshots',
    originTrialToken: undefined,
    metricsTokens: [],
  })
})

test('an empty variable counts as not set', () => {
  assert.equal(readServiceSettings({PORT: ''}).port, 3000)
})

test('a real project means hosted Sanity, and SANITY_API_HOST any other lake', () => {
  assert.equal(readServiceSettings({SANITY_PROJECT_ID: 'abc123'}).apiHost, undefined)
  const {apiHost} = readServiceSettings({
    SANITY_PROJECT_ID: 'abc123',
    SANITY_API_HOST: 'https://lake.example/',
  })
  assert.equal(apiHost, 'https://lake.example')
})

test('the token file is only for a lake on this machine and a service without a token in its settings', () => {
  const fileFor = (environment: NodeJS.ProcessEnv) =>
    readServiceSettings({CONTENT_DIR: '/data/content.git', ...environment}).serviceTokenFile
  for (const host of [
    'http://localhost:3333',
    'http://127.0.0.2:3333',
    'http://[::1]:3333',
    'https://localhost',
  ])
    assert.equal(fileFor({SANITY_API_HOST: host}), '/data/content.git/handrail/service-token', host)
  for (const host of [
    'http://lake:3333',
    'https://127.0.0.1.example',
    'http://192.0.2.1:3333',
    'http://localhost.example',
  ])
    assert.equal(fileFor({SANITY_API_HOST: host}), undefined, host)
  assert.equal(fileFor({}), '/data/content.git/handrail/service-token')
  assert.equal(fileFor({SANITY_API_TOKEN: 'own'}), undefined)
  assert.equal(fileFor({SANITY_PROJECT_ID: 'abc123'}), undefined)
  assert.equal(fileFor({SANITY_PROJECT_ID: 'abc123', SANITY_API_HOST: 'http://localhost:3333'}), undefined)
})

test('TRUSTED_PROXIES is a list of addresses, networks and their names', () => {
  const {trustedProxies} = readServiceSettings({
    TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,uniquelocal, 2001:db8::/32, ::1',
  })
  assert.deepEqual(trustedProxies, ['10.0.0.0/8', '192.0.2.1', 'uniquelocal', '2001:db8::/32', '::1'])
})

test('REDIS_URL may contain a password and a database, and errors about it name neither', () => {
  for (const url of [
    'redis://localhost',
    'rediss://user:pa%3Ass@redis.example:6380/2',
    'redis://[::1]:6379/',
  ]) {
    assert.equal(readServiceSettings({REDIS_URL: url}).redisUrl, url)
  }
  for (const url of ['localhost:6379', 'http://:secret@a', 'redis://:secret@a/b', 'redis://:secret@a?db=1']) {
    assert.throws(
      () => readServiceSettings({REDIS_URL: url}),
      ({message}: Error) =>
        /^Invalid configuration: REDIS_URL: it is not an address like redis:.+$/.test(message) &&
        !message.includes('secret'),
      url,
    )
  }
})

test('an invalid value stops the start with one line that names the variable and the value', () => {
  const bad: NodeJS.ProcessEnv[] = [
    {PORT: '80a'},
    {PORT: '65536'},
    {PORT: '-1'},
    {PORT: '3e3'},
    {RATE_LIMIT_MAX: '0'},
    {SITE_MEMORY_MB: '1.5'},
    {TRUSTED_PROXIES: 'everyone'},
    {TRUSTED_PROXIES: '10.0.0.0/33'},
    {TRUSTED_PROXIES: 'nginx.example'},
    {WEBMCP_ORIGIN_TRIAL_TOKEN: 'not a token'},
    {SANITY_PROJECT_ID: 'Not An Id'},
    {SANITY_DATASET: '../production'},
    {SANITY_API_HOST: 'localhost:3333'},
    {SANITY_API_HOST: 'https://lake.example/path'},
  ]
  for (const environment of bad) {
    const [[name, value] = ['', '']] = Object.entries(environment)
    assert.throws(
      () => readServiceSettings(environment),
      ({message}: Error) =>
        message.includes(name) && message.includes(`"${value}"`) && !message.includes('\n'),
      `${name}=${value}`,
    )
  }
})
