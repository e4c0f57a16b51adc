import {deepEqual, throws} from 'node:assert/strict'
import {test} from 'node:test'
import {readTarget} from '../../studio/target.ts'

const local = {
  projectId: 'local',
  dataset: 'production',
  apiHost: '/',
  serviceOrigin: 'http://localhost:3000',
}

const targets: [string, Record<string, string | undefined>, unknown][] = [
  ['the lake that serves it', {}, local],
  ['empty variables', {SANITY_PROJECT_ID: '', SERVICE_ORIGIN: ''}, local],
  [
    'a hosted project',
    {SANITY_PROJECT_ID: 'abc12345', SANITY_DATASET: 'staging', SERVICE_ORIGIN: 'https://tools.example/'},
    {
      projectId: 'abc12345',
      dataset: 'staging',
      apiHost: undefined,
      serviceOrigin: 'https://tools.example',
    },
  ],
  [
    'its own API host',
    {SANITY_PROJECT_ID: 'abc12345', SANITY_API_HOST: 'https://lake.example'},
    {...local, projectId: 'abc12345', apiHost: 'https://lake.example'},
  ],
]

for (const [name, environment, expected] of targets) {
  test(`Studio edits ${name}`, () => deepEqual(readTarget(environment), expected))
}

test('a Studio for hosted Sanity is refused without the public address of the service', () => {
  const hosted = {SANITY_PROJECT_ID: 'abc12345'}
  throws(() => readTarget(hosted), /^Error: SERVICE_ORIGIN is missing: set it to/)
  for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]'])
    throws(
      () => readTarget({...hosted, SERVICE_ORIGIN: `http://${host}`}),
      /leads each person to their own machine/,
    )
})

test('a service address that is not an origin is refused in one line', () => {
  for (const text of [
    'tools.example',
    'https://tools.example/api',
    'ftp://tools.example',
    "https://a.example;'",
  ]) {
    throws(() => readTarget({SERVICE_ORIGIN: text}), {
      message: `SERVICE_ORIGIN: "${text}" is not an address like https://tools.example or http://localhost:3000.`,
    })
  }
})
