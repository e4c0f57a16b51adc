import fc from 'fast-check'
import {groq, narrowFilter} from './groq.ts'
import {brokenJson, jsonString, listOf, manyOf, objectOf, wildJson} from './json.ts'
import {operations} from './patches.ts'
import {oddName, oddNumber, repeated, wildText} from './text.ts'

const quoted = (text: string) => JSON.stringify(text)

/** Few ids, so that mutations meet; and odd ones. */
const id = fc
  .oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom('fuzz-1', 'fuzz-2', 'fuzz-3', 'Fuzz-1', 'drafts.fuzz-1', 'drafts.fuzz-2'),
    },
    {weight: 2, arbitrary: fc.oneof(oddName, repeated(fc.constantFrom('x', 'ä', '.')))},
  )
  .map(quoted)
const draftId = fc.oneof(
  {weight: 6, arbitrary: fc.constantFrom('"drafts.fuzz-1"', '"drafts.fuzz-2"', '"drafts.fuzz-3"')},
  {weight: 1, arbitrary: id},
)
const publishedId = fc.oneof(
  {weight: 6, arbitrary: fc.constantFrom('"fuzz-1"', '"fuzz-2"', '"fuzz-3"')},
  {weight: 1, arbitrary: id},
)
const type = fc
  .oneof({weight: 8, arbitrary: fc.constant('fuzz')}, {weight: 2, arbitrary: fc.oneof(oddName, wildText)})
  .map(quoted)

const document = objectOf({
  _id: id,
  _type: type,
  name: jsonString,
  n: oddNumber,
  list: listOf(wildJson),
  any: wildJson,
})

const patch = fc
  .tuple(
    fc.oneof(
      {weight: 6, arbitrary: id.map((text) => `"id":${text}`)},
      {weight: 1, arbitrary: narrowFilter.map((text) => `"query":${quoted(text)}`)},
      {weight: 1, arbitrary: wildJson.map((text) => `"id":${text}`)},
    ),
    operations,
    fc.constantFrom('', '', '', ',"ifRevisionID":"none"', ',"ifRevisionID":1', ',"params":{"a":1}'),
  )
  .map(
    ([selection, text, rest]) =>
      `{"patch":{${selection}${text === '{}' ? '' : `,${text.slice(1, -1)}`}${rest}}}`,
  )

const mutation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom('create', 'createOrReplace', 'createIfNotExists'), document)
      .map(([kind, body]) => `{"${kind}":${body}}`),
  },
  {weight: 6, arbitrary: patch},
  {weight: 1, arbitrary: id.map((text) => `{"delete":{"id":${text}}}`)},
  {weight: 1, arbitrary: narrowFilter.map((text) => `{"delete":{"query":${quoted(text)}}}`)},
  {weight: 1, arbitrary: fc.tuple(oddName, wildJson).map(([kind, body]) => `{${quoted(kind)}:${body}}`)},
  {weight: 1, arbitrary: wildJson},
)

const actionFields = {
  create: {publishedId, attributes: document},
  edit: {draftId, publishedId, patch: operations},
  publish: {draftId, publishedId},
  unpublish: {draftId, publishedId},
  discard: {draftId},
  'version.discard': {versionId: draftId},
  replaceDraft: {attributes: document},
  delete: {publishedId, includeDrafts: listOf(draftId)},
}

const action = fc.oneof(
  ...Object.entries(actionFields).map(([kind, fields]) =>
    objectOf({actionType: fc.constant(quoted(`sanity.action.document.${kind}`)), ...fields}),
  ),
  objectOf({actionType: jsonString, draftId, publishedId}),
)

const transactionId = fc.oneof(fc.constantFrom('"t-1"', '"t-2"', '""', '"../x"'), jsonString)

function transaction(name: 'mutations' | 'actions', item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const steps = fc.oneof({weight: 8, arbitrary: listOf(item)}, {weight: 1, arbitrary: manyOf(item)})
  return fc.oneof(
    {weight: 12, arbitrary: steps.map((list) => `{"${name}":${list}}`)},
    {weight: 2, arbitrary: objectOf({[name]: steps, transactionId})},
    {weight: 1, arbitrary: wildJson},
    {weight: 1, arbitrary: brokenJson},
  )
}

/** Bodies of `POST /data/mutate`. */
export const mutations = transaction('mutations', mutation)
/** Bodies of `POST /data/actions`. */
export const actions = transaction('actions', action)

/** Bodies of `POST /data/query`. */
export const postedQuery = fc.oneof(
  {
    weight: 12,
    arbitrary: objectOf({
      query: groq.map(quoted),
      params: objectOf({
        id: jsonString,
        ids: fc.oneof(listOf(jsonString), manyOf(jsonString)),
        n: oddNumber,
        deep: wildJson,
      }),
    }),
  },
  {weight: 1, arbitrary: wildJson},
  {weight: 1, arbitrary: brokenJson},
)

/** Transactions whose queries are any GROQ. They are dry runs, because such a query may select every document. */
export const dryMutations = groq.map(
  (query) =>
    `{"mutations":[{"patch":{"query":${quoted(query)},"set":{"name":"x"}}},{"delete":{"query":${quoted(query)}}}]}`,
)
