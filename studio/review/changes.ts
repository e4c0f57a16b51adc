import {adviseFormTool, adviseTool} from '../../schemas/advice/tool.ts'
import {compare, type SiteChange, type Snapshot} from '../../schemas/changes/compare.ts'
import {labelOf} from '../../schemas/changes/labels.ts'
import {type StoredDocument, siteOf, withDrafts} from '../../schemas/diagnosis/documents.ts'
import {neighboursIn} from '../../schemas/diagnosis/neighbours.ts'
import {describeReason, describeSite, type TitleOf} from '../../schemas/diagnosis/words.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Review} from './review.ts'

/** A field of a document that a change touches. */
export type FieldChange = {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A change that is to be reviewed. */
export type ReviewedChange = {
  /** The published document. */
  readonly before: StoredDocument | undefined
  /** What publishing makes of it. Undefined: it goes. */
  readonly after: StoredDocument | undefined
  readonly fields: readonly FieldChange[]
  /** The names of sites by their ids. */
  readonly siteNames: ReadonlyMap<string, string>
  /** What changes for visitors, as sentences. */
  readonly forVisitors: readonly string[]
  /** Advice on the draft. */
  readonly advice: readonly string[]
}

/** Works out what a review is about. */
export function changeOf(
  {document: id, action}: Review,
  documents: readonly StoredDocument[],
  titleOf: TitleOf,
): ReviewedChange {
  const draft = documents.find(({_id}) => _id === `drafts.${id}`)
  const before = documents.find(({_id}) => _id === id)
  const after = action === 'publish' && draft !== undefined ? {...draft, _id: id} : undefined
  const published = new Map(documents.flatMap((one) => (isDraft(one) ? [] : [[one._id, one]])))
  return {
    before,
    after,
    fields: changedFields(before, after),
    siteNames: new Map(
      withDrafts(documents).flatMap(({_id, _type, name}) => (_type === 'site' ? [[_id, textOf(name)]] : [])),
    ),
    forVisitors: compare(published, withChange(published, id, after)).flatMap((site) =>
      sentencesOf(site, titleOf),
    ),
    advice: after === undefined ? [] : adviceOn(after, documents),
  }
}

function withChange(documents: Snapshot, id: string, after: StoredDocument | undefined): Snapshot {
  const changed = new Map(documents)
  if (after === undefined) changed.delete(id)
  else changed.set(id, after)
  return changed
}

/** What publishing sets itself, whatever the draft contains. */
const SET_BY_LAKE: ReadonlySet<string> = new Set(['_id', '_rev', '_createdAt', '_updatedAt'])

/** The fields that differ. */
function changedFields(before: StoredDocument | undefined, after: StoredDocument | undefined): FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isNewOrGone = before === undefined || after === undefined
  return fields
    .filter((field) => !SET_BY_LAKE.has(field) && !(isNewOrGone && field === '_type'))
    .map((field) => ({field, before: before?.[field], after: after?.[field]}))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

const NOUNS = {tool: 'tool', formTool: 'form tool'} as const

function sentencesOf({before, after, tools}: SiteChange, titleOf: TitleOf): string[] {
  const [reason] = after ?? []
  const wasOff = before === undefined || before.length > 0
  const state =
    after === undefined
      ? ['The pages of the site will offer no tools.']
      : reason !== undefined
        ? [describeSite(reason, titleOf)]
        : wasOff
          ? ['The pages of the site will offer its tools.']
          : []
  const sentences = tools.map(({kind, type, name, pattern, reasons, members}) => {
    const [why] = reasons
    if (kind === 'added') return `New ${NOUNS[type]} “${name}” on ${pattern}.`
    if (kind === 'removed')
      return `The ${NOUNS[type]} “${name}” goes from ${pattern}${why === undefined ? '.' : `: ${describeReason(why, type, titleOf)}`}`
    const changed = members.map(({member}) => {
      const {title, part} = labelOf(type, member, titleOf)
      return part === undefined ? title : `${title} “${part}”`
    })
    return `The ${NOUNS[type]} “${name}” on ${pattern} changes: ${changed.join(', ')}.`
  })
  return [...state, ...sentences]
}

function adviceOn(document: StoredDocument, documents: readonly StoredDocument[]): string[] {
  if (document._type !== 'tool' && document._type !== 'formTool') return []
  const site = siteOf(document)
  const tools = withDrafts(documents).filter((one) => siteOf(one) === site && one._id !== document._id)
  const advise = document._type === 'tool' ? adviseTool : adviseFormTool
  return advise(document, {others: neighboursIn(tools)}).map(({message}) => message)
}

function isDraft({_id}: StoredDocument): boolean {
  return _id.startsWith('drafts.')
}
