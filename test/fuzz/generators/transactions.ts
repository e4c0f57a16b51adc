import fc from 'fast-check'
import {groq, narrowFilter} from './groq.ts'
import {brokenJson, jsonString, listOf, manyOf, objectOf, wildJson} from './json.ts'
import {operations} from './patches.ts'
import {oddName, oddNumber, repeated, weighted, wildText} from './text.ts'

const quoted = (text: string) => JSON.stringify(text)

/** Few ids, so that mutations meet; and odd ones. */
const id = fc
  .oneof(
    weighted(8, fc.constantFrom('fuzz-1', 'fuzz-2', 'fuzz-3', 'Fuzz-1', 'drafts.fuzz-1', 'drafts.fuzz-2')),
    weighted(2, fc.oneof(oddName, repeated(fc.constantFrom('x', 'ä', '.')))),
  )
  .map(quoted)
const draftId = fc.oneof(
  weighted(6, fc.constantFrom('"drafts.fuzz-1"', '"drafts.fuzz-2"', '"drafts.fuzz-3"')),
  weighted(1, id),
)
const publishedId = fc.oneof(
  weighted(6, fc.constantFrom('"fuzz-1"', '"fuzz-2"', '"fuzz-3"')),
  weighted(1, id),
)
const type = fc.oneof(weighted(8, fc.constant('fuzz')), weighted(2, fc.oneof(oddName, wildText))).map(quoted)

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
      weighted(
        6,
        id.map((text) => `"id":${text}`),
      ),
      weighted(
        1,
        narrowFilter.map((text) => `"query":${quoted(text)}`),
      ),
      weighted(
        1,
        wildJson.map((text) => `"id":${text}`),
      ),
    ),
    operations,
    fc.constantFrom('', '', '', ',"ifRevisionID":"none"', ',"ifRevisionID":1', ',"params":{"a":1}'),
  )
  .map(
    ([selection, text, rest]) =>
      `{"patch":{${selection}${text === '{}' ? '' : `,${text.slice(1, -1)}`}${rest}}}`,
  )

const mutation = fc.oneof(
  weighted(
    5,
    fc
      .tuple(fc.constantFrom('create', 'createOrReplace', 'createIfNotExists'), document)
      .map(([kind, body]) => `{"${kind}":${body}}`),
  ),
  weighted(6, patch),
  weighted(
    1,
    id.map((text) => `{"delete":{"id":${text}}}`),
  ),
  weighted(
    1,
    narrowFilter.map((text) => `{"delete":{"query":${quoted(text)}}}`),
  ),
  weighted(
    1,
    fc.tuple(oddName, wildJson).map(([kind, body]) => `{${quoted(kind)}:${body}}`),
  ),
  weighted(1, wildJson),
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
  const steps = fc.oneof(weighted(8, listOf(item)), weighted(1, manyOf(item)))
  return fc.oneof(
    weighted(
      12,
      steps.map((list) => `{"${name}":${list}}`),
    ),
    weighted(2, objectOf({[name]: steps, transactionId})),
    weighted(1, wildJson),
    weighted(1, brokenJson),
  )
}

/** Bodies of `POST /data/mutate`. */
export const mutations = transaction('mutations', mutation)
/** Bodies of `POST /data/actions`. */
export const actions = transaction('actions', action)

/** Bodies of `POST /data/query`. */
export const postedQuery = fc.oneof(
  weighted(
    12,
    objectOf({
      query: groq.map(quoted),
      params: objectOf({
        id: jsonString,
        ids: fc.oneof(listOf(jsonString), manyOf(jsonString)),
        n: oddNumber,
        deep: wildJson,
      }),
    }),
  ),
  weighted(1, wildJson),
  weighted(1, brokenJson),
)

/** Transactions whose queries are any GROQ. They are dry runs, because such a query may select every document. */
export const dryMutations = groq.map(
  (query) =>
    `{"mutations":[{"patch":{"query":${quoted(query)},"set":{"name":"x"}}},{"delete":{"query":${quoted(query)}}}]}`,
)
