import assert from 'node:assert/strict'
import {rename} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {runBackupCommand} from '../../lake/commands/backup.ts'
import type {ServiceTiming} from '../../service/service.ts'
import {createRepository, temporaryFolder} from '../lake/support/git.ts'
import {runLake} from '../lake/support/lake.ts'
import {eventually} from '../support/eventually.ts'
import {type House, QUICK, runHouse} from '../support/house.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {trialToken} from '../support/trialToken.ts'
import {
  alertsOf,
  isQuiet,
  LAKE,
  type Observation,
  observe,
  SERVICE,
  scraped,
  upOf,
  Visitors,
} from './alerts/observe.ts'

const DOCUMENTS = [siteDocument(), toolDocument()]

/*
 * Each failure that operators know is caused for real, once. `/readyz`, a metric, the log, an alert, and Studio where editors notice,
 * say what it is, and are quiet afterwards.
 *
 * | failure | test |
 * |---|---|
 * | the lake is down, slow, silent, or refuses the token; live events are cut; a clock is wrong; a document is invalid | FAILURES |
 * | the lake's certificate ends, and has expired; the origin trial token has ended | here |
 * | the remote is gone; a file is invalid | here |
 * | the disk of the lake is full; that of the service is | fullDisks.mount.test.ts |
 * | Redis stops | test/service/limits/replicas.redis.test.ts |
 *
 * Studio shows any problem of the lake (test/studio/overview.browser.test.ts), a document that is invalid (there), and changes that
 * cannot be saved (test/studio/together.browser.test.ts).
 */

/** A failure that is caused for real, and everything that says what it is. */
type Failure = {
  /** Begins it. Returns what ends it. */
  readonly cause: (house: House) => Promise<() => Promise<void>>
  readonly timing?: Partial<ServiceTiming>
  readonly readyz: RegExp
  readonly metric: readonly [series: string, value: number]
  readonly log: RegExp
  readonly alerts: readonly string[]
  /** What is scraped of the lake meanwhile. */
  readonly up?: number
}

/** What a network does with every request but live events. */
const withFault =
  (fault: House['network']['fault']): Failure['cause'] =>
  async ({network}) => {
    network.fault = fault
    return async () => {
      network.fault = {kind: 'none'}
    }
  }

const FAILURES: Readonly<Record<string, Failure>> = {
  'the lake is down': {
    async cause({network}) {
      await network.unplug()
      return () => network.plug()
    },
    readyz: /Content lake unreachable; serving last known good configs.*ECONNREFUSED/,
    metric: ['handrail_upstream_answering', 0],
    log: /^content lake unreachable; serving last known good configs/,
    alerts: ['LakeDown'],
    up: 0,
  },
  'live events are cut': {
    async cause({network}) {
      network.liveFault = {kind: 'refuse'}
      network.cut()
      return async () => {
        network.liveFault = {kind: 'none'}
      }
    },
    readyz: /Live events do not arrive/,
    metric: ['handrail_live_connected', 0],
    log: /^live events stopped/,
    alerts: ['HandrailLiveEventsCut'],
  },
  'the lake does not respond in time': {
    cause: withFault({kind: 'hang'}),
    timing: {query: 200},
    readyz: /Content lake unreachable.*No result after 200 ms/,
    metric: ['handrail_upstream_answering', 0],
    log: /^content lake unreachable|^cannot refresh site/,
    alerts: ['HandrailLakeFailing'],
  },
  'the lake refuses the token of the service': {
    cause: withFault({kind: 'answer', status: 401, contentType: 'application/json', body: '{}'}),
    readyz: /The content lake refuses the token of the service: correct SANITY_API_TOKEN/,
    metric: ['handrail_upstream_answering', 0],
    log: /^The content lake rejected the service’s token/,
    alerts: ['HandrailLakeFailing'],
  },
  'a document is invalid': {
    async cause({repository}) {
      await repository.commit([toolDocument({inputSchema: '{'})])
      return async () => {
        await repository.commit([toolDocument()])
      }
    },
    readyz: /"invalidDocuments":1/,
    metric: ['handrail_invalid_documents', 1],
    log: /^skipping a document that breaks a rule/,
    alerts: ['HandrailInvalidDocuments'],
  },
}

