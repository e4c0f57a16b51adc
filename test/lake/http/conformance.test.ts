import {deepEqual} from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject} from '../../../common/json.ts'
import {ask, queryPath, serve} from '../support/app.ts'
import {storeOf} from '../support/documents.ts'

const documents = [
  {_id: 'p1', _type: 'person', name: 'Ada', age: 36, born: '1815-12-10T00:00:00Z', tags: ['math', 'code']},
  {
    _id: 'p2',
    _type: 'person',
    name: 'Grace',
    age: 85,
    boss: {_type: 'reference', _ref: 'p1'},
    tags: ['code'],
  },
  {_id: 'p3', _type: 'person', name: 'alan', age: null, boss: {_type: 'reference', _ref: 'gone'}},
  {_id: 'c1', _type: 'club', name: 'Club', members: [{_ref: 'p1'}, {_ref: 'p2'}], address: {city: 'Oslo'}},
]

/** The language by its specification, one construct a line: https://spec.groq.dev/GROQ-1.revision1/ */
const cases: [string, unknown][] = [
  ['1 + 2 * 3', 7],
  ['2 ** 3 % 5', 3],
  ['"a" < "b"', true],
  ['true || null', true],
  ['false && null', false],
  ['"Hello there" match "hell*"', true],
  ['"Hello there" match "ell*"', false],
  ['[1, 2, 3][1..2]', [2, 3]],
  ['[1, 2, 3][-1]', 3],
  ['[1, 2, 3][@ > 1]', [2, 3]],
  ['count([1, 2])', 2],
  ['length("åb")', 2],
  ['lower("AB") + upper("cd")', 'abCD'],
  ['math::sum([1, 2]) + math::max([3, 4]) + math::avg([1, 3])', 9],
  ['sanity::projectId() + "/" + sanity::dataset()', 'local/production'],
  ['*[_type == "person"]._id', ['p1', 'p2', 'p3']],
  ['*[_type == "person" && age > 40].name', ['Grace']],
  ['*[_type == "person"] | order(lower(name) desc)[0].name', 'Grace'],
  ['*[_type == "person"] | order(age desc)[].name', ['alan', 'Grace', 'Ada']],
  ['*[_type == "person"] | order(_id)[1...3]{name}', [{name: 'Grace'}, {name: 'alan'}]],
  ['*["code" in tags]._id', ['p1', 'p2']],
  ['*[_id in path("*") && _type == "person"] | order(_id desc)._id', ['p3', 'p2', 'p1']],
  ['*[_type == "club"][0].members[]->name', ['Ada', 'Grace']],
  ['*[_type == "club"][0]{"city": address.city, "n": count(members)}', {city: 'Oslo', n: 2}],
  [
    '*[_type == "club"].members[]->{name, "boss": boss->name}',
    [
      {name: 'Ada', boss: null},
      {name: 'Grace', boss: 'Ada'},
    ],
  ],
  ['*[_id == "p3"][0].boss->', null],
  ['*[boss->name == "Ada"]._id', ['p2']],
  ['*[references("p1")]._id', ['c1', 'p2']],
  ['*[_id == "p1"][0]{"clubs": *[_type == "club" && references(^._id)].name}', {clubs: ['Club']}],
  ['*[_id == "p2"]{name, age > 40 => {"old": true}}', [{name: 'Grace', old: true}]],
  ['*[_type == "person"] | score(name match "ada") | order(_score desc)[0].name', 'Ada'],
  ['*[_type == "none"][0].name', null],
  ['*[_id == "p1"]{"year": string::split(born, "-")[0]}', [{year: '1815'}]],
  ['*[_type == $type && age in $ages]._id', ['p1']],
  ['fn x::name($p) = $p{name}; *[_id == "p1"]{"who": x::name(@)}', [{who: {name: 'Ada'}}]],
]

test('over HTTP, GROQ has the results of its specification', async (t) => {
  const {address} = await serve(t, storeOf(...documents))
  for (const [query, expected] of cases) {
    const {body} = await ask(address, queryPath(query, {type: 'person', ages: [36, 1]}))
    deepEqual(isJsonObject(body) ? body.result : body, expected, query)
  }
})
