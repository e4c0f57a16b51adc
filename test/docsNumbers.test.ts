import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {runInNewContext} from 'node:vm'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const KIB = 1_024
const MIB = 1_048_576

/** Numbers that pages write as words. */
const WORDS: Readonly<Record<string, number>> = {'half an': 0.5, two: 2, three: 3, five: 5, ten: 10}

/** A phrase of a page with one number in braces, the constant that it repeats, and the unit of the phrase. */
type Row = readonly [phrase: string, constant: string, unit?: number]

const LIMITS: readonly Row[] = [
  ['may exceed it by {2} %', 'service/limits/rateLimit.ts STEP', 1 / 100],
  ['{10} % of that', 'service/limits/rateLimit.ts UNKNOWN_SHARE', 1 / 100],
  ['at least {10}', 'service/limits/rateLimit.ts UNKNOWN_AT_LEAST'],
  ['{10} times `RATE_LIMIT_MAX`', 'service/limits/rateLimit.ts PREVIEW_SHARE'],
  ['{20} % of `RATE_LIMIT_MAX`', 'service/limits/rateLimit.ts REPORTS_OF_CLIENT', 1 / 100],
  ['{20} times from all', 'service/limits/rateLimit.ts REPORTS_OF_SITE'],
  ['{8} kB each', 'service/http/routes/reports.ts MAX_BODY', KIB],
  ['{256} MB, 396 days', 'service/counts/sqliteCounts.ts MAX_BYTES', MIB],
  [' MB, {396} days', 'service/counts/store.ts KEPT_HOURS', 24],
  ['in Redis {92} days', 'service/counts/redisCounts.ts KEPT_HOURS', 24],
  ['{256} kB each', 'service/http/routes/sanityWebhook.ts MAX_BODY', KIB],
  ['a replica | {10,000} |', 'service/http/server.ts MAX_CONNECTIONS'],
  ['{32} kB', 'service/http/serverLimits.ts MAX_HEADER_SIZE', KIB],
  ['more than {2,048} characters', 'service/http/routes/config.ts MAX_PATH_LENGTH'],
  ['{5} s, 10 s', 'service/http/serverLimits.ts HEADERS_TIMEOUT', 1_000],
  [' s, {10} s', 'service/http/serverLimits.ts REQUEST_TIMEOUT', 1_000],
  ['{25} % of `SITE_MEMORY_MB`', 'service/cache/sites.ts MAX_SITE_SHARE', 1 / 100],
  ['{100,000} path segments', 'schemas/rules/paths/pathSegments.ts MAX_PATH_SEGMENTS'],
  ['{16} at the same time', 'service/upstream/circuitBreaker.ts AT_ONCE'],
  ['another {16} each', 'service/upstream/circuitBreaker.ts AT_ONCE'],
  ['{3} s each', 'service/upstream/circuitBreaker.ts QUERY_TIMEOUT', 1_000],
  ['more than {256}', 'service/upstream/circuitBreaker.ts MAX_QUEUED'],
  ['attempts of a client | {10} per minute', 'lake/http/routes/login.ts MAX_ATTEMPTS'],
  ['{20} in 15 minutes', 'lake/access/passwordChecks.ts MAX_WRONG'],
  [' in {15} minutes', 'lake/access/passwordChecks.ts WINDOW', 60_000],
  ['{250} ms of CPU, 64 MiB', 'lake/query/run.ts QUERY_BOUNDS.milliseconds'],
  [' ms of CPU, {64} MiB of values', 'lake/query/run.ts QUERY_BOUNDS.bytes', MIB],
  ['{32} M characters', 'lake/query/run.ts MAX_CHARACTERS', MIB],
  ['{200,000} characters', 'lake/query/compile.ts MAX_QUERY_LENGTH'],
  ['{10,000} steps', 'lake/http/routes/write.ts MAX_STEPS'],
  ['{3} s of CPU', 'lake/write/timeSlices.ts BUDGET', 1_000],
  ['{16} MB of changed documents', 'lake/write/transaction/workspace.ts MAX_MEGABYTES'],
  ['{1,000} that are not published', 'lake/write/checks/checkReleases.ts MAX_OPEN'],
  ['{1,000} documents in each', 'lake/write/checks/checkReleases.ts MAX_VERSIONS'],
  ['{1,000} paths', 'lake/write/patch/patch.ts MAX_PATHS'],
  ['paths of {1,024} characters', 'lake/write/patch/path.ts MAX_PATH_LENGTH'],
  ['document | {5} MiB', 'content/parseDocument.ts MAX_DOCUMENT_BYTES', MIB],
  ['{64} levels', 'content/canonical.ts MAX_DEPTH'],
  ['{64} and 128 characters', 'content/names.ts MAX_TYPE_LENGTH'],
  ['program | {256}', 'lake/http/events/eventStream.ts MAX_STREAMS.perClient'],
  ['{120} per minute', 'lake/http/routes/gitWebhook.ts MAX_DELIVERIES'],
  ['connections | {5,000}', 'lake/http/limits/connections.ts MAX_CONNECTIONS'],
  ['| 5,000, {10} % of them', 'lake/http/limits/connections.ts SHARE', 1 / 100],
  ['{5} s, 30 s', 'lake/http/limits/connections.ts SERVER_LIMITS.http.headersTimeout', 1_000],
  [' s, {30} s', 'lake/http/limits/connections.ts SERVER_LIMITS.requestTimeout', 1_000],
  ['{128} MiB', 'lake/http/limits/unsentBytes.ts MAX_BYTES.total', MIB],
  ['{64} MiB per client', 'lake/http/limits/unsentBytes.ts MAX_BYTES.perClient', MIB],
]