for (const [name, {cause, timing, readyz, metric, log, alerts, up}] of Object.entries(FAILURES))
  test(`${name}: /readyz, a metric, the log and an alert say so, and are quiet afterwards`, async (t) => {
    const house = await runHouse(t, DOCUMENTS, {RATE_LIMIT_MAX: '100000'}, {...QUICK, ...timing})
    const visitors = new Visitors(house)
    const before = await visitors.until(isQuiet)
    const repair = await cause(house)
    const during = await visitors.until((now) => readyz.test(now.readyz))
    const [series, value] = metric
    assert.ok(
      Math.abs((during.samples.get(series) ?? Number.NaN) - value) <= value / 100,
      `${during.samples.get(series)}`,
    )
    await eventually(
      async () => house.lines.map(({msg}) => String(msg)),
      (said) => said.some((line) => log.test(line)),
    )
    await repair()
    const after = await visitors.until(isQuiet)
    const sent = await alertsOf([upOf(SERVICE), upOf(LAKE, up), ...scraped(SERVICE, [before, during, after])])
    assert.deepEqual(sent, {during: alerts, after: []})
  })

test('an origin trial token has ended: the service stays ready, and /readyz, a metric, the log and an alert say so', async (t) => {
  const house = await runHouse(t, DOCUMENTS, {}, QUICK)
  const expiry = Math.floor(Date.now() / 1_000) - 3_600
  const visitors = new Visitors(await house.replica({WEBMCP_ORIGIN_TRIAL_TOKEN: trialToken({expiry})}))
  const before = await new Visitors(house).until(isQuiet)
  const during = await visitors.until(({status}) => status === 'ready')
  assert.match(during.readyz, /"warnings":\["WEBMCP_ORIGIN_TRIAL_TOKEN has expired, /)
  assert.equal(during.samples.get('handrail_origin_trial_end_timestamp_seconds'), expiry)
  assert.ok(house.lines.some(({msg}) => /^WEBMCP_ORIGIN_TRIAL_TOKEN has expired/.test(String(msg))))
  const sent = await alertsOf([upOf(SERVICE), upOf(LAKE), ...scraped(SERVICE, [before, during, before])])
  assert.deepEqual(sent, {during: ['HandrailOriginTrialEnded'], after: []})
})

test('a remote that is gone, and a file that is not valid: the lake says so, and is quiet afterwards', async (t) => {
  const remote = join(await temporaryFolder(t), 'remote.git')
  await createRepository(remote)
  const files = {'post/a.json': {_id: 'a', _type: 'post'}}
  const {address, client, repository, warnings} = await runLake(t, files, {gitRemote: remote})
  const backups = join(await temporaryFolder(t), 'backups')
  await runBackupCommand(['backup', '--to', backups], {contentDir: repository.directory, gitRemote: remote})
  const until = (isSeen: (now: Observation) => boolean) => eventually(() => observe(address), isSeen)
  const isQuietLake = ({status, samples}: Observation) =>
    status === 'ready' &&
    samples.get('lake_push_state{state="ok"}') === 1 &&
    samples.get('lake_invalid_files') === 0
  const before = await until(isQuietLake)
  await rename(remote, `${remote}.away`)
  await repository.commit({'post/b.json': '{'})
  await client.create({_id: 'c', _type: 'post'})
  const during = await until(
    ({readyz, samples}) =>
      /PUSH_FAILING/.test(readyz) &&
      /"invalidFiles":1/.test(readyz) &&
      samples.get('lake_push_state{state="failing"}') === 1,
  )
  assert.ok(warnings.some(({msg}) => msg.startsWith('push failed; commits are safe locally')))
  assert.ok(
    warnings.some(({path}) => path === 'post/b.json'),
    JSON.stringify(warnings),
  )
  await rename(`${remote}.away`, remote)
  await repository.commit({'post/b.json': {_id: 'b', _type: 'post'}})
  const after = await until(isQuietLake)
  const sent = await alertsOf([upOf(SERVICE), upOf(LAKE), ...scraped(LAKE, [before, during, after])])
  assert.deepEqual(sent, {during: ['LakeInvalidFiles', 'LakePushFailing'], after: []})
})
