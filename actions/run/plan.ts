import type {ItemField, Part} from '../../schemas/actions/reading.ts'
import type {Members, Path} from './json.ts'

// An action as data: what it is made of, and nothing that only editors need.

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>

/** What stands on the page at the moment of the call. */
type OnPage = {readonly field: string; readonly attribute?: string | undefined} | {readonly cookie: string}

/** A text that is put together: of JSON, of names and values as in an address, or with parameters in it. */
type Joined = {readonly json: Tree} | {readonly pairs: readonly Pair[]} | {readonly template: string}

/** What is always the same, or several values of JSON. */
type Fixed =
  | {readonly fixed: unknown}
  | {readonly several: readonly Tree[]}
  | {readonly group: Readonly<Record<string, Tree>>}

/** What is sent as JSON: a text is the name of a parameter. */
export type Tree = string | Fixed | OnPage | Joined

/** A value by its name, as in a query, a form or headers. */
export type Pair = readonly [name: string, value: Tree]

/** Where a request goes, or the page that the visitor's browser goes to. */
export type AddressPlan = {
  /** Such as `https://api.example.com`; undefined: the page's own. */
  readonly origin?: string
  /** The path with `{parameters}`, what is always the same of the query, and what is after `#`. */
  readonly address: string
  readonly query?: readonly Pair[]
  /** Parameters that are dates. */
  readonly dates?: readonly string[]
}

type Renamed<Field> = Field extends {readonly selector: string}
  ? Omit<Field, 'selector'> & {readonly within: string}
  : never

/** A field of an entry. Its selector has another name than those that are looked for on the whole page (verdicts/cause.ts). */
export type FieldPlan = Renamed<ItemField>

/** A part of a page; of a table without columns, all columns. */
export type PartPlan =
  | Exclude<Part, {readonly kind: 'table' | 'items'}>
  | (Omit<Extract<Part, {readonly kind: 'table'}>, 'columns'> & {readonly columns?: readonly string[]})
  | (Omit<Extract<Part, {readonly kind: 'items'}>, 'fields'> & {readonly fields: readonly FieldPlan[]})

/** What a request returns: a text of the editor, the text that came, one thing or a list of JSON, or parts of a page. */
export type ResultPlan = {
  readonly message?: string
  readonly path?: Path
  readonly members?: Members
  readonly limit?: number
  readonly parts?: readonly PartPlan[]
  /** Of lists, those of at most so many pages. */
  readonly pages?: number
}

/** A request to a server. */
export type RequestPlan = AddressPlan &
  ResultPlan & {
    /** The method, whether the request stays on the page's own website, and headers that are always the same. */
    readonly init?: Pick<RequestInit, 'method' | 'mode'> & {
      readonly headers?: Readonly<Record<string, string>>
    }
    readonly askedHeaders?: readonly Pair[]
    readonly body?: Tree
    readonly form?: readonly Pair[]
    /** Whether status 404 says that what the agent looks for does not exist. Otherwise the address does not. */
    readonly isLookup?: boolean
    /** Where the text of an error is; undefined: in the usual places. */
    readonly error?: Path
    /** What the agent reads if there is nothing, with `{parameters}`. */
    readonly nothing?: string
  }

/** Parts of the open page. */
export type ReadingPlan = {
  readonly parts: readonly PartPlan[]
  /** What the agent reads if there is nothing; undefined: the page is another one. */
  readonly nothing?: string
  /** How many pages of lists are read that buttons under them load. */
  readonly pages?: number
}
