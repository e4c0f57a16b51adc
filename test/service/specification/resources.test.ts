import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {validate, version} from 'uuid'
import {type ConfigBody, configOf, recordOf, type ServedMember} from '../../support/answers.ts'
import {type House, startHouse} from '../../support/house.ts'
import {formToolDocument, siteDocument, toolDocument} from '../../support/shop.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** Every member of docs/specification.md, and its states, as a page receives them. */
describe('resources of the specification', () => {
  let house: House
  let config: ConfigBody

  before(async () => {
    house = await startHouse([
      siteDocument({pollInterval: 120}),
      siteDocument({_id: UUID, publicId: 'other-site', pollInterval: undefined}),
      toolDocument(),
      toolDocument({
        _id: UUID.replace('0f', '1f'),
        name: 'placeOrder',
        exposedTo: ['https://partner.example', 'http://localhost:8080'],
      }),
      toolDocument({_id: 'off', name: 'switchedOff', enabled: false}),
      toolDocument({_id: 'unset', name: 'neverSwitchedOn', enabled: undefined}),
      formToolDocument({pagePath: '/**'}),
      formToolDocument({_id: 'off-form', name: 'offForm', pagePath: '/**', enabled: false}),
    ])
    config = await configOf(house.config('shop-public', '/'))
  })
  after(() => house.close())

  const toolNamed = (name: string) => memberNamed(config.tools, name)
  const formToolNamed = (name: string) => memberNamed(config.formTools, name)

  test('response: the body has the four members, in the order of the specification, and no other', () => {
    assert.deepEqual(config.keys, ['siteId', 'tools', 'formTools', 'pollInterval'])
  })

  test('response: siteId: a UUID, always the same for one site', async () => {
    assert.ok(validate(config.siteId))
    const again = await configOf(house.config('shop-public', '/elsewhere'))
    assert.equal(again.siteId, config.siteId)
  })

  test('response: tools and formTools: arrays, also when empty', async () => {
    const empty = await configOf(house.config('other-site'))
    assert.deepEqual([empty.tools, empty.formTools], [[], []])
  })

  test('response: pollInterval: the configured seconds, 300 by default', async () => {
    assert.equal(config.pollInterval, 120)
    assert.equal((await configOf(house.config('other-site'))).pollInterval, 300)
  })

  test('a tool has the eight members, in the order of the specification, and no other', () => {
    assert.deepEqual(Object.keys(toolNamed('searchProducts')), [
      'id',
      'name',
      'description',
      'inputSchema',
      'executeJs',
      'exposedTo',
      'title',
      'annotations',
    ])
  })

  test('tool: id: the document id where it is a UUID, else the version 5 UUID of it', () => {
    assert.equal(toolNamed('placeOrder').id, UUID.replace('0f', '1f'))
    const {id} = toolNamed('searchProducts')
    assert.ok(typeof id === 'string' && validate(id) && version(id) === 5)
  })

  test('tool: exposedTo: unchanged, and an empty array for every document', () => {
    assert.deepEqual(toolNamed('placeOrder').exposedTo, ['https://partner.example', 'http://localhost:8080'])
    assert.deepEqual(toolNamed('searchProducts').exposedTo, [])
  })

  test('a form tool has the five members and no other', () => {
    assert.deepEqual(formToolNamed('contactUs'), {
      id: formToolNamed('contactUs').id,
      name: 'contactUs',
      description: 'Sends a message to the shop.',
      selector: 'form#contact',
      autosubmit: false,
    })
    assert.ok(validate(formToolNamed('contactUs').id))
  })

  test('states: only enabled tools and form tools are served; a missing field means not enabled', () => {
    assert.deepEqual(names(config.tools), ['placeOrder', 'searchProducts'])
    assert.deepEqual(names(config.formTools), ['contactUs'])
  })
})

function memberNamed(members: ServedMember[], name: string): ServedMember {
  return recordOf(members.find((member) => member.name === name))
}

function names(members: ServedMember[]): unknown[] {
  return members.map((member) => member.name)
}
