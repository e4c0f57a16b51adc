import {deepEqual, equal, throws} from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {readLakeSettings} from '../../lake/settings.ts'

test('settings have defaults, and empty variables count as unset', () => {
  deepEqual(readLakeSettings({LAKE_PORT: ''}), {
    host: '127.0.0.1',
    port: 3333,
    contentDir: join(process.cwd(), '.handrail/content.git'),
    projectId: 'local',
    dataset: 'production',
    apiToken: undefined,
    serviceToken: undefined,
    serviceTokenFile: join(process.cwd(), '.handrail/service-token'),
    gitRemote: undefined,
    gitFetchSeconds: 180,
    reviewBranches: false,
    gitWebhookSecret: undefined,
    metricsTokens: [],
    webhooks: [],
    webhookSecret: undefined,
    previous: {
      apiToken: undefined,
      serviceToken: undefined,
      gitWebhookSecret: undefined,
      webhookSecret: undefined,
    },
    trustedProxies: [],
    origin: undefined,
    auditDays: undefined,
    passwords: true,
    singleSignOn: undefined,
  })
})

test('single sign-on needs an issuer over https, or on this machine, and a client; review branches need a remote', () => {
  const complete = {LAKE_OIDC_ISSUER: 'https://id.example/realms/a', LAKE_OIDC_CLIENT_ID: 'lake'}
  const {singleSignOn, passwords} = readLakeSettings({...complete, LAKE_PASSWORDS: 'off'})
  deepEqual(singleSignOn, {
    issuer: 'https://id.example/realms/a',
    clientId: 'lake',
    clientSecret: undefined,
    scopes: 'openid profile email',
    name: 'id.example',
    rightsFile: join(process.cwd(), '.handrail/rights.json'),
    trustEmail: false,
  })
  equal(passwords, false)
  equal(readLakeSettings({...complete, LAKE_OIDC_TRUST_EMAIL: 'on'}).singleSignOn?.trustEmail, true)
  const local = 'http://localhost:4000'
  equal(readLakeSettings({...complete, LAKE_OIDC_ISSUER: local}).singleSignOn?.issuer, local)
  for (const [variables, message] of [
    [{LAKE_OIDC_ISSUER: 'https://id.example'}, /LAKE_OIDC_CLIENT_ID: must be set/],
    [{LAKE_OIDC_CLIENT_ID: 'lake'}, /LAKE_OIDC_ISSUER: must be set/],
    [{...complete, LAKE_OIDC_ISSUER: 'http://id.example'}, /LAKE_OIDC_ISSUER: "http:/],
    [{...complete, LAKE_OIDC_ISSUER: 'https://id.example/?a=b'}, /LAKE_OIDC_ISSUER: "https:/],
    [{...complete, LAKE_OIDC_SCOPES: 'profile email'}, /LAKE_OIDC_SCOPES: must contain openid/],
    [{LAKE_PASSWORDS: 'off'}, /LAKE_PASSWORDS: can be off only with/],
    [{LAKE_REVIEW_BRANCHES: 'on'}, /LAKE_REVIEW_BRANCHES: can be on only with GIT_REMOTE/],
  ] as const)
    throws(() => readLakeSettings(variables), message)
})

test('the earlier value of a secret needs the new one, and reads or writes as before', () => {
  const {previous} = readLakeSettings({SANITY_API_TOKEN: 'new', SANITY_API_TOKEN_PREVIOUS: 'old'})
  equal(previous.serviceToken, 'old')
  for (const name of [
    'LAKE_API_TOKEN',
    'SANITY_API_TOKEN',
    'GIT_WEBHOOK_SECRET',
    'LAKE_WEBHOOK_SECRET',
    'METRICS_TOKEN',
  ])
    throws(
      () => readLakeSettings({[`${name}_PREVIOUS`]: 'old'}),
      new RegExp(`^Error: ${name}_PREVIOUS: can be set only with ${name}`),
    )
  for (const [writes, reads] of [
    ['LAKE_API_TOKEN', 'SANITY_API_TOKEN_PREVIOUS'],
    ['LAKE_API_TOKEN_PREVIOUS', 'SANITY_API_TOKEN'],
  ] as const) {
    const tokens = {LAKE_API_TOKEN: 'one', SANITY_API_TOKEN: 'two', [writes]: 'same', [reads]: 'same'}
    throws(() => readLakeSettings(tokens), /LAKE_API_TOKEN: must differ from SANITY_API_TOKEN/)
  }
})
