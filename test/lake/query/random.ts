import fc from 'fast-check'

/** Few values, so that filters, joins and references often match. */
const id = fc.constantFrom('a-1', 'a-2', 'a-3', 'a-4', 'b-1', 'b-2', 'b-3', 'b-4')
const draftOrVersion = fc.constantFrom('drafts.a-1', 'drafts.b-1', 'versions.r.a-1', 'versions.r.drafts.a-1')
/** groq-js calls `hasOwnProperty` on objects, which those from JSON.parse have. */
const plain = {noNullPrototype: true}
const reference = fc.record({_type: fc.constant('reference'), _ref: fc.oneof(id, fc.constant('gone'))}, plain)
const name = fc.constantFrom('x', 'y', 'X', '', '1', 'true', 'null')

const attributes = fc.record(
  {
    name: fc.oneof(name, fc.constant(null), fc.constant(1), fc.constant(['x'])),
    n: fc.oneof(fc.integer({min: 0, max: 3}), fc.constant('1'), fc.constant(null)),
    flag: fc.boolean(),
    ref: fc.oneof(reference, fc.constant('a-1'), fc.constant(null)),
    refs: fc.oneof(fc.array(reference, {maxLength: 3}), fc.constant([null, 'a-1'])),
    nested: fc.record(
      {deep: fc.record({value: fc.integer({min: 0, max: 2})}, plain), list: fc.constant([1])},
      plain,
    ),
  },
  {requiredKeys: [], ...plain},
)

/** A document whose type follows from its id: that of `a-1` and its versions is `a`. */
export const randomDocument = fc
  .tuple(fc.oneof({weight: 3, arbitrary: id}, draftOrVersion), attributes)
  .map(([_id, rest]) => ({_id, _type: _id.slice(-3, -2), ...rest}))

/** A dataset: at most one document per id. */
export const randomDataset = fc.uniqueArray(randomDocument, {selector: ({_id}) => _id, maxLength: 8})
