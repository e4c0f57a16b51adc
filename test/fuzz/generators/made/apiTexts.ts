import fc from 'fast-check'
import {stringify} from 'yaml'
import {weighted, wildText} from '../text.ts'

/** What must be in no tool. It looks like a word, so that only its place says what it is. */
export const PLANTED = 'hunterxyz'

/** Names of passwords and keys, as websites spell them. */
const secretName = fc.constantFrom(
  ...['password', 'user[password]', 'newPassword', 'pwd', 'pass', 'otp', 'cvv', 'X-Api-Key', 'PHPSESSID'],
  ...['authenticity_token', '__RequestVerificationToken', 'client_secret', 'access_token', 'password2'],
)

const name = fc.oneof(
  weighted(3, fc.constantFrom('q', 'city', 'page', 'items[0].id', 'a.b', 'variables')),
  wildText,
)

const row = fc.oneof(
  weighted(2, fc.tuple(name, wildText)),
  weighted(1, fc.tuple(secretName, fc.constant(PLANTED))),
)

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const address = fc
  .tuple(
    fc.constantFrom('https://a.example', 'http://a.example:81', 'a.example', 'https://ada:x@a.example'),
    fc.array(fc.oneof(wildText, fc.constantFrom('api', 'b1;jsessionid=hunterxyz', '%E4', '..')), {
      maxLength: 4,
    }),
    fc.array(row, {maxLength: 4}),
  )
  .map(([origin, path, query]) => {
    const search = query.map(([key, value]) => `${part(key)}=${part(value)}`).join('&')
    return `${origin}/${path.map((segment) => (segment.includes('jsession') ? segment : part(segment))).join('/')}?${search}`
  })

/** Some encode as UTF-8, some leave it to the browser. */
function part(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%C3%A4', '%E4')
}

const json = fc.array(row, {maxLength: 4}).map((rows) => JSON.stringify(Object.fromEntries(rows)))
const form = fc
  .array(row, {maxLength: 4})
  .map((rows) => rows.map(([key, value]) => `${part(key)}=${part(value)}`).join('&'))

const option = (body: fc.Arbitrary<string>) =>
  fc.oneof(
    weighted(3, fc.tuple(fc.constantFrom('-d', '--data-raw', '--data-urlencode'), body)),
    weighted(2, fc.tuple(fc.constantFrom('-H', '-X', '-b', '-u', '-F', '-o'), wildText)),
    weighted(1, fc.tuple(fc.constant('-H'), fc.constant(`Authorization: Bearer ${PLANTED}`))),
    weighted(1, fc.tuple(wildText, wildText)),
  )

const options = fc.oneof(
  fc.array(option(form), {maxLength: 4}),
  json.map((body): [string, string][] => [['--json', body]]),
)

/** Commands of cURL, most of them well formed. */
export const curlText = fc
  .tuple(address, options, fc.constantFrom('', ' \\\n', ' ; rm', " '", ' $(x)', '\u201c'))
  .map(([url, chosen, end]) => {
    const words = chosen.map(([flag, value]) => `${flag} ${quoted(value)}`)
    return `curl ${quoted(url)} ${words.join(' ')}${end}`
  })

const reference = fc
  .oneof(fc.constantFrom('components/schemas/A', 'components/schemas/Off%', '%E4', 'paths/~1x', ''), wildText)
  .map((path) => ({$ref: `#/${path}`}))

const {schema} = fc.letrec((tie) => ({
  schema: fc.oneof(
    {depthSize: 'small'},
    reference,
    fc.record(
      {type: fc.constantFrom('string', 'integer', 'object', 'x'), example: wildText},
      {requiredKeys: []},
    ),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(name, tie('schema'), {maxKeys: 3}),
      allOf: fc.array(tie('schema'), {maxLength: 2}),
    }),
    fc.record({anyOf: fc.array(tie('schema'), {maxLength: 2})}),
    secretName.map((secret) => ({
      type: 'object',
      properties: {[secret]: {type: 'string', example: PLANTED, default: PLANTED}},
    })),
  ),
}))

const parameter = fc.oneof(
  reference,
  fc.record({name, in: fc.constantFrom('query', 'path', 'header'), schema}),
  secretName.map((secret) => ({name: secret, in: 'query', schema: {type: 'string'}, example: PLANTED})),
)

const operation = fc.record(
  {
    operationId: wildText,
    summary: wildText,
    parameters: fc.array(parameter, {maxLength: 3}),
    requestBody: fc.record({content: fc.record({'application/json': fc.record({schema})})}),
    responses: fc.record({200: fc.record({content: fc.record({'application/json': fc.record({schema})})})}),
  },
  {requiredKeys: []},
)

const document = fc.record({
  openapi: fc.constantFrom('3.0.0', '3.1.0', '2'),
  servers: fc.array(fc.record({url: wildText}), {maxLength: 1}),
  paths: fc.dictionary(
    wildText,
    fc.dictionary(fc.constantFrom('get', 'post', 'delete', 'parameters'), operation, {maxKeys: 2}),
    {maxKeys: 3},
  ),
  components: fc.record({schemas: fc.record({A: schema, 'Off%': schema})}),
})

/** Values that no file should have there; the text of the first one cannot be had. */
const ODD = [{toString: {}}, null, [], [{toString: {}}], {}, 7, true]

/** Puts an odd value into a random place of some documents. */
const oddDocument = fc.tuple(document, fc.nat(80), fc.constantFrom(...ODD)).map(([whole, at, odd]) => {
  let count = 0
  return JSON.parse(JSON.stringify(whole, (_, value: unknown) => (count++ === at + 1 ? odd : value)))
})

/** OpenAPI files in JSON and YAML, some of them odd, cut off or long. */
export const openApiText = fc.oneof(
  weighted(
    6,
    fc.tuple(oddDocument, fc.boolean(), fc.nat(20)).map(([value, isYaml, cut]) => {
      const text = isYaml ? stringify(value, {aliasDuplicateObjects: false}) : JSON.stringify(value)
      return cut < 3 ? text.slice(0, -cut - 1) : text
    }),
  ),
  weighted(
    1,
    fc
      .tuple(
        fc.constantFrom(
          '  - &a? x\n',
          '  /a?:\n    get: {}\n',
          '  - {a: [1, 2, 3, 4, 5]}\n',
          '  - "&a *b"\n',
        ),
        fc.constantFrom(10, 1_000),
        fc.constantFrom('', 'b: [*a1, *a2]\n', 'b: &b [*b, *b]\n'),
      )
      .map(
        ([line, count, end]) =>
          `openapi: 3.1.0\n${/get/.test(line) ? 'paths' : 'a'}:\n${Array.from({length: count}, (_, at) => line.replace('?', String(at))).join('')}${end}`,
      ),
  ),
)