/** Digits of docs/limits.md that other tests check: the body of a transaction, the length of an ID. */
const CHECKED_ELSEWHERE = /\]\([^)]*\)|\b6 MiB|\b128 characters|IPv[46]|\/64|per window|\b(?:4\d\d|50\d)\b/g

/** Numbers of other pages. */
const OTHERS: Readonly<Record<string, readonly Row[]>> = {
  'README.md': [['about every {5} minutes', 'schemas/rules/pollInterval.ts DEFAULT_POLL_INTERVAL', 60]],
  'docs/advice.md': [
    ['`NAME_LONG`: more than {30}', 'advice/texts.ts LONGEST_NAME'],
    ['`PARAMETER_NAME_LONG`: more than {30}', 'advice/texts.ts LONGEST_NAME'],
    ['more than {500}', 'advice/texts.ts LONGEST_DESCRIPTION'],
    ['more than {150}', 'advice/texts.ts LONGEST_PARAMETER_DESCRIPTION'],
    ['more than {20} tools', 'advice/site/pages.ts MANY_TOOLS'],
    ['more than {40} tools', 'advice/site/pages.ts TOO_MANY_TOOLS'],
  ],
  'docs/api.md': [['within {15} minutes', 'schemas/preview.ts LINK_MINUTES']],
  'docs/forms.md': [['{five} seconds after', 'snippet/limits.ts IDLE_AFTER', 1_000]],
  'docs/git.md': [
    ['({10} to 86,400', 'schemas/rules/pollInterval.ts SHORTEST'],
    ['to {86,400};', 'schemas/rules/pollInterval.ts LONGEST'],
    ['default {300})', 'schemas/rules/pollInterval.ts DEFAULT_POLL_INTERVAL'],
  ],
  'docs/operations.md': [
    ['kill it {ten} seconds later', 'service/main.ts CLOSE_DEADLINE', 1_000],
    ['made for {10,000} documents', 'lake/readiness.ts MAX_DOCUMENTS'],
  ],
  'docs/people.md': [
    ['works for {half an} hour', 'lake/access/accounts.ts LINK_LIFETIME', 3_600_000],
    ['{200,000} events', 'lake/audit/auditLog.ts MAX_EVENTS'],
    ['at least {10} characters', 'lake/access/secrets.ts MIN_PASSWORD_LENGTH'],
    ['within {3} days', 'lake/access/accounts.ts INVITATION_LIFETIME', 86_400_000],
    ['{20} failed attempts', 'lake/audit/auditLog.ts MAX_FAILURES'],
    ['in {10} minutes', 'lake/audit/auditLog.ts FAILURE_WINDOW', 60_000],
  ],
  'docs/preview.md': [
    ['within {15} minutes', 'schemas/preview.ts LINK_MINUTES'],
    ['than {12} hours', 'studio/preview/recentEntries.ts MAX_HOURS'],
  ],
  'docs/rights.md': [['within {half an} hour', 'lake/access/accounts.ts LINK_LIFETIME', 3_600_000]],
  'docs/scale.md': [
    ['every {300} seconds', 'schemas/rules/pollInterval.ts DEFAULT_POLL_INTERVAL'],
    ['every {45} seconds', 'service/cache/revalidation.ts ASK_EVERY', 1_000],
  ],
  'docs/single-sign-on.md': [
    ['every {three} minutes', 'lake/access/oidc/sessionChecks.ts CHECK_EVERY', 60_000],
    ['at most {12} hours', 'lake/access/signIn/sessions.ts PROVIDER_SESSION_LIFETIME', 3_600_000],
  ],
  'docs/specification.md': [
    ['for {two} hours', 'service/http/cors.ts PREFLIGHT_MAX_AGE', 3_600],
    ['{300} by default', 'schemas/rules/pollInterval.ts DEFAULT_POLL_INTERVAL'],
  ],
  'docs/webhooks.md': [['within {ten} seconds', 'lake/webhooks/hook.ts TIMEOUT', 1_000]],
  'docs/tools.md': [
    ['within {50} seconds', 'snippet/ask/limits.ts ANSWER_WITHIN', 1_000],
    ['under {30} characters', 'advice/texts.ts LONGEST_NAME'],
    ['under {500} characters', 'advice/texts.ts LONGEST_DESCRIPTION'],
    ['under {150} characters', 'advice/texts.ts LONGEST_PARAMETER_DESCRIPTION'],
    ['at most {1,500} characters', 'panel/parts/outcomeView.tsx RECOMMENDED_LENGTH'],
  ],
}

