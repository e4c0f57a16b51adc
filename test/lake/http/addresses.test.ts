import assert from 'node:assert/strict'
import {test} from 'node:test'
import {queryPath, token} from '../support/app.ts'
import {runLake} from '../support/lake.ts'

const authorization = `Bearer ${token}`

test('an address with duplicate or trailing slashes leads to the same route', async (t) => {
  const {address} = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  const query = queryPath('*._id')
  for (const path of [
    `//v2024-01-01${query}`,
    `/v2024-01-01//data/query/production/?query=*._id`,
    `///v1${query}`,
    '/v2025-02-19/projects/local/datasets/production/query?query=*._id',
    '//v2025-02-19/projects/local/datasets/production/query/?query=*._id',
  ]) {
    const response = await fetch(address + path, {headers: {authorization}})
    assert.equal(response.status, 200, path)
    assert.deepEqual(Object(await response.json()).result, ['a'], path)
  }
})

test('an address with a resource needs the project and the dataset of the lake', async (t) => {
  const {address} = await runLake(t)
  for (const path of [
    '/v1/projects/other/datasets/production/query?query=1',
    '/v1/projects/local/datasets/other/query?query=1',
    '/v1/projects/%zz/datasets/production/query?query=1',
    '/v1/projects/local/datasets/production/nothing',
  ])
    assert.equal((await fetch(address + path, {headers: {authorization}})).status, 404, path)
})

test('other forms of an address need the same permission', async (t) => {
  const {address} = await runLake(t)
  const paths = ['query?query=1', 'doc/a', 'listen?query=*', 'live/events', 'export', 'history/documents/a']
  for (const path of paths) {
    const resource = `/v1/projects/local/datasets/production/${path}`
    for (const form of [resource, `/${resource}`, resource.replace('/datasets', '//datasets')])
      assert.equal((await fetch(address + form)).status, 401, form)
  }
  for (const operation of ['mutate', 'actions']) {
    const response = await fetch(`${address}//v1/projects/local/datasets/production/${operation}`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: '{"mutations": []}',
    })
    assert.equal(response.status, 401, operation)
  }
})
