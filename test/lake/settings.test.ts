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
    apiTokens: [],
    serviceTokens: [],
    serviceTokenFile: join(process.cwd(), '.handrail/content.git/handrail/service-token'),
    gitRemote: undefined,
    reviewBranches: false,
    gitWebhookSecrets: [],
    metricsTokens: [],
    webhooks: [],
    webhookSecrets: [],
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
    [{LAKE_PASSWORDS: 'off'}, /LAKE_PASSWORDS: can be off only with/],
    [{LAKE_REVIEW_BRANCHES: 'on'}, /LAKE_REVIEW_BRANCHES: can be on only with GIT_REMOTE/],
  ] as const)
    throws(() => readLakeSettings(variables), message)
})

test('a secret may be two values while it is replaced, the new one first, and reads or writes as before', () => {
  const settings = readLakeSettings({
    LAKE_API_TOKEN: 'new-writes old-writes',
    SANITY_API_TOKEN: 'new-reads old-reads',
    METRICS_TOKEN: 'one',
  })
  deepEqual(settings.apiTokens, ['new-writes', 'old-writes'])
  deepEqual(settings.serviceTokens, ['new-reads', 'old-reads'])
  deepEqual(settings.metricsTokens, ['one'])
  for (const name of [
    'LAKE_API_TOKEN',
    'SANITY_API_TOKEN',
    'GIT_WEBHOOK_SECRET',
    'LAKE_WEBHOOK_SECRET',
    'METRICS_TOKEN',
  ])
    throws(() => readLakeSettings({[name]: 'of three values'}), new RegExp(`${name}: it must be one value`))
  throws(
    () => readLakeSettings({LAKE_API_TOKEN: 'one same', SANITY_API_TOKEN: 'two same'}),
    /LAKE_API_TOKEN: must differ from SANITY_API_TOKEN/,
  )
})
