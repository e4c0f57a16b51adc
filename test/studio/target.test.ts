import {deepEqual} from 'node:assert/strict'
import {test} from 'node:test'
import {readTarget} from '../../studio/target.ts'

const targets: [string, Record<string, string | undefined>, unknown][] = [
  ['the lake that serves it', {}, {projectId: 'local', dataset: 'production', apiHost: '/'}],
  ['empty variables', {SANITY_PROJECT_ID: ''}, {projectId: 'local', dataset: 'production', apiHost: '/'}],
  [
    'a hosted project',
    {SANITY_PROJECT_ID: 'abc12345', SANITY_DATASET: 'staging'},
    {projectId: 'abc12345', dataset: 'staging', apiHost: undefined},
  ],
  [
    'an API of its own',
    {SANITY_PROJECT_ID: 'abc12345', SANITY_API_HOST: 'https://lake.example'},
    {projectId: 'abc12345', dataset: 'production', apiHost: 'https://lake.example'},
  ],
]

for (const [name, environment, expected] of targets) {
  test(`Studio edits ${name}`, () => deepEqual(readTarget(environment), expected))
}
