import type {Listing, OfferedTool} from '../../../advice/agents/listings.ts'

const SCHEMA = {type: 'object', properties: {}}
const text = {type: 'string', description: 'A text'}
const LONG = 'a'.repeat(57)

export function tool(name: string, more: Partial<OfferedTool> = {}): OfferedTool {
  return {type: 'tool', name, annotations: {}, inputSchema: SCHEMA, ...more}
}

function form(name: string, autosubmit: boolean): OfferedTool {
  return {type: 'formTool', name, annotations: {}, autosubmit}
}

const schema = (keywords: object, required: string[] = []) => ({
  inputSchema: {type: 'object', properties: {q: {...text, ...keywords}}, required},
})

export const READS = {annotations: {readOnlyHint: true}} as const
const BUYS = {annotations: {consequentialHint: true}} as const

/**
 * Tools, with what consumers list: name, hints (r, c, u; d: destructive), codes of remarks. `others` applies to those that
 * are not named. They are one page, so that names can meet.
 */
export const TABLE: readonly (readonly [OfferedTool, Readonly<Record<string, string>>])[] = [
  // Names
  [tool('search', READS), {others: 'search r', playwright: 'webmcp_search r'}],
  [tool('cart.view', READS), {others: 'cart.view r', playwright: 'webmcp_cart_view r RENAMED'}],
  [tool('cart_view', READS), {others: 'cart_view r', playwright: 'webmcp_cart_view_2 r NAME_DOUBLED'}],
  [tool('cart-view', READS), {others: 'cart-view r', playwright: 'webmcp_cart-view r'}],
  [tool('a.b.c', READS), {others: 'a.b.c r', playwright: 'webmcp_a_b_c r RENAMED'}],
  [tool(LONG, READS), {others: `${LONG} r`, playwright: `webmcp_${LONG} r`}],
  [tool(`${LONG}b`, READS), {others: `${LONG}b r`, playwright: `webmcp_${LONG}b r NAME_TOO_LONG`}],
  [
    tool('x'.repeat(64), READS),
    {others: `${'x'.repeat(64)} r`, playwright: `webmcp_${'x'.repeat(64)} r NAME_TOO_LONG`},
  ],
  [
    tool('x'.repeat(128), READS),
    {
      others: `${'x'.repeat(128)} r`,
      playwright: `webmcp_${'x'.repeat(64)}_2 r RENAMED NAME_DOUBLED NAME_TOO_LONG`,
    },
  ],
  [tool('Search', READS), {others: 'Search r', playwright: 'webmcp_Search r'}],
  // Hints
  [tool('unset'), {others: 'unset', playwright: 'webmcp_unset d SEEN_AS_DESTRUCTIVE'}],
  [
    tool('buy', BUYS),
    {
      others: 'buy c',
      playwright: 'webmcp_buy cd',
      stagehand: 'buy HINT_DROPPED',
      'mcp-b': 'buy HINT_DROPPED',
    },
  ],
  [
    tool('reviews', {annotations: {readOnlyHint: true, untrustedContentHint: true}}),
    {others: 'reviews ru', playwright: 'webmcp_reviews ru'},
  ],
  [
    tool('all', {annotations: {readOnlyHint: true, consequentialHint: true, untrustedContentHint: true}}),
    {
      others: 'all rcu',
      playwright: 'webmcp_all rcu',
      stagehand: 'all ru HINT_DROPPED',
      'mcp-b': 'all ru HINT_DROPPED',
    },
  ],
  [
    tool('debug', {annotations: {debugging: true, readOnlyHint: true}}),
    {others: 'debug r FOR_DEVELOPERS', playwright: 'webmcp_debug r FOR_DEVELOPERS'},
  ],
  [
    tool('untrusted', {annotations: {untrustedContentHint: true}}),
    {others: 'untrusted u', playwright: 'webmcp_untrusted ud SEEN_AS_DESTRUCTIVE'},
  ],
  // Forms
  [
    form('contact', false),
    {
      others: 'contact',
      playwright: 'webmcp_contact d SEEN_AS_DESTRUCTIVE FORM_WAITS',
      'agent-browser': 'contact FORM_WAITS',
      'chrome-devtools-mcp': 'contact FORM_WAITS',
    },
  ],
  [form('filter', true), {others: 'filter', playwright: 'webmcp_filter d SEEN_AS_DESTRUCTIVE'}],
  [
    form('form.filter', true),
    {others: 'form.filter', playwright: 'webmcp_form_filter d RENAMED SEEN_AS_DESTRUCTIVE'},
  ],
  // Parameters
  [tool('byText', {...READS, ...schema({})}), {others: 'byText r', playwright: 'webmcp_byText r'}],
  [
    tool('needsText', {...READS, ...schema({}, ['q'])}),
    {others: 'needsText r', playwright: 'webmcp_needsText r', 'webmcp-evals': 'needsText r VALUES_MADE_UP'},
  ],
  [
    tool('hasDefault', {...READS, ...schema({default: 'a'}, ['q'])}),
    {others: 'hasDefault r', playwright: 'webmcp_hasDefault r'},
  ],
  [
    tool('hasExamples', {...READS, ...schema({examples: ['a']}, ['q'])}),
    {others: 'hasExamples r', playwright: 'webmcp_hasExamples r', draft: '- REFUSED'},
  ],
  [
    tool('hasFormat', {...READS, ...schema({format: 'email'})}),
    {others: 'hasFormat r', playwright: 'webmcp_hasFormat r', draft: '- REFUSED'},
  ],
  [
    tool('hasConst', {...READS, ...schema({oneOf: [{const: 's', title: 'Small'}]})}),
    {others: 'hasConst r', playwright: 'webmcp_hasConst r', draft: '- REFUSED'},
  ],
  [
    tool('isOpen', {...READS, inputSchema: {...SCHEMA, additionalProperties: true}}),
    {others: 'isOpen r', playwright: 'webmcp_isOpen r', draft: '- REFUSED'},
  ],
  [
    tool('isClosed', {...READS, inputSchema: {...SCHEMA, additionalProperties: false}}),
    {others: 'isClosed r', playwright: 'webmcp_isClosed r'},
  ],
  [
    tool('hasDialect', {
      ...READS,
      inputSchema: {...SCHEMA, $schema: 'https://json-schema.org/draft/2020-12/schema'},
    }),
    {others: 'hasDialect r', playwright: 'webmcp_hasDialect r', draft: '- REFUSED'},
  ],
  [
    tool('namedLikeKeywords', {
      ...READS,
      inputSchema: {type: 'object', properties: {format: text, $ref: text, q: {...text, enum: ['a']}}},
    }),
    {others: 'namedLikeKeywords r', playwright: 'webmcp_namedLikeKeywords r'},
  ],
  // Results
  [
    tool('hasOutput', {...READS, outputSchema: {type: 'array'}}),
    {others: 'hasOutput r', playwright: 'webmcp_hasOutput r', 'mcp-b': 'hasOutput r RESULT_CHECKED'},
  ],
]

const LETTERS = {
  readOnlyHint: 'r',
  consequentialHint: 'c',
  untrustedContentHint: 'u',
  destructive: 'd',
} as const

/** The hints of a listing as the table writes them. */
export const lettersOf = (hints: Listing['hints']) => hints.map((hint) => LETTERS[hint]).join('')

/** A listing as the table writes it. */
export function inShort({name = '-', hints, remarks}: Listing): string {
  const codes = remarks.flatMap(({code}) => (code === 'ANNOUNCEMENT_CUT' ? [] : [code]))
  return [name, lettersOf(hints), ...codes].filter(Boolean).join(' ')
}
