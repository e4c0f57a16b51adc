import assert from 'node:assert/strict'
import {test} from 'node:test'
import packageJson from '../../package.json' with {type: 'json'}
import {metricsOf} from '../support/metrics.ts'
import {token} from './support/app.ts'
import {runLake} from './support/lake.ts'

test('/metrics requires METRICS_TOKEN if it is set, and no other token', async (t) => {
  const {address} = await runLake(t, {}, {metricsTokens: ['new', 'scraper']})
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(`${address}/metrics`, {headers})).status
  for (const one of ['new', 'scraper']) assert.equal(await statusWith({authorization: `Bearer ${one}`}), 200)
  for (const authorization of ['', 'Bearer ', 'Bearer scrape', 'Basic scraper', 'scraper', `Bearer ${token}`])
    assert.equal(await statusWith({authorization}), 401, authorization)
  assert.equal(await statusWith({}), 401)
  assert.match(await (await fetch(`${address}/metrics`)).text(), /METRICS_TOKEN as a bearer token/)
  assert.equal((await fetch(`${address}/readyz`)).status, 200)
})

test('/metrics reports documents, drafts, broken files, publish durations and the process', async (t) => {
  const {address, client} = await runLake(t, {
    'post/a.json': {_id: 'a', _type: 'post'},
    'post/b.json': '{',
  })
  await client.create({_id: 'drafts.c', _type: 'post'})
  await client.action({actionType: 'sanity.action.document.publish', draftId: 'drafts.c', publishedId: 'c'})
  await client.create({_id: 'drafts.d', _type: 'post'})

  const {types, samples} = await metricsOf(address)
  assert.equal(samples.get('lake_documents'), 3)
  assert.equal(samples.get('lake_published_documents'), 2)
  for (const name of [
    'process_start_time_seconds',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    assert.equal(types.get(name), 'gauge', name)
  assert.equal(samples.get(`lake_info{version="${packageJson.version}"}`), 1)
  assert.equal(samples.get('lake_invalid_files'), 1)
  assert.equal(samples.get('lake_push_state{state="off"}'), 1)
  assert.equal(samples.get('lake_push_state{state="conflict"}'), 0)
  assert.equal(types.get('lake_http_request_duration_seconds'), 'histogram')
  const actions = 'route="/v:version/data/actions/:dataset",status="200"'
  assert.equal(samples.get(`lake_http_request_duration_seconds_count{${actions}}`), 1)
})
