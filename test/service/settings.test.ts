import assert from 'node:assert/strict'
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
    rateLimitMax: 600,
    rateLimitWindowSeconds: 60,
    maxStaleSeconds: 86_400,
    originTrialToken: undefined,
  })
})

test('an empty variable counts as not set', () => {
  assert.equal(readServiceSettings({PORT: ''}).port, 3000)
})

test('a real project means Sanity itself, and SANITY_API_HOST any other lake', () => {
  assert.equal(readServiceSettings({SANITY_PROJECT_ID: 'abc123'}).apiHost, undefined)
  const {apiHost} = readServiceSettings({
    SANITY_PROJECT_ID: 'abc123',
    SANITY_API_HOST: 'https://lake.example/',
  })
  assert.equal(apiHost, 'https://lake.example')
})

test('a value that cannot be understood stops the start with one line that names the variable and the value', () => {
  const bad: NodeJS.ProcessEnv[] = [
    {PORT: '80a'},
    {PORT: '65536'},
    {PORT: '-1'},
    {PORT: '3e3'},
    {RATE_LIMIT_MAX: '0'},
    {RATE_LIMIT_WINDOW_SECONDS: '1.5'},
    {MAX_STALE_SECONDS: 'a day'},
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