for (const [name, rows] of Object.entries({'docs/limits.md': LIMITS, ...OTHERS}))
  test(`${name} repeats the numbers of the code`, () => {
    const page = read(name)
    assert.deepEqual(
      rows.flatMap((row) => mistakesOf(page, row)),
      [],
    )
  })

test('docs/limits.md has no number that is not checked', () => {
  const page = read('docs/limits.md')
  const checked = new Set(LIMITS.flatMap(([phrase]) => placesOf(page, phrase)))
  const masked = page
    .replaceAll(CHECKED_ELSEWHERE, (text) => ' '.repeat(text.length))
    .replaceAll(/\d[\d,]*/g, (number, at: number) => (checked.has(at) ? ' '.repeat(number.length) : number))
  assert.deepEqual(masked.match(/.*\d.*/g) ?? [], [])
})

test('docs/operations.md names the users and the sizes of the images and manifests', () => {
  const page = read('docs/operations.md')
  const users = Array.from(read('Dockerfile').matchAll(/^USER (\d+)/gm), ([, id]) => id)
  assert.ok(page.includes(`(${users.join(' and ')})`), `the users are ${users}`)
  const [, heap] = /--max-old-space-size=(\d+) --max-semi-space-size=16"/.exec(read('Dockerfile')) ?? []
  const [, container] = /limits: \{memory: (\d+)Gi\}/.exec(read('deploy/kubernetes/base/service.yaml')) ?? []
  const [, memory] = /SITE_MEMORY_MB: .*default: (\d+)/.exec(read('service/settings.ts')) ?? []
  assert.ok(page.includes(`| ${memory} | ${heap} | ${container} GiB, as in the manifests |`))
  const [, benched, benchedHeap] =
    /SITE_MEMORY_MB: '(\d+)',\n.*--max-old-space-size=(\d+) /.exec(read('bench/service.ts')) ?? []
  assert.ok(
    page.includes(`| 100,000 | ${benched} | ${benchedHeap} |`),
    'what the benchmark of 100,000 sites uses',
  )
})

/** Where the number of a phrase is in a page. */
function placesOf(page: string, phrase: string): number[] {
  const text = phrase.replaceAll(/[{}]/g, '')
  const places: number[] = []
  for (let at = page.indexOf(text); at !== -1; at = page.indexOf(text, at + 1))
    places.push(at + phrase.indexOf('{'))
  return places
}

function mistakesOf(page: string, [phrase, constant, unit = 1]: Row): string[] {
  if (placesOf(page, phrase).length === 0) return [`the page does not say "${phrase}"`]
  const [, number = ''] = /\{(.+)\}/.exec(phrase) ?? []
  const value = numberAt(constant)
  const said = WORDS[number] ?? Number(number.replaceAll(',', ''))
  return said * unit === value ? [] : [`${phrase}: ${constant} is ${value}`]
}

/** The value of a constant, or of a member of it, in a file that need not export it: `lake/x.ts LIMITS.total`. */
function numberAt(constant: string): number {
  const [file = '', path = ''] = constant.split(' ')
  const [name = '', ...members] = path.split('.')
  let value = constantOf(file, name)
  for (const member of members)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
  return typeof value === 'number' ? value : assert.fail(`${constant} is not a number`)
}

function constantOf(file: string, name: string): unknown {
  const declaration = new RegExp(`^(?:export )?const ${name}(?:: [^=]+)? = (\\{\\n[^]*?\\n\\}|.*)`, 'm')
  const [, text] = declaration.exec(read(file)) ?? assert.fail(`${file} has no constant ${name}`)
  assert.ok(text)
  const used = new Set(text.replaceAll(/\/\/.*/g, '').match(/\b[A-Z][A-Z_]+\b/g))
  const values = Object.fromEntries(Array.from(used, (other) => [other, constantOf(file, other)]))
  return runInNewContext(`(${text})`, values)
}

function read(file: string): string {
  return readFileSync(`${ROOT}${file}`, 'utf8')
}
